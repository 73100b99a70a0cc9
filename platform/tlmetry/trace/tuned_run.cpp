// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/trace/tuned_run.hpp"

#include <tlmetry/account/cascade.hpp>
#include <tlmetry/account/experiment.hpp>
#include <tlmetry/ptt_driver/tune_driver.hpp>
#include <tlmetry/ptt_driver/unit_bus.hpp>

#include <algorithm>
#include <utility>

namespace tlmetry::trace {

namespace {

using endpoint::ReadLatencies;
using Tx = endpoint::RootPortTx;

class Bus : public ptt::UnitBus {
public:
    explicit Bus(ptt::TuneUnit& unit) : m_unit(unit) {}
    std::uint32_t read32(std::uint32_t offset) override { return m_unit.read(offset).value_or(0); }
    void write32(std::uint32_t offset, std::uint32_t value) override { m_unit.write(offset, value); }

private:
    ptt::TuneUnit& m_unit;
};

/// Sums of the root ports of a core.
struct Sums {
    std::array<Tx::Statistics, Tx::kinds> sent;
    endpoint::RootPortRx::Statistics received;
};

Sums look(const card::Card& card, const std::vector<std::uint32_t>& endpoints) {
    Sums sums;
    for (const std::uint32_t e : endpoints) {
        const endpoint::Endpoint& endpoint = card.endpoint(e);
        for (std::size_t k = 0; k < Tx::kinds; ++k) {
            const Tx::Statistics s = endpoint.root_port_tx().statistics(static_cast<Tx::Kind>(k));
            sums.sent[k].tlps += s.tlps;
            sums.sent[k].bytes += s.bytes;
            sums.sent[k].batches += s.batches;
            sums.sent[k].wait_fs += s.wait_fs;
        }
        if (!endpoint.uses_root_port_tx()) {
            // Nothing but completions, which go straight to the link.
            sums.sent[Tx::completion].tlps += endpoint.statistics().completions;
            sums.sent[Tx::completion].batches += endpoint.statistics().completions;
            sums.sent[Tx::completion].bytes += endpoint.link_down().statistics().sent_bytes;
        }
        const endpoint::RootPortRx::Statistics r = endpoint.root_port_rx().statistics();
        sums.received.requests += r.requests;
        sums.received.batches += r.batches;
        sums.received.wait_fs += r.wait_fs;
    }
    return sums;
}

double ratio(std::uint64_t a, std::uint64_t b, double otherwise) {
    return b == 0 ? otherwise : static_cast<double>(a) / static_cast<double>(b);
}

TunedRun::Sent difference(const Tx::Statistics& before, const Tx::Statistics& after, double seconds) {
    TunedRun::Sent sent;
    const std::uint64_t tlps = after.tlps - before.tlps;
    sent.tlps_per_s = static_cast<double>(tlps) / seconds;
    sent.bytes_per_s = static_cast<double>(after.bytes - before.bytes) / seconds;
    sent.mean_wait_s = ratio(after.wait_fs - before.wait_fs, tlps, 0) / static_cast<double>(fs_per_s);
    sent.tlps_in_batch = ratio(tlps, after.batches - before.batches, 1);
    return sent;
}

}  // namespace

TunedRun run_tuned(const device::SimulatedCard::Config& config, std::uint32_t core,
                   const TuneSettings& settings, time_fs warmup, time_fs duration,
                   const std::function<bool()>& go_on) {
    device::SimulatedCard simulated(config);
    card::Card& card = *simulated.card();
    const card::Topology topology = card::topology(config.card, config.generics);
    std::vector<std::uint32_t> endpoints;  // behind the root ports of the core
    for (std::uint32_t e = 0; e < card.endpoints(); ++e)
        if (topology.core_of(e) == core) endpoints.push_back(e);
    ptt::TuneUnit unit(config.card.endpoint.tuning.levels, [&](const ptt::TuneUnit::Levels& levels) {
        card.advance(simulated.now());
        for (const std::uint32_t e : endpoints)
            card.tune(simulated.now(), e, {levels});
    });
    Bus bus(unit);
    ptt::TuneDriver driver(bus);
    TunedRun result;
    for (std::size_t e = 0; e < settings.size(); ++e) {
        const auto event = static_cast<ptt::TuneEvent>(e);
        if (settings[e]) driver.set_level(event, *settings[e]);
        result.levels[e] = driver.level(event);
    }

    const auto simulate = [&](time_fs until) {
        while (simulated.now() < until) {
            if (go_on && !go_on()) throw device::Interrupted("the run is ended");
            simulated.sleep(std::min(until - simulated.now(), fs_per_ms));
        }
        card.advance(simulated.now());
    };
    account::LatencyWatch latencies(card, config.card.endpoint.ptc.tags);
    account::Meter meter(card, config.card);
    simulate(warmup);
    const time_fs from = simulated.now();
    meter.start(from);
    latencies.start(from);
    const Sums before = look(card, endpoints);
    simulate(from + duration);
    const Sums after = look(card, endpoints);
    const double seconds = static_cast<double>(simulated.now() - from) / static_cast<double>(fs_per_s);

    result.completions = difference(before.sent[Tx::completion], after.sent[Tx::completion], seconds);
    result.nonposted = difference(before.sent[Tx::nonposted], after.sent[Tx::nonposted], seconds);
    result.posted = difference(before.sent[Tx::posted], after.sent[Tx::posted], seconds);
    const std::uint64_t requests = after.received.requests - before.received.requests;
    result.received_wait_s =
        ratio(after.received.wait_fs - before.received.wait_fs, requests, 0) / static_cast<double>(fs_per_s);
    result.received_in_batch = ratio(requests, after.received.batches - before.received.batches, 1);
    const std::vector<account::EndpointCounts> all = meter.counts(simulated.now());
    LatencyHistogram whole;
    for (const std::uint32_t e : endpoints) {
        const account::EndpointCounts& counts = all[e];
        whole.add(latencies.endpoint(e).of(ReadLatencies::whole));
        result.useful_up += account::measured(counts, counts.up, seconds).useful;
        result.useful_down += account::measured(counts, counts.down, seconds).useful;
    }
    if (whole.count() != 0) result.mean_read_s = whole.mean_fs() / static_cast<double>(fs_per_s);
    return result;
}

}  // namespace tlmetry::trace
