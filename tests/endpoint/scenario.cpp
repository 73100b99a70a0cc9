// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint/scenario.hpp"

#include "endpoint/expand.hpp"
#include "endpoint_reference/endpoint.hpp"

#include <tlmetry/base/random.hpp>
#include <tlmetry/endpoint/system.hpp>

#include <algorithm>
#include <set>
#include <sstream>

namespace tlmetry::test {

namespace {

template <class T>
T pick(Random& random, std::initializer_list<T> choices) {
    return choices.begin()[random.below(static_cast<std::uint32_t>(choices.size()))];
}

endpoint::Duty random_duty(Random& random) {
    if (!random.chance(1, 3)) return {};
    const std::uint32_t of = random.between(2, 20);
    return {random.between(1, of), of};
}

reference::Duty same(endpoint::Duty duty) {
    return {duty.ready, duty.of};
}

void copy_config(Scenario& scenario) {
    const endpoint::Config& from = scenario.config;
    reference::EndpointConfig& to = scenario.reference;
    const auto number = [](std::uint32_t value) { return static_cast<int>(value); };
    to.sync_cycles = number(from.ptc.sync_cycles);
    to.ports = number(from.ports);
    to.mvb_up_items = number(from.buses.mvb_up_items);
    to.mvb_down_items = number(from.buses.mvb_down_items);
    to.up_regions = number(from.buses.up_regions);
    to.rq_regions = number(from.buses.rq_regions);
    to.up_region_items = number(from.buses.up_region_items);
    to.rc_regions = number(from.buses.rc_regions);
    to.down_regions = number(from.buses.down_regions);
    to.down_region_items = number(from.buses.down_region_items);
    to.one_start = from.buses.one_start;
    to.rq_header_items_write = number(from.buses.rq_write_header);
    to.rq_header_items_read = number(from.buses.rq_read_header);
    to.rc_header_items = number(from.buses.rc_header);
    to.up_fifo_words = number(from.ptc.up_fifo_words);
    to.down_fifo_words = number(from.ptc.down_fifo_words);
    to.down_almost_full = number(from.ptc.down_almost_full);
    to.up_cycles = number(from.ptc.up_cycles);
    to.header_cycles = number(from.ptc.header_cycles);
    to.payload_cycles = number(from.ptc.payload_cycles);
    to.header_queue = number(from.ptc.header_queue);
    to.storage_cycles = number(from.ptc.storage_cycles);
    to.rx_cycles = number(from.ptc.rx_cycles);
    to.tags = number(from.ptc.tags);
    to.word_bytes = number(from.ptc.word_bytes);
    to.storage_words = number(from.ptc.storage_words);
    to.completion_headers = number(from.ptc.completion_headers);
    to.completion_buffer = number(from.ptc.completion_buffer_headers);
    to.rcb = number(from.host.rcb);
    to.completion_max = number(from.host.completion_bytes);
    to.tx_buffer_bytes = from.link.tx_buffer_bytes;
    to.up_fs_per_byte = static_cast<std::int64_t>(from.link.up_byte_time >> 16);
    to.down_fs_per_byte = static_cast<std::int64_t>(from.link.down_byte_time >> 16);
    to.write_overhead_bytes = number(from.link.write_overhead);
    to.read_overhead_bytes = number(from.link.read_overhead);
    to.completion_overhead_bytes = number(from.link.completion_overhead);
    to.whole_dwords = from.link.dword_padding;
    if (from.link.dllp_interval_fs != never) to.dllp_interval_fs = from.link.dllp_interval_fs;
    to.dllp_lag_fs = from.host.least_latency_fs;
    if (from.link.has_credits())
        to.dllp_lag_fs = std::min(to.dllp_lag_fs, from.link.credit_update_latency_fs);
    to.tx_latency_fs = from.link.tx_latency_fs;
    to.propagation_fs = from.link.propagation_fs;
    to.posted_headers = number(from.link.posted_headers);
    to.posted_data = number(from.link.posted_data);
    to.nonposted_headers = number(from.link.nonposted_headers);
    to.credit_update_fs = from.link.credit_update_latency_fs;
    to.completion_timeout_fs = from.ptc.completion_timeout_fs;
    to.up_damaged = {from.link.up_damaged.begin(), from.link.up_damaged.end()};
    to.down_damaged = {from.link.down_damaged.begin(), from.link.down_damaged.end()};
    to.nak_latency_fs = from.link.nak_latency_fs;
    to.part_gap_fs = from.host.part_gap_fs;
    to.rq_duty = same(from.rq);
    to.down_mfb_duty = same(from.down_mfb);
    to.down_mvb_duty = same(from.down_mvb);
}

class ListedRequests : public endpoint::RequestSource {
public:
    void add(const reference::Request& request) { m_requests.push_back(request); }
    std::size_t fetch(endpoint::Request* out, std::size_t most, time_fs) override {
        std::size_t count = 0;
        for (; count < most && m_next != m_requests.size(); ++count) {
            const reference::Request& listed = m_requests[m_next++];
            out[count] = {listed.arrival_fs, listed.address, static_cast<std::uint32_t>(listed.length),
                          listed.read, 0};
        }
        return count;
    }
    bool is_open() const override { return m_open; }
    void set_open(bool open) { m_open = open; }

private:
    bool m_open = true;
    std::vector<reference::Request> m_requests;
    std::size_t m_next = 0;
};

/// Makes everything finite on the way of requests so wide that it seldom binds: that is where the engine
/// takes its short way.
void widen(Scenario& scenario, Random& random) {
    endpoint::Config& c = scenario.config;
    c.ports = 1;
    c.rq = {};
    c.buses.up_regions = pick<std::uint32_t>(random, {1, 2, 2, 4});
    c.buses.rq_regions = pick<std::uint32_t>(random, {1, 2, 2, 4});
    c.ptc.up_fifo_words = c.buses.mvb_up_items * (1024 / (c.buses.up_region_items * c.buses.up_regions) + 1) +
                          pick<std::uint32_t>(random, {200, 512});
    c.ptc.down_fifo_words = 512;
    c.ptc.tags = pick<std::uint32_t>(random, {256, 512, 1024});
    c.ptc.header_queue = random.between(8, 40);
    c.ptc.storage_words += pick<std::uint32_t>(random, {500, 2000, 10'000});
    if (c.ptc.completion_headers != 0) c.ptc.completion_headers += 4000;
    if (c.link.up_byte_time != 0) {
        c.link.up_byte_time = static_cast<std::uint64_t>(random.between(10'000, 60'000)) << 16;
        c.link.down_byte_time = static_cast<std::uint64_t>(random.between(10'000, 60'000)) << 16;
    }
    c.link.tx_buffer_bytes = pick<std::uint32_t>(random, {16'384, 1 << 20});
}

void add_credits(Scenario& scenario, std::uint64_t seed) {
    Random random(seed, "credits");
    endpoint::Link& link = scenario.config.link;
    scenario.holds_fs = {0};
    if (!random.chance(1, scenario.wide ? 20 : 3)) return;
    if (random.chance(1, 2)) link.posted_headers = random.between(1, 40);
    if (random.chance(1, 2)) link.posted_data = random.between(256, 1024);
    if (random.chance(1, 2)) link.nonposted_headers = random.between(1, 40);
    link.credit_update_latency_fs = random.below(400) * fs_per_ns;
    // Something has to take time.
    if (link.credit_update_latency_fs == 0 || scenario.config.host.least_latency_fs == 0)
        link.propagation_fs = std::max<time_fs>(link.propagation_fs, fs_per_ns * 10);
    const std::uint32_t spread = pick<std::uint32_t>(random, {1, 100, 1000});
    for (int i = 0; i < 41; ++i)
        scenario.holds_fs.push_back(random.below(spread) * fs_per_ns + random.below(1000));
}

/// Reads that get no answer, and times in which the link is down.
void add_losses(Scenario& scenario, std::uint64_t seed, std::int64_t after_fs) {
    Random random(seed, "losses");
    const bool lost = random.chance(1, 4);
    const bool down = random.chance(1, scenario.wide ? 20 : 4);
    if (!lost && !down) return;
    // Longer than anything can wait for DOWN.
    const auto slow = [](endpoint::Duty duty) { return duty.ready * 4 < duty.of; };
    const bool wait = slow(scenario.config.down_mfb) || slow(scenario.config.down_mvb);
    scenario.config.ptc.completion_timeout_fs = random.between(wait ? 20'000 : 3'000, 25'000) * fs_per_ns;
    if (lost) {
        for (std::uint32_t n = random.between(1, 3); n != 0; --n)
            scenario.latencies_fs[random.below(static_cast<std::uint32_t>(scenario.latencies_fs.size()))] =
                -1;
    }
    if (!down) return;
    endpoint::Config& c = scenario.config;
    c.link.goes_down = true;
    if (c.host.least_latency_fs == 0) c.link.propagation_fs += fs_per_ns;
    const std::int64_t period = scenario.reference.p_period_fs;
    for (std::uint32_t n = random.between(1, 3); n != 0; --n) {
        Interruption event;
        event.reset = false;
        event.from_fs = after_fs + 1 + random.below(2000) * period + random.below(1'000'000);
        event.until_fs = event.from_fs + 1 + random.below(400) * period + random.below(1'000'000);
        after_fs = event.until_fs;
        scenario.interruptions.push_back(event);
    }
}

/// Transmissions that arrive damaged. A reset would lose some that the engine has decided already.
void add_retries(Scenario& scenario, std::uint64_t seed) {
    Random random(seed, "retries");
    if (!random.chance(1, 4)) return;
    endpoint::Link& link = scenario.config.link;
    if (!scenario.interruptions.empty() && scenario.interruptions.front().reset) return;
    link.nak_latency_fs = random.chance(1, 3) ? 0 : random.below(500) * fs_per_ns;
    const std::uint32_t spread = pick<std::uint32_t>(random, {3, 30, 300});
    for (std::vector<std::uint64_t>* list : {&link.up_damaged, &link.down_damaged}) {
        std::uint64_t number = 0;
        for (int i = 0; i < 30; ++i)
            list->push_back(number += random.between(1, spread));
    }
}

std::string show(const reference::BusCycle& c) {
    std::ostringstream text;
    text << "src " << c.src_rdy << " dst " << c.dst_rdy << " sof " << c.sof << " eof " << c.eof << " data "
         << c.data << " items " << c.items;
    return text.str();
}

bool equal(const reference::BusCycle& a, const reference::BusCycle& b) {
    if (a.src_rdy != b.src_rdy) return false;
    if (!a.src_rdy) return true;
    // Of a word that waited until a reset only that is known.
    if (b.data == 0) return !a.dst_rdy && !b.dst_rdy;
    if (a.dst_rdy != b.dst_rdy || a.sof != b.sof || a.eof != b.eof || a.data != b.data || a.items != b.items)
        return false;
    for (std::size_t r = 0; r < a.eof_pos.size(); ++r) {
        if ((a.eof >> r & 1) != 0 && a.eof_pos[r] != b.eof_pos[r]) return false;
    }
    return true;
}

class Comparison {
public:
    void bus(const std::string& name, const std::vector<reference::BusCycle>& expected,
             const std::vector<reference::BusCycle>& found, bool& stalled) {
        for (std::size_t c = 0; c < expected.size(); ++c) {
            stalled = stalled || (expected[c].src_rdy && !expected[c].dst_rdy);
            if (!equal(expected[c], found[c])) report(c, name, show(expected[c]), show(found[c]));
        }
    }
    void headers(const std::string& name, const std::vector<reference::HeaderCycle>& expected,
                 const std::vector<reference::HeaderCycle>& found, bool& stalled) {
        for (std::size_t c = 0; c < expected.size(); ++c) {
            const auto text = [](const reference::HeaderCycle& h) {
                return h.src_rdy ? "items " + std::to_string(h.items) + " dst " + std::to_string(h.dst_rdy)
                                 : "idle";
            };
            stalled = stalled || (expected[c].src_rdy && !expected[c].dst_rdy);
            if (found[c].src_rdy && found[c].items == 0 && expected[c].src_rdy && !expected[c].dst_rdy)
                continue;
            if (text(expected[c]) != text(found[c])) report(c, name, text(expected[c]), text(found[c]));
        }
    }
    template <class T>
    void numbers(const std::string& name, const std::vector<T>& expected, const std::vector<T>& found) {
        for (std::size_t c = 0; c < expected.size(); ++c) {
            if (expected[c] != found[c])
                report(c, name, std::to_string(expected[c]), std::to_string(found[c]));
        }
    }
    std::string text() const { return m_text; }

private:
    void report(std::size_t cycle, const std::string& name, const std::string& expected,
                const std::string& found) {
        // The earliest difference of each kind tells most.
        if (m_names.count(name) != 0) return;
        m_names.insert(name);
        m_text += "  " + name + " cycle " + std::to_string(cycle) + ": expected " + expected + ", found " +
                  found + "\n";
    }
    std::set<std::string> m_names;
    std::string m_text;
};

}  // namespace

Scenario random_scenario(std::uint64_t seed) {
    Random random(seed, "endpoint scenario");
    Scenario scenario;
    endpoint::Config& c = scenario.config;
    c.ports = pick<std::uint32_t>(random, {1, 1, 1, 2, 3});
    c.buses.up_regions = pick<std::uint32_t>(random, {1, 2, 2, 4});
    c.buses.rq_regions = pick<std::uint32_t>(random, {1, 2, 2, 4});
    c.buses.rc_regions = pick<std::uint32_t>(random, {1, 2, 4, 4});
    c.buses.down_regions = pick<std::uint32_t>(random, {1, 2, 4});
    if (random.chance(1, 2)) c.buses.down_regions = c.buses.rc_regions;
    c.buses.up_region_items = pick<std::uint32_t>(random, {4, 8, 8, 16});
    c.buses.down_region_items = pick<std::uint32_t>(random, {4, 8, 8});
    c.buses.mvb_up_items = random.between(1, 4);
    c.buses.mvb_down_items = std::max(c.buses.rc_regions, pick<std::uint32_t>(random, {1, 2, 4}));
    c.buses.rq_write_header = pick<std::uint32_t>(random, {0, 3, 4});
    c.buses.rq_read_header = pick<std::uint32_t>(random, {1, 3, 4});
    c.buses.rc_header = pick<std::uint32_t>(random, {0, 3});
    c.buses.one_start = random.chance(1, 4);
    c.ptc.sync_cycles = random.between(1, 4);
    c.ptc.up_fifo_words = pick<std::uint32_t>(random, {1, 16, 64, 512}) +
                          c.buses.mvb_up_items * (1024 / (c.buses.up_region_items * c.buses.up_regions) + 1);
    c.ptc.down_fifo_words = pick<std::uint32_t>(random, {16, 64, 512});
    c.ptc.down_almost_full = random.between(0, 10);
    c.ptc.up_cycles = random.between(0, 6);
    c.ptc.header_cycles = random.between(1, 12);
    c.ptc.payload_cycles = random.between(1, 14);
    c.ptc.header_queue = random.between(1, 40);
    c.ptc.storage_cycles = random.between(0, 10);
    c.ptc.rx_cycles = random.between(0, 4);
    c.ptc.tags = pick<std::uint32_t>(random, {8, 32, 256, 512});
    c.ptc.word_bytes = pick<std::uint32_t>(random, {32, 64, 128});
    c.ptc.storage_words = c.buses.mvb_up_items * (4096 / c.ptc.word_bytes + 1) + 1 + random.below(300);
    c.host.rcb = pick<std::uint32_t>(random, {64, 128});
    if (random.chance(1, 3))
        c.ptc.completion_headers = c.buses.mvb_up_items * (4096 / c.host.rcb + 1) + random.below(300);
    c.host.completion_bytes = pick<std::uint32_t>(random, {64, 128, 256, 512});
    c.host.completion_bytes = std::max(c.host.completion_bytes, c.host.rcb);
    if (random.chance(1, 4)) c.host.part_gap_fs = random.below(40) * fs_per_ns;
    if (random.chance(2, 3)) {
        c.link.up_byte_time = static_cast<std::uint64_t>(random.between(10'000, 400'000)) << 16;
        c.link.down_byte_time = static_cast<std::uint64_t>(random.between(10'000, 400'000)) << 16;
    }
    c.link.tx_buffer_bytes = pick<std::uint32_t>(random, {300, 4096, 1 << 20});
    c.link.tx_latency_fs = random.below(50) * fs_per_ns;
    c.link.propagation_fs = random.below(50) * fs_per_ns;
    c.rq = random_duty(random);
    c.down_mfb = random_duty(random);
    c.down_mvb = random_duty(random);
    scenario.reference.ordered = random.chance(1, 3);

    reference::EndpointConfig& r = scenario.reference;
    r.p_period_fs = random.between(1'000'000, 5'000'000);
    r.d_period_fs = random.chance(1, 4) ? r.p_period_fs : random.between(1'000'000, 8'000'000);
    if (random.chance(1, 3)) r.p_period_fs = 2'500'000, r.d_period_fs = 5'000'000;
    r.p_phase_fs = random.chance(1, 2) ? 0 : random.below(5'000'000);
    r.d_phase_fs = random.chance(1, 2) ? 0 : random.below(5'000'000);

    const std::int64_t least = random.below(3) == 0 ? 0 : random.below(900) * fs_per_ns;
    c.host.least_latency_fs = least;
    const std::uint32_t spread = pick<std::uint32_t>(random, {1, 100, 1500});
    for (int i = 0; i < 37; ++i)
        scenario.latencies_fs.push_back(least + random.below(spread) * fs_per_ns + random.below(1000));

    Random open(seed, "wide");
    scenario.wide = open.chance(2, 5);
    if (scenario.wide) widen(scenario, open);
    // Clocks of cards, for which requests can be planned.
    if (scenario.wide && open.chance(1, 2)) {
        r.p_period_fs = pick<std::int64_t>(open, {2'000'000, 2'500'000, 4'000'000});
        r.d_period_fs = pick<std::int64_t>(open, {2'500'000, 5'000'000});
    }

    scenario.cycles = 6000;
    const std::uint32_t read_share = pick<std::uint32_t>(random, {0, 20, 50, 100});
    const std::uint32_t longest = pick<std::uint32_t>(random, {64, 300, 1024, 4096});
    const bool fixed = random.chance(1, 3);
    const bool saturate = random.chance(1, 2) && !scenario.wide;
    // Of wide set-ups about what the UP bus takes, or less.
    const std::uint32_t gap_ns = scenario.wide ? longest / 16 + open.between(1, 60) : random.between(1, 60);
    for (std::uint32_t p = 0; p < c.ports; ++p) {
        std::int64_t arrival = 0;
        const std::int64_t end = scenario.cycles * r.p_period_fs;
        for (int n = 0; n < 12000 && arrival < end; ++n) {
            reference::Request request;
            request.port = static_cast<int>(p);
            if (!saturate) arrival += random.below(2 * gap_ns) * fs_per_ns + random.below(1000);
            if (random.chance(1, 200)) arrival += random.below(3000) * fs_per_ns;
            request.arrival_fs = arrival;
            request.read = random.chance(read_share, 100);
            request.length = static_cast<int>(fixed ? longest : random.between(1, longest));
            const std::uint32_t room = 4096 - static_cast<std::uint32_t>(request.length);
            request.address = std::uint64_t{4096} * random.below(1 << 20) +
                              (random.chance(1, 3) ? 0 : random.below(room + 1));
            scenario.requests.push_back(request);
        }
    }
    std::int64_t time = 0;
    Random domains(seed, "reset domains");
    if (!r.ordered && random.chance(1, 4)) {
        for (std::uint32_t n = random.between(1, 3); n != 0; --n) {
            Interruption reset;
            reset.from_fs = time + random.below(2000) * r.p_period_fs + random.below(1'000'000);
            reset.until_fs = reset.from_fs + 3 * (r.p_period_fs + r.d_period_fs) +
                             random.below(60) * r.p_period_fs + random.below(1'000'000);
            reset.domain = pick(domains, {endpoint::ResetDomain::both, endpoint::ResetDomain::pcie,
                                          endpoint::ResetDomain::dma});
            time = reset.until_fs + 1;
            scenario.interruptions.push_back(reset);
        }
    }
    add_credits(scenario, seed);
    add_losses(scenario, seed, time);
    add_retries(scenario, seed);
    Random buffer(seed, "completion buffer");
    if (buffer.chance(1, 5)) {
        c.ptc.completion_buffer_headers = buffer.between(1, 30);
        c.ptc.completion_timeout_fs = std::min(c.ptc.completion_timeout_fs, 25'000 * fs_per_ns);
    }
    Random dllps(seed, "DLLPs");
    if (dllps.chance(1, 3)) c.link.dllp_interval_fs = dllps.between(1, 300) * fs_per_ns;
    c.link.dword_padding = Random(seed, "padding").chance(1, 2);
    copy_config(scenario);
    return scenario;
}

Verdict compare(const Scenario& scenario, std::uint64_t seed) {
    const endpoint::Config& c = scenario.config;
    const reference::EndpointConfig& r = scenario.reference;
    reference::Endpoint expected(r, scenario.requests, scenario.latencies_fs, scenario.holds_fs);
    for (const Interruption& event : scenario.interruptions) {
        if (event.reset) {
            expected.reset(event.from_fs, event.until_fs, event.domain == endpoint::ResetDomain::pcie);
        } else {
            expected.link_down(event.from_fs, event.until_fs);
        }
    }
    expected.run(scenario.cycles);

    const ClockDomain pcie(r.p_period_fs, r.p_phase_fs);
    const ClockDomain dma(r.d_period_fs, r.d_phase_fs);
    std::vector<ListedRequests> sources(c.ports);
    std::vector<endpoint::RequestSource*> pointers;
    // Who does not tell in advance what comes makes the engine go without plans.
    for (ListedRequests& source : sources) {
        source.set_open(seed % 4 != 0);
        pointers.push_back(&source);
    }
    for (const reference::Request& request : scenario.requests)
        sources[static_cast<std::size_t>(request.port)].add(request);
    ListedHost host(scenario);
    endpoint::Endpoint engine(c, pcie, dma, pointers);
    endpoint::System system({&engine}, host);
    // Words that wait at the end show only when they have moved.
    const time_fs end = pcie.time_of(scenario.cycles + 40000);
    Random random(seed, "looks");
    const std::uint32_t longest_step = pick<std::uint32_t>(random, {3'000, 100'000, 10'000'000});
    const auto go_to = [&](time_fs t) {
        while (system.now() < t)
            system.advance(std::min<time_fs>(t, system.now() + 1 + random.below(longest_step) * fs_per_ps));
    };
    for (const Interruption& event : scenario.interruptions) {
        engine.expect_change(event.from_fs);
        go_to(event.from_fs);
        engine.expect_change(never);
        if (event.reset) {
            engine.reset(event.from_fs, event.until_fs, event.domain);
        } else {
            engine.link_down(event.from_fs, event.until_fs);
        }
    }
    go_to(end);

    Verdict verdict;
    verdict.cycles = static_cast<std::uint64_t>(scenario.cycles);
    Comparison compare;
    bool ignored = false;
    std::vector<reference::BusCycle> rq =
        expand(engine.rq(), c.buses.rq_regions, c.buses.up_region_items, scenario.cycles);
    for (cycle_t w = engine.rq_waiting(); w < scenario.cycles; ++w)
        rq[static_cast<std::size_t>(w)].src_rdy = true;
    compare.bus("RQ", expected.rq, rq, verdict.rq_stalled);
    compare.bus("RC", expected.rc,
                expand(engine.rc(), c.buses.rc_regions, c.buses.down_region_items, scenario.cycles), ignored);
    for (std::uint32_t p = 0; p < c.ports; ++p) {
        const reference::PortRecords& port = expected.ports[p];
        const std::string name = "port " + std::to_string(p);
        const auto cycles = static_cast<cycle_t>(port.up_mfb.size());
        std::vector<reference::BusCycle> up =
            expand(engine.up(p).mfb, c.buses.up_regions, c.buses.up_region_items, cycles);
        std::vector<reference::HeaderCycle> up_headers = expand(engine.up(p).mvb, cycles);
        // What waits without an end known is in no log yet.
        for (cycle_t w = engine.up(p).mfb_waiting; w < cycles; ++w)
            up[static_cast<std::size_t>(w)].src_rdy = true;
        for (cycle_t w = engine.up(p).mvb_waiting; w < cycles; ++w)
            up_headers[static_cast<std::size_t>(w)].src_rdy = true;
        compare.bus(name + " UP", port.up_mfb, up, verdict.up_stalled);
        compare.headers(name + " UP MVB", port.up_mvb, up_headers, verdict.up_stalled);
        compare.bus(name + " DOWN", port.down_mfb,
                    expand(engine.down(p).mfb, c.buses.down_regions, c.buses.down_region_items, cycles),
                    verdict.down_stalled);
        compare.headers(name + " DOWN MVB", port.down_mvb, expand(engine.down(p).mvb, cycles),
                        verdict.down_stalled);
    }
    endpoint::TagManager& manager = engine.tag_manager();
    compare.numbers(
        "tags", expected.free_tags,
        expand(manager.tags_taken, manager.tags_back, static_cast<int>(c.ptc.tags), scenario.cycles));
    compare.numbers("words", expected.free_words,
                    expand(manager.words_taken, manager.words_back, static_cast<int>(c.ptc.storage_words),
                           scenario.cycles));
    std::vector<std::uint32_t> brakes(static_cast<std::size_t>(scenario.cycles), 0);
    for (std::uint32_t b = 0; b < endpoint::TagManager::brakes; ++b)
        expand(manager.brake[b], b, brakes);
    expand(engine.down_stream().mfb_held, 4, brakes);
    expand(engine.down_stream().mvb_held, 5, brakes);
    compare.numbers("brakes", expected.brakes, brakes);
    for (const std::uint32_t mask : expected.brakes)
        verdict.brakes |= mask;
    verdict.credits_short = expected.credits_short;
    verdict.padded = c.link.dword_padding && c.link.up_byte_time != 0;
    verdict.overflowed = expected.completions_lost != 0;
    verdict.dllps =
        engine.link_up().statistics().dllp_bytes != 0 && engine.link_down().statistics().dllp_bytes != 0;
    verdict.retried = engine.link_up().statistics().naks != 0 && engine.link_down().statistics().naks != 0;
    verdict.timed_out = expected.timeouts != 0;
    verdict.headers_cut = expected.headers_cut;
    verdict.lost_on_link = expected.lost_on_link != 0;
    verdict.unbound = engine.statistics().unbound;
    verdict.planned = engine.statistics().planned;
    verdict.lagged = engine.statistics().lagged;
    verdict.may_plan = endpoint::UpPlan::is_possible(c, engine.pcie(), engine.dma());
    for (const Interruption& event : scenario.interruptions) {
        if (!event.reset || event.domain == endpoint::ResetDomain::both) continue;
        verdict.reset_alone[event.domain == endpoint::ResetDomain::dma] = true;
    }
    verdict.difference = compare.text();
    const std::string unbalanced = engine.unbalanced();
    if (!unbalanced.empty()) verdict.difference += "  not conserved: " + unbalanced + "\n";
    return verdict;
}

}  // namespace tlmetry::test
