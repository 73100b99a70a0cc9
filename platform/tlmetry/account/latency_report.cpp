// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/account/account.hpp"

#include <tlmetry/report/latency.hpp>

#include <nlohmann/json.hpp>

namespace tlmetry::account {

namespace {

using endpoint::ReadLatencies;
using Json = nlohmann::ordered_json;

std::string table(const std::vector<LatencyHistogram>& stages) {
    std::vector<report::NamedLatency> named;
    for (std::size_t s = 0; s < stages.size(); ++s)
        named.push_back({stage_names[s].name, &stages[s]});
    return report::latency_table(named);
}

Json json(const std::vector<LatencyHistogram>& stages) {
    Json result;
    for (std::size_t s = 0; s < stages.size(); ++s)
        result[stage_names[s].key] = report::latency_json(stages[s], true);
    return result;
}

}  // namespace

std::string latency_text(const std::vector<LatencyHistogram>& idle,
                         const std::vector<LatencyHistogram>& loaded) {
    const LatencyHistogram& whole = loaded[ReadLatencies::whole];
    if (whole.count() == 0) return "Latency of reads: no read was done in the measured time\n";
    std::string text = "Latency of reads, from the header on UP to the last completion on DOWN\n\n";
    const std::uint64_t alone = idle[ReadLatencies::whole].count();
    text += "One read under way at a time (" + std::to_string(alone) + " reads of the same traffic)\n" +
            (alone == 0 ? "none has come back in a second\n" : table(idle));
    text += "\nIn this run (" + std::to_string(whole.count()) + " reads)\n" + table(loaded);
    return text + "\nShare of the reads of this run by their whole latency\n" + report::latency_bars(whole);
}

std::string latency_json(const std::vector<LatencyHistogram>& idle,
                         const std::vector<LatencyHistogram>& loaded) {
    const Json document = {{"schema", "tlmetry.latency/1"}, {"idle", json(idle)}, {"loaded", json(loaded)}};
    return document.dump(4) + "\n";
}

}  // namespace tlmetry::account
