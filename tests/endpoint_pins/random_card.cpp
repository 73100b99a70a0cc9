// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint_pins/random_card.hpp"

#include <tlmetry/base/random.hpp>

#include <algorithm>

namespace tlmetry::testing {

namespace {

std::uint32_t pick(Random& random, std::initializer_list<std::uint32_t> values) {
    return values.begin()[random.below(static_cast<std::uint32_t>(values.size()))];
}

endpoint::Duty random_duty(Random& random) {
    if (random.chance(1, 2)) return {};
    const std::uint32_t of = random.between(2, 9);
    return {random.between(1, of), of};
}

ClockDomain random_clock(Random& random, time_fs usual) {
    const time_fs period = random.chance(1, 2) ? usual : random.between(1'500'000, 9'000'000);
    return {period, random.chance(1, 2) ? 0 : random.below(static_cast<std::uint32_t>(period))};
}

telemetry::Config random_component(Random& random) {
    telemetry::Config c;
    c.pcie_endpoints = random.chance(1, 4) ? random.between(2, 3) : 1;
    c.dma_ports = random.chance(1, 3) ? random.between(2, 3) : 1;
    c.dma_up_mfb_regions = pick(random, {1, 2, 3, 4});
    c.dma_down_mfb_regions = pick(random, {1, 2, 4});
    c.pcie_rq_mfb_regions = pick(random, {1, 2, 3, 4});
    c.pcie_rc_mfb_regions = pick(random, {1, 2, 4});
    // A frame would have holes on the narrower bus.
    const auto [narrow, wide] = std::minmax(c.pcie_rc_mfb_regions, c.dma_down_mfb_regions);
    if (wide % narrow != 0) c.pcie_rc_mfb_regions = c.dma_down_mfb_regions;
    c.pcie_rq_mfb_region_bytes = c.dma_up_mfb_region_bytes = pick(random, {16, 32, 64});
    c.pcie_rc_mfb_region_bytes = c.dma_down_mfb_region_bytes = pick(random, {16, 32, 64});
    const std::uint32_t largest = std::max(c.pcie_rq_mfb_region_bytes, c.pcie_rc_mfb_region_bytes);
    c.pcie_eof_pos_width = c.dma_eof_pos_width = telemetry::clog2(largest / c.mfb_item_bytes);
    c.padding = random.chance(2, 3) ? telemetry::Padding::as_built : telemetry::Padding::documented;
    c.drain_period = pick(random, {512, 1024, 4096});
    return c;
}

void set_traffic(Random& random, card::Config& card) {
    generator::Config& t = card.traffic.front();
    const auto size = [&]() {
        generator::Size s;
        s.kind = random.chance(1, 2) ? generator::SizeKind::fixed : generator::SizeKind::range;
        s.bytes = random.between(1, 2000);
        s.min_bytes = random.between(1, 64);
        s.max_bytes = s.min_bytes + random.below(1500);
        return s;
    };
    t.read_size = size();
    t.write_size = size();
    t.read_ppm = pick(random, {0, 250'000, 500'000, 1'000'000});
    t.alignment_bytes = pick(random, {1, 64, 4096});
    t.pattern = random.chance(1, 2) ? generator::Pattern::random : generator::Pattern::sequential;
    if (random.chance(1, 2)) {
        t.rate = generator::Rate::requests;
        t.requests_per_s = random.between(1'000'000, 100'000'000);
        t.spacing = random.chance(1, 2) ? generator::Spacing::constant : generator::Spacing::exponential;
    }
    if (random.chance(1, 4)) t.burst_requests = random.between(1, 100);
    if (random.chance(1, 5)) t.outstanding_max = random.between(1, 40);
}

/// Resets of all kinds, and links that go down.
void set_timeline(Random& random, card::Config& card, time_fs end, time_fs slowest) {
    card.endpoint.ptc.completion_timeout_fs = end / 4;
    time_fs t = 0;
    for (std::uint32_t n = random.between(1, 4); n != 0; --n) {
        t += 1 + random.below(4000) * slowest + random.below(static_cast<std::uint32_t>(slowest));
        const time_fs length = (8 + random.below(300)) * slowest + random.below(1'000'000);
        if (random.chance(1, 4)) {
            card.timeline.push_back({t, card::LinkDown{length}});
        } else {
            card.timeline.push_back(
                {t, card::Reset{length, static_cast<endpoint::ResetDomain>(random.below(3))}});
        }
        t += length;
    }
}

}  // namespace

RandomCard::RandomCard(std::uint64_t seed) {
    Random random(seed, "card");
    component = random_component(random);
    clocks.mi = random_clock(random, 10'000'000);
    clocks.dma = random_clock(random, 5'000'000);
    for (std::uint32_t e = 0; e < component.pcie_endpoints; ++e)
        clocks.pcie.push_back(random_clock(random, 2'500'000));

    endpoint::Config& c = card.endpoint;
    endpoint::Buses& b = c.buses;
    const std::uint32_t items = std::max(component.dma_up_mfb_regions, component.dma_down_mfb_regions);
    b.mvb_up_items = random.between(1, items);
    b.mvb_down_items = 1;
    while (b.mvb_down_items < std::max(component.pcie_rc_mfb_regions, component.dma_down_mfb_regions))
        b.mvb_down_items *= 2;
    b.rq_write_header = pick(random, {0, 3, 4});
    b.rq_read_header = std::max(1u, b.rq_write_header);
    b.rc_header = pick(random, {0, 3});
    b.one_start = random.chance(1, 4);
    c.ptc.tags = pick(random, {16, 32, 256});
    const std::uint32_t up_word_bytes = component.dma_up_mfb_regions * component.dma_up_mfb_region_bytes;
    c.ptc.up_fifo_words = b.mvb_up_items * (4096 / up_word_bytes + 1) + 1 + random.below(600);
    c.ptc.down_fifo_words = pick(random, {8, 32, 512});
    c.ptc.storage_words = random.chance(1, 2) ? 1024 : 700;
    if (random.chance(1, 4)) c.ptc.completion_headers = random.between(300, 600);
    c.link.tx_buffer_bytes = pick(random, {500, 4096, 16384});
    c.rq = random_duty(random);
    c.down_mfb = random_duty(random);
    c.down_mvb = random_duty(random);
    card.link.generation = random.between(1, 5);
    card.link.lanes = pick(random, {1, 4, 8, 16});
    card.link.mps_bytes = pick(random, {128, 256, 512, 1024});
    card.link.mrrs_bytes = pick(random, {128, 512, 4096});
    card.link.rcb_bytes = pick(random, {64, 128});
    card.combine_completions = random.chance(2, 3);
    card.host.latency = random.chance(1, 2) ? host::Latency::constant : host::Latency::uniform;
    set_traffic(random, card);
    if (random.chance(1, 3)) {
        c.link.posted_headers = random.between(1, 64);
        c.link.posted_data = random.between(64, 500);
        c.link.nonposted_headers = random.between(1, 64);
        card.host.commit_latency_fs = random.below(1000) * fs_per_ns;
        card.host.lines_in_flight = random.between(1, 100);
    }

    time_fs slowest = clocks.dma.period_fs();
    for (const ClockDomain& clock : clocks.pcie)
        slowest = std::max(slowest, clock.period_fs());
    end = slowest * random.between(6000, 15000);
    if (random.chance(1, 3)) set_timeline(random, card, end, slowest);
    component.tag_capacity = c.ptc.tags;
    component.stfifo_capacity = c.ptc.storage_words;
}

bool RandomCard::fits_signals() const {
    const telemetry::Layout layout(component);
    return layout.pcie.buses * layout.pcie.regions * component.pcie_eof_pos_width <= 64 &&
           layout.dma.buses * layout.dma.regions * component.dma_eof_pos_width <= 64;
}

}  // namespace tlmetry::testing
