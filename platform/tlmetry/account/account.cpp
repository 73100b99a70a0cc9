// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/account/account.hpp"

#include <utility>

namespace tlmetry::account {

std::string Account::broken_identity() const {
    for (std::size_t e = 0; e < counts.size(); ++e) {
        for (const Identity& identity : identities(counts[e], seconds)) {
            if (!identity.holds)
                return "endpoint " + std::to_string(e) + ": " + identity.name + ": " + identity.numbers;
        }
    }
    return "";
}

Account make_account(const device::SimulatedCard::Config& config, double seconds,
                     std::vector<EndpointCounts> counts, const driver::Measurement* telemetry) {
    Account account;
    account.seconds = seconds;
    account.counts = std::move(counts);
    std::vector<RequestMix> mixes;
    for (std::uint32_t e = 0; e < account.counts.size(); ++e) {
        mixes.push_back(request_mix(config.card, config.generics, config.seed, e));
        if (telemetry != nullptr) account.tags_lowest.push_back(telemetry->endpoints[e].tags.lowest);
    }
    constexpr std::uint64_t enough_reads = 200;  // for their mean
    account.idle = idle_latency(config, enough_reads).read;
    account.predictions = predict(config.card, config.generics, config.clocks, mixes, account.idle, seconds);
    return account;
}

const char* binding(const Prediction& prediction) {
    return prediction.known ? name_of(prediction.binds) : "-";
}

const char* name_of(Limit limit) {
    switch (limit) {
        case Limit::link_up:
            return "link, up";
        case Limit::link_down:
            return "link, down";
        case Limit::tags:
            return "tags";
        case Limit::space:
            return "storage FIFO words";
        case Limit::headers:
            return "completion headers";
        case Limit::up_bus:
            return "UP buses";
        case Limit::rq_bus:
            return "RQ bus";
        case Limit::rc_bus:
            return "RC bus";
        case Limit::down_bus:
            return "DOWN buses";
        case Limit::output:
            return "storage FIFO output";
        case Limit::credits:
            return "credits of the host";
        case Limit::host:
            return "host memory";
        case Limit::demand:
            return "what is asked for";
    }
    return "";
}

}  // namespace tlmetry::account
