// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/account/account.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace tlmetry::account {

namespace {

using endpoint::TagManager;
using Json = nlohmann::ordered_json;

Json json(const Cascade& cascade) {
    Json factors;
    for (std::size_t f = 0; f < cascade.factor.size(); ++f)
        factors[factor_names[f].name] = cascade.factor[f];
    return {{"ceiling_bytes_per_s", cascade.ceiling},
            {"factors", factors},
            {"useful_bytes_per_s", cascade.useful}};
}

Json json(const EndpointCounts& counts, const DirectionCounts& d, const Cascade* predicted, double seconds) {
    Json result = {{"raw_bytes", counts.capacity.raw}, {"data_bytes", counts.capacity.data},
                   {"all_bytes", d.all_bytes},         {"first_bytes", d.first_bytes},
                   {"cpu_bytes", d.cpu_bytes},         {"repeated_bytes", d.repeated_bytes},
                   {"dllp_bytes", d.dllp_bytes},       {"payload_bytes", d.payload_bytes},
                   {"useful_bytes", d.useful_bytes},   {"under_way_bytes", d.under_way_bytes},
                   {"lost_bytes", d.lost_bytes}};
    const Cascade cascade = measured(counts, d, seconds);
    result["arrived"] = cascade.arrived;
    result["measured"] = json(cascade);
    if (predicted != nullptr) result["predicted"] = json(*predicted);
    return result;
}

Json json(const EndpointCounts& counts, const Prediction* prediction, double seconds) {
    const bool known = prediction != nullptr && prediction->known;
    Json result;
    result["up"] = json(counts, counts.up, known ? &prediction->up : nullptr, seconds);
    result["down"] = json(counts, counts.down, known ? &prediction->down : nullptr, seconds);
    const TagManager::Statistics& grants = counts.grants;
    result["grants"] = {{"pcie_cycles", counts.cycles},
                        {"granting", grants.groups},
                        {"waiting_for_tags", grants.waited[TagManager::for_tags]},
                        {"waiting_for_tag_fifo_ports", grants.waited[TagManager::for_ports]},
                        {"waiting_for_storage_words", grants.waited[TagManager::for_space]},
                        {"waiting_for_completion_headers", grants.waited[TagManager::for_headers]},
                        {"waiting_for_rq_and_link", grants.waited[TagManager::for_queue]},
                        {"waiting_for_payload", grants.waited[TagManager::for_payload]},
                        {"hold_cycles", grants.hold_cycles},
                        {"tag_cycles", grants.tag_cycles},
                        {"tags", counts.tags}};
    result["requests"] = {{"reads", counts.reads},           {"read_bytes", counts.read_bytes},
                          {"writes", counts.writes},         {"completions", counts.completions},
                          {"reads_done", counts.reads_done}, {"reads_timed_out", counts.reads_timed_out},
                          {"malformed", counts.malformed}};
    if (prediction == nullptr || !prediction->known) return result;
    Json limits = Json::object();
    for (std::size_t l = 0; l < prediction->rate.size(); ++l) {
        const double rate = prediction->rate[l];
        limits[name_of(static_cast<Limit>(l))] = std::isfinite(rate) ? Json(rate) : Json(nullptr);
    }
    result["limits_requests_per_s"] = limits;
    result["predicted_to_bind"] = binding(*prediction);
    return result;
}

}  // namespace

std::string account_json(const Account& account) {
    Json document = {{"schema", "tlmetry.account/1"},
                     {"seconds", account.seconds},
                     {"idle_tag_hold_s", account.idle.hold_s},
                     {"idle_read_s", account.idle.whole_s},
                     {"endpoints", Json::array()}};
    EndpointCounts total;
    for (std::size_t e = 0; e < account.counts.size(); ++e) {
        Json endpoint = {{"index", e}};
        endpoint.update(json(account.counts[e], &account.predictions[e], account.seconds));
        if (!account.tags_lowest.empty())
            endpoint["tags_in_use_most"] = account.counts[e].tags - account.tags_lowest[e];
        Json checks = Json::array();
        for (const Identity& identity : identities(account.counts[e], account.seconds))
            checks.push_back(
                {{"identity", identity.name}, {"numbers", identity.numbers}, {"holds", identity.holds}});
        endpoint["identities"] = checks;
        document["endpoints"].push_back(endpoint);
        total += account.counts[e];
    }
    document["total"] = json(total, nullptr, account.seconds);
    return document.dump(4) + "\n";
}

}  // namespace tlmetry::account
