// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/characterize/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tlmetry::characterize {

namespace {

constexpr double giga = 1e9;

// Requests that a measurement has at least, of one endpoint, if they come in time.
constexpr double enough_requests = 10'000;
constexpr time_fs least_time = 50 * fs_per_us;
constexpr time_fs longest = 50 * fs_per_ms;
// How often everything that can be under way is renewed before the state is taken for steady.
constexpr double renewals = 4;

// Of which the average request is made.
constexpr std::size_t some_operations = 100;
constexpr std::size_t many_requests = 100'000;

time_fs bounded(double seconds, time_fs least) {
    const double most = static_cast<double>(longest);
    return std::max(least, static_cast<time_fs>(std::min(most, seconds * 1e15)));
}

/// As many reads as writes if there are both, and only whole ones.
std::size_t some_requests(const Card& card) {
    const generator::Config& traffic = card.card.traffic.front();
    const auto pieces = [](std::uint32_t bytes, std::uint32_t most) { return (bytes + most - 1) / most; };
    return some_operations * (pieces(traffic.read_size.bytes, card.card.link.mrrs_bytes) +
                              pieces(traffic.write_size.bytes, card.card.link.mps_bytes));
}

double rate(std::uint64_t bytes, double seconds) {
    return static_cast<double>(bytes) / seconds / giga;
}

}  // namespace

double Measurement::read_gbytes() const {
    return rate(counts.down.useful_bytes, seconds);
}

double Measurement::write_gbytes() const {
    return rate(counts.up.useful_bytes, seconds);
}

double Measurement::requests_per_s() const {
    return static_cast<double>(counts.reads + counts.writes) / seconds;
}

double Measurement::header_bound_gbytes() const {
    const account::RequestMix& mix = prediction.mix;
    const double bytes_per_s = prediction.up.ceiling * prediction.up[account::Factor::encoding];
    const double requests = bytes_per_s / std::max(mix.up_bytes, mix.down_bytes);
    return endpoints * requests * (mix.write_payload + mix.read_payload) / giga;
}

double Measurement::percent_of_header_bound() const {
    return 100 * gbytes() / header_bound_gbytes();
}

double Measurement::predicted_gbytes() const {
    return endpoints * (prediction.up.useful + prediction.down.useful) / giga;
}

double Measurement::per_request(std::uint64_t host::Statistics::*count) const {
    return static_cast<double>(counts.host.*count) /
           static_cast<double>(counts.host.reads + counts.host.writes);
}

Measurement measure(const Point& point) {
    const Card& card = point.card;
    Measurement result;
    result.endpoints = card.generics.pcie_endpoints;
    std::vector<account::RequestMix> mixes;
    for (std::uint32_t e = 0; e < result.endpoints; ++e) {
        mixes.push_back(
            point.equal_requests && e != 0
                ? mixes.front()
                : account::request_mix(card.card, card.generics, card.seed, e,
                                       point.equal_requests ? some_requests(card) : many_requests));
    }
    result.idle = account::idle_latency(card);
    const std::vector<account::Prediction> predictions =
        account::predict(card.card, card.generics, card.clocks, mixes, result.idle.read,
                         std::numeric_limits<double>::infinity());
    result.prediction = predictions.front();

    const endpoint::Ptc& ptc = card.card.endpoint.ptc;
    const double request_s = 1 / result.prediction.requests_per_s;
    const double filled_s = result.idle.read.whole_s + request_s * (ptc.tags + ptc.header_queue);
    const time_fs warmup = bounded(renewals * filled_s, least_time);
    const time_fs duration = bounded(enough_requests * request_s, least_time);
    account::Outcome outcome = account::run_experiment(card, {warmup, duration, point.latencies});
    result.seconds = outcome.seconds;
    result.counts = outcome.counts.front();
    for (std::size_t e = 1; e < outcome.counts.size(); ++e)
        result.counts += outcome.counts[e];
    result.latencies = std::move(outcome.latencies);
    return result;
}

}  // namespace tlmetry::characterize
