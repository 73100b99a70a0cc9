// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/account/prediction.hpp"

#include <tlmetry/generator/request_stream.hpp>
#include <tlmetry/host/lines.hpp>
#include <tlmetry/pcie/dllp_rules.hpp>
#include <tlmetry/pcie/tlp_sizes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace tlmetry::account {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Cycles from the release of what a read holds to the grant that uses it.
constexpr double tag_cycles = 6;
constexpr double word_cycles = 4;

/// What one request takes of everything.
class Costs {
public:
    Costs(const card::Config& config, const telemetry::Config& component)
        : m_engine(card::endpoint_config(config, component, 0)),
          m_sizes(config.link),
          m_up_regions(m_engine.buses.up_region_items),
          m_down_regions(m_engine.buses.down_region_items),
          m_words(m_engine.ptc.word_bytes),
          m_rcb(m_engine.host.rcb) {}

    void add(const endpoint::Request& request, RequestMix& mix) const {
        const endpoint::Buses& buses = m_engine.buses;
        mix.operations += (request.flags & generator::flag::last) != 0;
        const host::Lines lines(request.address, request.length);
        (request.read ? mix.read_lines : mix.write_lines) += lines.touched;
        if (!request.read) mix.merged_lines += lines.partial;
        if (!request.read) {
            const std::uint32_t items = endpoint::items_of(request.length);
            mix.write_payload += request.length;
            mix.up_bytes += m_sizes.write(request.address, request.length);
            mix.up_words += words(m_up_regions.count(items), buses.up_regions, false);
            mix.rq_words +=
                words(m_up_regions.count(items + buses.rq_write_header), buses.rq_regions, buses.one_start);
            return;
        }
        mix.read_share += 1;
        mix.read_payload += request.length;
        mix.up_bytes += m_sizes.read();
        mix.rq_words += words(m_up_regions.count(buses.rq_read_header), buses.rq_regions, buses.one_start);
        mix.words += m_words.touched(request.address, request.length);
        mix.entries += m_rcb.touched(request.address, request.length);
        std::uint64_t address = request.address;
        for (std::uint32_t left = request.length; left != 0;) {
            const auto offset = static_cast<std::uint32_t>(address & (m_engine.host.completion_bytes - 1));
            const std::uint32_t bytes = std::min(left, m_engine.host.completion_bytes - offset);
            const std::uint32_t items = endpoint::items_of(bytes);
            mix.completions += 1;
            mix.down_bytes += m_sizes.completion(address, bytes);
            mix.rc_words +=
                words(m_down_regions.count(items + buses.rc_header), buses.rc_regions, buses.one_start);
            mix.down_words += words(m_down_regions.count(items), buses.down_regions, false);
            address += bytes;
            left -= bytes;
        }
    }

private:
    static double words(std::uint32_t regions, std::uint32_t width, bool alone) {
        const double share = static_cast<double>(regions) / width;
        return alone ? std::ceil(share) : share;
    }

    endpoint::Config m_engine;
    pcie::TlpSizes m_sizes;
    endpoint::Blocks m_up_regions, m_down_regions, m_words, m_rcb;
};

double per(double whole, double part) {
    return part == 0 ? infinite : whole / part;
}

/// Requests a second that the DMA ports of an endpoint ask for, of which links and buses carry `carried`.
double demand(const card::Config& config, const telemetry::Config& component, const RequestMix& mix,
              const IdleRead& idle, double carried, std::uint32_t e) {
    double sum = 0;
    for (std::uint32_t p = 0; p < component.dma_ports; ++p) {
        const generator::Config traffic = card::port_traffic(config, component, {e, p});
        double rate = infinite;
        if (traffic.rate == generator::Rate::requests) rate = static_cast<double>(traffic.requests_per_s);
        if (traffic.rate == generator::Rate::payload) {
            rate = per(static_cast<double>(traffic.payload_bits_per_s) / 8,
                       mix.write_payload + mix.read_payload);
        }
        if (traffic.rate != generator::Rate::saturate && traffic.burst_requests != 0) {
            const double pause = static_cast<double>(traffic.burst_gap_fs) / 1e15;
            rate = 1 / (1 / rate + pause / traffic.burst_requests);
        }
        if (traffic.outstanding_max != 0) {
            const double bytes = (mix.write_payload + mix.read_payload) / mix.operations;
            const double gap = static_cast<double>(traffic.gap_fs) / 1e15 +
                               static_cast<double>(traffic.gap_fs_per_byte) / 1e15 * bytes;
            // The requests of an operation follow each other; a write ends when its last one starts.
            const double operation =
                mix.read_share * (idle.whole_s + (1 / mix.operations - 1) / carried) + gap;
            rate = std::min(rate, per(traffic.outstanding_max / mix.operations, operation));
        }
        sum += rate;
    }
    return sum;
}

/// Requests a second for which a root port can have lines in flight.
double line_limit(const host::Config& host, const RequestMix& mix) {
    if (host.lines_in_flight == 0) return infinite;
    return per(host.lines_in_flight / (static_cast<double>(host.line_service_fs) / 1e15), mix.read_lines);
}

/// Share of what is asked of it that memory with so many bytes a second has for reads and for writes. While
/// both wait they get their weights' parts, and each what the other leaves.
struct MemoryShares {
    MemoryShares(const host::Config& host, double reads, double writes) {
        const auto limit = [](std::uint64_t bytes_per_s) {
            return bytes_per_s == 0 ? infinite : static_cast<double>(bytes_per_s);
        };
        const double all = limit(host.memory_bytes_per_s);
        const double part = static_cast<double>(host.read_weight) / (host.read_weight + host.write_weight);
        read = per(std::min(limit(host.memory_read_bytes_per_s), std::max(all * part, all - writes)), reads);
        write = per(std::min(limit(host.memory_write_bytes_per_s), std::max(all * (1 - part), all - reads)),
                    writes);
    }
    double read = infinite;
    double write = infinite;
};

/// Bytes that requests read from memory and write to it.
double memory_reads(const host::Config& host, const RequestMix& mix) {
    return (mix.read_lines * (1 - host.cache_ppm / 1e6) + mix.merged_lines) * host::line_bytes;
}
double memory_writes(const RequestMix& mix) {
    return mix.write_lines * host::line_bytes;
}

/// Requests a second for which the host has credits. Each is away from its TLP's start until the endpoint
/// knows that it is back.
double credit_limit(const endpoint::Link& link, const host::Config& host, const RequestMix& mix,
                    double byte_s) {
    const auto seconds = [](time_fs t) { return static_cast<double>(t) / 1e15; };
    const double back_s =
        seconds(link.propagation_fs + link.credit_update_latency_fs) + mix.up_bytes * byte_s;
    const double write_s = back_s + seconds(host.commit_latency_fs);
    const double writes = 1 - mix.read_share;
    double rate = infinite;
    if (link.posted_headers != 0) rate = std::min(rate, per(link.posted_headers, writes * write_s));
    if (link.posted_data != 0)
        rate = std::min(rate, per(link.posted_data, mix.write_payload / endpoint::credit_bytes * write_s));
    if (link.nonposted_headers != 0)
        rate = std::min(rate, per(link.nonposted_headers, mix.read_share * back_s));
    return rate;
}

/// Share of a direction that its DLLPs leave to TLPs while the other direction is in use.
double dllp_factor(const card::Config& config, double byte_s, double other_share) {
    const time_fs interval = pcie::DllpRules(config.link).ack_interval_fs();
    if (interval == never || other_share == 0) return 1;
    const double bytes = static_cast<double>(interval) / 1e15 / byte_s;
    return bytes / (bytes + pcie::DllpRules::bytes);
}

/// Where measured() finds the idle time of a link that another part holds up. What slows the answers to reads
/// lets tags or space run out.
Factor idle_factor(Limit binds) {
    switch (binds) {
        case Limit::link_up:
        case Limit::rq_bus:
        case Limit::credits:
            return Factor::path;
        case Limit::up_bus:
        case Limit::demand:
            return Factor::demand;
        default:
            return Factor::window;
    }
}

/// All DMA ports of endpoint `e` ask for the same.
bool ports_are_alike(const card::Config& config, const telemetry::Config& component, std::uint32_t e) {
    const generator::Config first = card::port_traffic(config, component, {e, 0});
    for (std::uint32_t p = 1; p < component.dma_ports; ++p) {
        if (!(card::port_traffic(config, component, {e, p}) == first)) return false;
    }
    return true;
}

/// Everything but what endpoints have in common.
Prediction alone(const card::Config& config, const telemetry::Config& component,
                 const telemetry::Clocks& clocks, const RequestMix& mix, const IdleRead& idle, double seconds,
                 std::uint32_t e) {
    const endpoint::Config engine = card::endpoint_config(config, component, 0);
    const double pcie_hz = 1e15 / static_cast<double>(clocks.pcie[e].period_fs());
    const double dma_hz = 1e15 / static_cast<double>(clocks.dma.period_fs());
    const double byte_s = static_cast<double>(card::link_byte_time(config.link)) / 65536 / 1e15;
    Prediction result;
    result.mix = mix;
    result.known = ports_are_alike(config, component, e) && !config.endpoint.cpu.any();

    card::Config still = config;
    still.timeline.clear();
    const LinkCapacity second = link_capacity(still, 0, fs_per_s);
    const auto direction = [&](double payload, double bytes, std::uint32_t errors, double other) {
        Cascade cascade;
        cascade.factor.fill(1);
        cascade.ceiling = second.raw;
        cascade[Factor::encoding] = second.data / second.raw;
        cascade[Factor::header] = payload == 0 ? 0 : payload / bytes;
        cascade[Factor::retry] = 1 - errors / 4294967296.0;
        cascade[Factor::dllp] = dllp_factor(config, byte_s, other);
        return cascade;
    };
    result.up = direction(mix.write_payload, mix.up_bytes, engine.link.up_errors, mix.down_bytes);
    result.down = direction(mix.read_payload, mix.down_bytes, engine.link.down_errors, mix.up_bytes);

    auto& rate = result.rate;
    rate.fill(infinite);
    const auto set = [&](Limit limit, double value) { rate[static_cast<std::size_t>(limit)] = value; };
    const auto link = [&](const Cascade& c, double bytes) {
        return per(second.data * c[Factor::retry] * c[Factor::dllp], bytes);
    };
    set(Limit::link_up, link(result.up, mix.up_bytes));
    set(Limit::link_down, link(result.down, mix.down_bytes));
    set(Limit::up_bus,
        component.dma_ports * per(dma_hz, std::max(mix.up_words, 1.0 / engine.buses.mvb_up_items)));
    set(Limit::rq_bus, per(pcie_hz * engine.rq.ready / engine.rq.of, mix.rq_words));
    set(Limit::rc_bus, per(pcie_hz, mix.rc_words));
    set(Limit::down_bus,
        component.dma_ports * per(dma_hz * engine.down_mfb.ready / engine.down_mfb.of, mix.down_words));
    set(Limit::output, per(pcie_hz, mix.down_words));
    // So far a request is as long behind the one before as what all of them pass takes.
    const double carried = *std::min_element(rate.begin(), rate.end());
    const double asked = demand(config, component, mix, idle, carried, e);
    set(Limit::demand, std::min(asked, per(mix.requests, seconds)));

    const double words = engine.ptc.storage_words - 1.0;  // a group needs one more than it takes
    // While there is always more, reads make groups of all that a word of headers holds, and wait for as many
    // tags.
    std::uint32_t tags = engine.ptc.tags;
    if (mix.read_share == 1 && std::isinf(asked) && tags > engine.buses.mvb_up_items)
        tags -= tags % engine.buses.mvb_up_items;
    set(Limit::tags, per(tags, mix.read_share * (idle.hold_s + tag_cycles / pcie_hz)));
    set(Limit::space, per(words, mix.words * (idle.hold_s + word_cycles / pcie_hz)));
    set(Limit::headers, engine.ptc.completion_headers == 0
                            ? infinite
                            : per(engine.ptc.completion_headers, mix.entries * idle.hold_s));
    set(Limit::host, line_limit(config.host, mix));
    set(Limit::credits, credit_limit(engine.link, config.host, mix, byte_s));
    return result;
}

/// Tells what binds, and what that makes of the factors.
void finish(Prediction& result) {
    const RequestMix& mix = result.mix;
    const auto& rate = result.rate;
    const auto least = std::min_element(rate.begin(), rate.end());
    result.requests_per_s = *least;
    result.binds = static_cast<Limit>(least - rate.begin());

    for (auto [cascade, own, payload] :
         {std::tuple(&result.up, rate[static_cast<std::size_t>(Limit::link_up)], mix.write_payload),
          std::tuple(&result.down, rate[static_cast<std::size_t>(Limit::link_down)], mix.read_payload)}) {
        cascade->useful = result.requests_per_s * payload;
        // The link is idle for one reason.
        if (std::isfinite(own) && result.requests_per_s < own)
            (*cascade)[idle_factor(result.binds)] = result.requests_per_s / own;
    }
}

}  // namespace

RequestMix request_mix(const card::Config& config, const telemetry::Config& component, std::uint64_t seed,
                       std::uint32_t e, std::size_t sample) {
    const Costs costs(config, component);
    RequestMix mix;
    double requests = 0;
    bool ends = true;
    for (std::uint32_t p = 0; p < component.dma_ports; ++p) {
        const card::DmaPort port{e, p};
        generator::RequestStream stream(card::port_traffic(config, component, port), seed, port.name());
        std::array<endpoint::Request, 64> block;
        for (std::size_t left = sample; left != 0;) {
            const std::size_t count = stream.fill(block.data(), std::min(left, block.size()));
            for (std::size_t i = 0; i < count; ++i)
                costs.add(block[i], mix);
            requests += static_cast<double>(count);
            left = count == 0 ? 0 : left - count;
        }
        ends = ends && stream.empty();
    }
    if (requests == 0) return mix;
    for (double* value :
         {&mix.read_share, &mix.write_payload, &mix.read_payload, &mix.completions, &mix.up_bytes,
          &mix.down_bytes, &mix.words, &mix.entries, &mix.up_words, &mix.rq_words, &mix.rc_words,
          &mix.down_words, &mix.operations, &mix.read_lines, &mix.write_lines, &mix.merged_lines})
        *value /= requests;
    if (ends) mix.requests = requests;
    return mix;
}

std::vector<Prediction> predict(const card::Config& config, const telemetry::Config& component,
                                const telemetry::Clocks& clocks, const std::vector<RequestMix>& mixes,
                                const IdleRead& idle, double seconds) {
    std::vector<Prediction> result;
    double reads = 0;
    double writes = 0;
    for (std::uint32_t e = 0; e < mixes.size(); ++e) {
        Prediction& prediction =
            result.emplace_back(alone(config, component, clocks, mixes[e], idle, seconds, e));
        const double wanted = *std::min_element(prediction.rate.begin(), prediction.rate.end());
        if (!std::isfinite(wanted)) continue;
        reads += wanted * memory_reads(config.host, mixes[e]);
        writes += wanted * memory_writes(mixes[e]);
    }
    const MemoryShares shares(config.host, reads, writes);
    for (Prediction& prediction : result) {
        double share = infinite;
        if (memory_reads(config.host, prediction.mix) != 0) share = std::min(share, shares.read);
        if (memory_writes(prediction.mix) != 0) share = std::min(share, shares.write);
        const double wanted = *std::min_element(prediction.rate.begin(), prediction.rate.end());
        double& host = prediction.rate[static_cast<std::size_t>(Limit::host)];
        if (std::isfinite(share)) host = std::min(host, wanted * share);
        finish(prediction);
    }
    return result;
}

}  // namespace tlmetry::account
