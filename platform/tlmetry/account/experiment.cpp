// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/account/experiment.hpp"

#include <tlmetry/device/driver_bus.hpp>
#include <tlmetry/driver/telemetry.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace tlmetry::account {

namespace {

using endpoint::ReadLatencies;

constexpr time_fs idle_step = 100 * fs_per_us;
constexpr int most_idle_steps = 10'000;

std::vector<LatencyHistogram> all_stages(const LatencyWatch& watch) {
    std::vector<LatencyHistogram> result;
    for (std::size_t stage = 0; stage < ReadLatencies::stages; ++stage)
        result.push_back(watch.total(static_cast<ReadLatencies::Stage>(stage)));
    return result;
}

/// The traffic of the first port that reads, without writes and with one read under way at a time;
/// none if no port reads.
std::optional<generator::Config> reads_one_by_one(const device::SimulatedCard::Config& config) {
    for (std::uint32_t e = 0; e < config.generics.pcie_endpoints; ++e) {
        for (std::uint32_t p = 0; p < config.generics.dma_ports; ++p) {
            generator::Config port = card::port_traffic(config.card, config.generics, {e, p});
            const bool groups = port.mix == generator::Mix::groups;
            if (port.stop_fs == 0 ||
                (port.trace_file.empty() && (groups ? port.reads_per_group == 0 : port.read_ppm == 0)))
                continue;
            port.mix = generator::Mix::random;
            port.read_ppm = generator::million;
            port.rate = generator::Rate::saturate;
            port.burst_requests = 0;
            port.start_fs = 0;
            port.stop_fs = never;
            port.max_requests = 0;
            port.outstanding_max = 1;
            port.request_by_request = true;
            port.gap_fs = port.gap_fs_per_byte = 0;
            return port;
        }
    }
    return std::nullopt;
}

/// Sleeps in pieces, between which it asks whether to go on.
class InterruptibleClock : public device::DriverClock {
public:
    InterruptibleClock(device::SimulatedCard& card, const std::function<bool()>& go_on)
        : device::DriverClock(card), m_card(card), m_go_on(go_on) {}

    void sleep(double seconds) override {
        sleep_fs(static_cast<time_fs>(std::llround(seconds * static_cast<double>(fs_per_s))));
    }
    void sleep_fs(time_fs duration) {
        for (time_fs piece = 0; duration > 0; duration -= piece) {
            if (m_go_on && !m_go_on()) throw device::Interrupted("the experiment is ended");
            piece = std::min(duration, fs_per_ms);
            m_card.sleep(piece);
        }
    }

private:
    device::SimulatedCard& m_card;
    const std::function<bool()>& m_go_on;
};

/// Payload that has come to its destination, of all endpoints.
std::uint64_t useful_bytes(device::SimulatedCard& simulated) {
    card::Card& card = *simulated.card();
    card.advance(simulated.now());
    std::uint64_t bytes = 0;
    for (std::uint32_t e = 0; e < card.endpoints(); ++e)
        bytes += card.host().committed_bytes(e, simulated.now()) +
                 card.endpoint(e).down_stream().delivered_bytes();
    return bytes;
}

/// Lets time pass batch by batch until the rate is known well enough.
Confidence measure_precisely(device::SimulatedCard& simulated, const Method& method,
                             InterruptibleClock& clock) {
    const time_fs batch = std::max<time_fs>(1, method.duration_fs / time_fs{BatchMeans::least_batches});
    BatchMeans means(static_cast<double>(batch) / static_cast<double>(fs_per_s));
    time_fs passed = 0;
    for (std::uint64_t before = useful_bytes(simulated); passed + batch <= method.longest_fs;) {
        clock.sleep_fs(batch);
        passed += batch;
        const std::uint64_t now = useful_bytes(simulated);
        means.add(static_cast<double>(now - before));
        before = now;
        if (passed >= method.duration_fs && means.within(method.precision)) break;
    }
    return means.confidence();
}

}  // namespace

LatencyWatch::LatencyWatch(card::Card& card, std::uint32_t tags) {
    for (std::uint32_t e = 0; e < card.endpoints(); ++e)
        card.watch(e, &m_endpoints.emplace_back(tags));
}

void LatencyWatch::start(time_fs from) {
    for (ReadLatencies& latencies : m_endpoints)
        latencies.start(from);
}

LatencyHistogram LatencyWatch::total(ReadLatencies::Stage stage) const {
    LatencyHistogram sum;
    for (const ReadLatencies& latencies : m_endpoints)
        sum.add(latencies.of(stage));
    return sum;
}

Outcome run_experiment(const device::SimulatedCard::Config& config, const Method& method,
                       const std::function<bool()>& go_on) {
    device::SimulatedCard simulated(config);
    card::Card* const card = simulated.card();
    std::unique_ptr<LatencyWatch> watch;
    if (method.latencies && card != nullptr)
        watch = std::make_unique<LatencyWatch>(*card, config.card.endpoint.ptc.tags);
    InterruptibleClock clock(simulated, go_on);
    clock.sleep_fs(method.warmup_fs);
    device::DriverBus bus(simulated, "simulated telemetry");
    driver::Telemetry driver(bus, clock);
    const time_fs from = simulated.now();
    std::optional<Meter> meter;
    if (card != nullptr) {
        card->advance(from);
        meter.emplace(*card, config.card).start(from);
    }
    if (watch != nullptr) watch->start(from);

    Outcome outcome;
    driver.clear_flags();
    driver.clear_marks();
    driver::Recording recording{driver.snapshot(), {}};
    if (method.precision == 0 || card == nullptr) {
        clock.sleep_fs(method.duration_fs);
    } else {
        outcome.confidence = measure_precisely(simulated, method, clock);
    }
    recording.second = driver.snapshot();
    const time_fs to = simulated.now();
    outcome.seconds = static_cast<double>(to - from) / static_cast<double>(fs_per_s);
    if (card != nullptr) {
        card->advance(to);
        outcome.counts = meter->counts(to);
    }
    outcome.telemetry = driver::evaluate(driver.layout(), recording);
    if (watch != nullptr) outcome.latencies = all_stages(*watch);
    outcome.statistics = statistics(simulated.component(), card);
    return outcome;
}

IdleLatency idle_latency(const device::SimulatedCard::Config& config, std::uint64_t reads) {
    IdleLatency result;
    result.stages.resize(ReadLatencies::stages);
    const std::optional<generator::Config> traffic = reads_one_by_one(config);
    if (!traffic) return result;
    device::SimulatedCard::Config idle = config;
    idle.card.timeline.clear();
    // Alone it would wait for each time-out of a watermark, which other requests reach under load.
    idle.card.endpoint.tuning = {};
    idle.card.endpoint.cpu = {};
    idle.card.host.lost_ppb = 0;
    idle.card.host.lost_reads.clear();
    idle.generics.pcie_endpoints = 1;
    idle.clocks.pcie.resize(1);
    idle.card.traffic.assign(config.generics.dma_ports, *traffic);
    for (std::uint32_t p = 1; p < config.generics.dma_ports; ++p)
        idle.card.traffic[p].stop_fs = 0;
    device::SimulatedCard simulated(idle);
    card::Card& card = *simulated.card();
    LatencyWatch watch(card, idle.card.endpoint.ptc.tags);
    watch.start(idle_step);  // behind the reset, which the first read waits for
    const auto& statistics = card.endpoint(0).statistics();
    for (int step = 0; step < most_idle_steps && statistics.reads_done < reads; ++step) {
        simulated.sleep(idle_step);
        card.advance(simulated.now());
    }
    result.stages = all_stages(watch);
    const auto grants = card.endpoint(0).tag_manager().statistics(0);
    const double done = std::max<double>(1, static_cast<double>(statistics.reads_done));
    result.read.hold_s = static_cast<double>(grants.hold_cycles) / done *
                         static_cast<double>(idle.clocks.pcie.front().period_fs()) / 1e15;
    result.read.whole_s = result.stages[ReadLatencies::whole].mean_fs() / 1e15;
    // None has come back: it takes longer than this.
    if (statistics.reads_done == 0)
        result.read.hold_s = result.read.whole_s = static_cast<double>(simulated.now()) / 1e15;
    return result;
}

}  // namespace tlmetry::account
