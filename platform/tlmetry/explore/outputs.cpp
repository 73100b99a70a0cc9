// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/outputs.hpp"

#include <tlmetry/account/account.hpp>
#include <tlmetry/app/run_verdict.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/explore/report_outputs.hpp>

#include <algorithm>
#include <cctype>

namespace tlmetry::explore {

namespace {

using account::DirectionCounts;
using account::EndpointCounts;
using endpoint::TagManager;
using page::number;

template <class T>
struct Field {
    const char* name;
    std::uint64_t T::*value;
    const char* unit;
    const char* description;
};

constexpr Field<DirectionCounts> direction_fields[] = {
    {"all_bytes", &DirectionCounts::all_bytes, "B", "on the lanes"},
    {"first_bytes", &DirectionCounts::first_bytes, "B", "of TLPs that came through"},
    {"repeated_bytes", &DirectionCounts::repeated_bytes, "B", "sent in vain"},
    {"dllp_bytes", &DirectionCounts::dllp_bytes, "B", "of DLLPs"},
    {"payload_bytes", &DirectionCounts::payload_bytes, "B", "payload sent"},
    {"useful_bytes", &DirectionCounts::useful_bytes, "B", "payload at its destination"},
    {"lost_bytes", &DirectionCounts::lost_bytes, "B", "payload lost behind the link"},
};

constexpr Field<EndpointCounts> count_fields[] = {
    {"reads", &EndpointCounts::reads, "", "reads sent to the link while it was measured"},
    {"read_bytes", &EndpointCounts::read_bytes, "B", "asked for by those reads"},
    {"writes", &EndpointCounts::writes, "", "writes sent to the link while it was measured"},
    {"completions", &EndpointCounts::completions, "", "sent by the host while it was measured"},
    {"reads_done", &EndpointCounts::reads_done, "", "reads that came back while it was measured"},
    {"reads_timed_out", &EndpointCounts::reads_timed_out, "", "reads given up while it was measured"},
    {"malformed", &EndpointCounts::malformed, "", "requests beyond MPS, MRRS or a 4 KiB boundary"},
    {"pcie_cycles", &EndpointCounts::cycles, "", "cycles of the PCIe clock while it was measured"},
};

struct WaitField {
    const char* name;
    TagManager::Wait wait;
    const char* description;
};
constexpr WaitField wait_fields[] = {
    {"waited_for_tags", TagManager::for_tags, "share of PCIe cycles in which no tag was free for a request"},
    {"waited_for_tag_ports", TagManager::for_ports,
     "share of PCIe cycles in which the tag FIFO showed too few tags"},
    {"waited_for_words", TagManager::for_space, "share of PCIe cycles without words of the storage FIFO"},
    {"waited_for_headers", TagManager::for_headers, "share of PCIe cycles without completion headers"},
    {"waited_for_link", TagManager::for_queue,
     "share of PCIe cycles in which requests waited for RQ or the link"},
    {"waited_for_payload", TagManager::for_payload,
     "share of PCIe cycles in which requests waited for payload"},
};

double per(std::uint64_t count, double whole) {
    return static_cast<double>(count) / whole;
}

void tell_direction(const std::string& prefix, const EndpointCounts& counts, const DirectionCounts& direction,
                    double seconds, const char* which, const Sink& sink) {
    const account::Cascade cascade = account::measured(counts, direction, seconds);
    const std::string of = std::string(" ") + which;
    sink({prefix + "useful_rate", "B/s", "payload at its destination a second," + of},
         number(cascade.useful));
    sink({prefix + "ceiling", "B/s", "raw rate of the link," + of}, number(cascade.ceiling));
    for (std::size_t f = 0; f < account::factors; ++f)
        sink({prefix + account::factor_names[f].symbol, "",
              std::string("factor ") + account::factor_names[f].name + "," + of},
             number(cascade.factor[f]));
    sink({prefix + "FA", "", "factor arrival," + of}, number(cascade.arrived));
}

void tell_counts(const std::string& prefix, const EndpointCounts& counts, double seconds, const Sink& sink) {
    const bool mostly_up = counts.up.useful_bytes > counts.down.useful_bytes;
    sink({prefix + "useful_rate", "B/s", "payload at its destination a second, both directions"},
         number(per(counts.up.useful_bytes + counts.down.useful_bytes, seconds)));
    sink({prefix + "request_rate", "/s", "reads and writes a second, as they are sent to the link"},
         number(per(counts.reads + counts.writes, seconds)));
    const account::Cascade most = account::measured(counts, mostly_up ? counts.up : counts.down, seconds);
    for (std::size_t f = 0; f < account::factors; ++f)
        sink({prefix + account::factor_names[f].symbol, "",
              std::string("factor ") + account::factor_names[f].name +
                  ", of the direction that carries more payload"},
             number(most.factor[f]));
    tell_direction(prefix + "up.", counts, counts.up, seconds, "towards the host", sink);
    tell_direction(prefix + "down.", counts, counts.down, seconds, "from the host", sink);
    for (const auto& field : direction_fields) {
        sink({prefix + "up." + field.name, field.unit, std::string(field.description) + ", towards the host"},
             number(static_cast<double>(counts.up.*field.value)));
        sink({prefix + "down." + field.name, field.unit, std::string(field.description) + ", from the host"},
             number(static_cast<double>(counts.down.*field.value)));
    }
    const double cycles = static_cast<double>(counts.cycles);
    for (const WaitField& field : wait_fields)
        sink({prefix + field.name, "", field.description},
             number(per(counts.grants.waited[field.wait], cycles)));
    sink({prefix + "tags_held", "", "tags in use on average"}, number(per(counts.grants.tag_cycles, cycles)));
    for (const auto& field : count_fields)
        sink({prefix + "measured." + field.name, field.unit, field.description},
             number(static_cast<double>(counts.*field.value)));
}

void tell_latencies(const std::vector<LatencyHistogram>& stages, const Sink& sink) {
    struct Percentile {
        const char* name;
        const char* percent;
        double value;
    };
    constexpr Percentile percentiles[] = {
        {"p50", "50", 50}, {"p90", "90", 90}, {"p99", "99", 99}, {"p99_9", "99.9", 99.9}};
    for (std::size_t s = 0; s < account::stage_names.size(); ++s) {
        const LatencyHistogram none;
        const LatencyHistogram& stage = stages.empty() ? none : stages[s];
        const auto seconds = [&](double fs) { return stage.count() == 0 ? Value() : number(fs / 1e15); };
        const std::string prefix = std::string("latency.") + account::stage_names[s].key + ".";
        const std::string of =
            std::string(" of reads, ") + account::stage_names[s].name +
            (s == endpoint::ReadLatencies::whole
                 ? " (from the request at the DMA port to its last data there, queues of a saturated source "
                   "included; latency.host has none of the card)"
                 : "");
        sink({prefix + "mean", "s", "mean latency" + of}, seconds(stage.mean_fs()));
        sink({prefix + "least", "s", "least latency" + of}, seconds(static_cast<double>(stage.least_fs())));
        sink({prefix + "most", "s", "greatest latency" + of}, seconds(static_cast<double>(stage.most_fs())));
        for (const Percentile& p : percentiles)
            sink({prefix + p.name, "s", "latency" + of + ", not exceeded by " + p.percent + " %"},
                 seconds(static_cast<double>(stage.percentile_fs(p.value))));
    }
}

void tell_verdict(const Measured& m, const account::Account& account, const Sink& sink) {
    const auto findings = app::run_verdict(account, m.outcome.telemetry, m.card.card);
    constexpr const char* places[] = {"first", "second", "third"};
    for (std::size_t i = 0; i < std::size(places); ++i) {
        const std::string prefix = std::string("verdict.") + places[i];
        const std::string what = std::string(places[i]) + " cause that held the transfer";
        const bool known = i < findings.size();
        const verdict::Cause* cause = known ? &verdict::cause(findings[i].cause) : nullptr;
        sink({prefix, "", what + " (docs/explain.md)"}, known ? Value(std::string(cause->id)) : Value());
        sink({prefix + ".share", "", "share of the " + what}, known ? number(findings[i].share) : Value());
        sink({prefix + ".owner", "", "whose matter it is, of the " + what},
             known ? Value(std::string(cause->owner)) : Value());
    }
}

void tell_prediction(const Measured& m, const Sink& sink) {
    const account::Account account =
        account::make_account(m.card, m.outcome.seconds, m.outcome.counts, &m.outcome.telemetry);
    double rate = 0;
    bool known = true;
    for (const account::Prediction& prediction : account.predictions) {
        known = known && prediction.known;
        rate += prediction.up.useful + prediction.down.useful;
    }
    sink({"predicted.useful_rate", "B/s", "useful rate by arithmetic from the configuration"},
         known ? number(rate) : Value());
    sink({"predicted.binds", "", "what binds by arithmetic"},
         std::string(account::binding(account.predictions.front())));
    sink({"predicted.idle_read", "s", "latency of a read on the idle card"}, number(account.idle.whole_s));
    sink({"predicted.idle_hold", "s", "from grant to release of a read on the idle card"},
         number(account.idle.hold_s));
}

/// The name with 0 for the numbers of things of which a card has several.
std::string general(const std::string& name) {
    std::string result;
    for (std::size_t i = 0; i < name.size();) {
        result += name[i++];
        const auto ends_with = [&](std::string_view word) {
            return result.size() >= word.size() &&
                   result.compare(result.size() - word.size(), word.size(), word) == 0;
        };
        const bool counted = ends_with("endpoint") || ends_with("dma") || ends_with("region") ||
                             ends_with("brake") || ends_with("histogram") || ends_with("band");
        if (!counted || i == name.size() || std::isdigit(static_cast<unsigned char>(name[i])) == 0) continue;
        while (i < name.size() && std::isdigit(static_cast<unsigned char>(name[i])) != 0)
            ++i;
        result += '0';
    }
    return result;
}

}  // namespace

void tell(const Measured& m, const std::function<bool(const std::string& kind)>& wanted, const Sink& sink) {
    const account::Outcome& outcome = m.outcome;
    if (!outcome.counts.empty()) {
        EndpointCounts total;
        for (const EndpointCounts& counts : outcome.counts)
            total += counts;
        tell_counts("", total, outcome.seconds, sink);
        const account::Confidence& confidence = outcome.confidence;
        const bool precise = confidence.batches != 0;
        sink({"useful_rate.error", "B/s",
              "to each side of the useful rate, 95 % confidence; of a measurement with explore.precision"},
             precise ? number(confidence.half_width) : Value());
        sink({"useful_rate.batches", "", "pieces of time that this comes from"},
             precise ? number(static_cast<double>(confidence.batches)) : Value());
        for (std::size_t e = 0; e < outcome.counts.size(); ++e)
            tell_counts("endpoint" + std::to_string(e) + ".", outcome.counts[e], outcome.seconds, sink);
        account::Account account;
        account.seconds = outcome.seconds;
        account.counts = outcome.counts;
        if (wanted("verdict")) tell_verdict(m, account, sink);
        if (wanted("predicted")) tell_prediction(m, sink);
        if (wanted("latency")) tell_latencies(outcome.latencies, sink);
    }
    sink({"seconds", "s", "simulated time that was measured"}, number(outcome.seconds));
    for (const account::Statistic& s : outcome.statistics)
        sink({s.name, s.unit, s.description + " (whole run)"}, number(static_cast<double>(s.value)));
    tell_report(outcome.telemetry, sink);
}

Picker::Picker(std::vector<std::string> names) : m_names(std::move(names)) {}

bool Picker::wants(const std::string& kind) const {
    return std::any_of(m_names.begin(), m_names.end(), [&](const std::string& name) {
        return name.compare(0, kind.size() + 1, kind + ".") == 0;
    });
}

std::vector<Value> Picker::pick(const Measured& measured) const {
    std::vector<Value> values(m_names.size());
    tell(
        measured, [&](const std::string& kind) { return wants(kind); },
        [&](const Output& output, Value value) {
            const auto at = std::find(m_names.begin(), m_names.end(), output.name);
            if (at != m_names.end())
                values[static_cast<std::size_t>(at - m_names.begin())] = std::move(value);
        });
    return values;
}

std::vector<Output> known_outputs(const app::RunParameters& parameters,
                                  const std::function<bool(const std::string& kind)>& wanted) {
    const device::SimulatedCard::Config card = parameters.card_config();
    const account::Outcome outcome = account::run_experiment(card, {0, fs_per_us, true});
    std::vector<Output> outputs;
    tell({parameters, card, outcome}, wanted,
         [&](const Output& output, const Value&) { outputs.push_back(output); });
    return outputs;
}

Output find_output(const std::vector<Output>& known, const std::string& name, const std::string& place) {
    const std::string wanted = general(name);
    std::vector<std::string> names;
    for (const Output& output : known) {
        if (output.name == name || general(output.name) == wanted)
            return {name, output.unit, output.description};
        names.push_back(output.name);
    }
    const std::string best = config::closest(name, names);
    throw UserError(place + ": expected outputs that tlmetry explore --list-outputs names, found " +
                    config::found(name) + (best.empty() ? "" : ", did you mean " + best + "?"));
}

}  // namespace tlmetry::explore
