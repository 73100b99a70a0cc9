// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/report/shares.hpp>
#include <tlmetry/verdict/explanation.hpp>
#include <tlmetry/verdict/reasons.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tlmetry::verdict {
namespace {

using report::Shares;

using Json = nlohmann::ordered_json;

Json bounds(const std::optional<Bounds>& value) {
    if (!value) return nullptr;
    return {{"low", value->low}, {"high", value->high}};
}

Json speed(const std::optional<LinkSpeed>& value) {
    if (!value) return nullptr;
    return {{"generation", value->generation},
            {"lanes", value->lanes},
            {"line_gbytes", value->line_gbytes()},
            {"data_gbytes", value->data_gbytes()}};
}

Json doubts(const Explanation& e) {
    Json result = Json::array();
    for (const Doubt& doubt : e.doubts)
        result.push_back({{"id", doubt.id},
                          {"wrong", doubt.wrong},
                          {"endpoint", doubt.endpoint ? Json(*doubt.endpoint) : Json()},
                          {"sentence", doubt.sentence}});
    return result;
}

Json bus(const BusUse& use, const std::optional<double>& seconds) {
    const Shares shares = Shares::with_rest({use.busy, use.stalled}, 1);
    const auto filled = use.filled();
    const auto percent = [&](double value) { return use.cycles > 0 ? Json(value) : Json(); };
    return {{"name", use.counts->name},
            {"busy_percent", percent(shares[0])},
            {"held_percent", percent(shares[1])},
            {"idle_percent", percent(shares[2])},
            {"mvb_held_percent", use.counts->has_mvb ? percent(100 * use.mvb_held) : Json()},
            {"filled_percent", bounds(filled ? std::optional<Bounds>(*filled * 100) : std::nullopt)},
            {"frames_per_s", seconds ? Json(use.frames / *seconds) : Json()},
            {"bytes_per_s", seconds ? bounds(use.bytes * (1 / *seconds)) : Json()},
            {"frame_bytes", bounds(use.frame_bytes())},
            {"narrower_than_probe", use.narrow}};
}

Json reasons(const Evidence& e) {
    Json result = Json::array();
    for (std::size_t i = 0; i < e.counts.reasons.size(); ++i)
        result.push_back({{"name", reason_text(i).name},
                          {"percent", e.counts.pcie_cycles == 0 ? Json() : Json(100 * e.reason(i))},
                          {"meaning", reason_text(i).meaning}});
    return result;
}

Json resources(const Evidence& e) {
    const driver::Layout& layout = e.measurement.layout;
    Json result = Json::array();
    for (std::size_t i = 0; i < std::min(e.counts.histograms.size(), resource_names.size()); ++i) {
        const driver::Level level = i == 0 ? e.counts.tags : e.counts.stfifo;
        const std::vector<std::uint64_t>& counted = e.counts.histograms[i].bands;
        const Shares shares = Shares::of_sum({counted.begin(), counted.end()});
        Json bands = Json::array();
        for (std::size_t band = 0; band < shares.size(); ++band)
            bands.push_back(shares[band]);
        result.push_back({{"name", resource_names[i]},
                          {"capacity", i == 0 ? layout.tag_capacity : layout.stfifo_capacity},
                          {"free", level.now},
                          {"lowest_free", level.lowest},
                          {"bands_percent", std::move(bands)},
                          {"reading", resource_reading(e, i)}});
    }
    return result;
}

Json direction(const std::optional<LinkUse>& use, const std::optional<Bounds>& header_efficiency) {
    Json link;
    if (use) {
        const Shares shares = Shares::of_sum({use->encoding, use->headers, use->payload, use->rest});
        link = {{"line_gbytes", use->line_gbytes},      {"payload_gbytes", use->payload_gbytes},
                {"encoding_percent", shares[0]},        {"headers_percent", shares[1]},
                {"payload_percent", shares[2]},         {"rest_percent", shares[3]},
                {"encoding_factor", 1 - use->encoding}, {"rest_factor", use->used()}};
    }
    return {{"header_factor", bounds(header_efficiency)}, {"link", std::move(link)}};
}

Json endpoint(const Evidence& e) {
    Json buses = Json::array();
    for (const BusUse& use : e.buses)
        buses.push_back(bus(use, e.measurement.seconds));
    const std::optional<double> seconds = e.measurement.seconds;
    const auto hertz = [&](std::uint64_t cycles) {
        return seconds ? Json(static_cast<double>(cycles) / *seconds) : Json();
    };
    return {{"index", e.index},
            {"link_up", e.counts.link_up},
            {"pcie_clock_hz", hertz(e.counts.pcie_cycles)},
            {"dma_clock_hz", hertz(e.counts.dma_cycles)},
            {"buses", std::move(buses)},
            {"reads", e.reads},
            {"writes", e.writes},
            {"completions", e.completions},
            {"reasons", reasons(e)},
            {"resources", resources(e)},
            {"tags_used", bounds(e.tags_used)},
            {"read_round_trip_s", bounds(e.read_round_trip_s)},
            {"towards_host", direction(e.up, e.up_header_efficiency)},
            {"from_host", direction(e.down, e.down_header_efficiency)},
            {"window_factor", bounds(e.window)}};
}

}  // namespace

nlohmann::ordered_json verdict_json(const std::vector<Finding>& verdict) {
    Json result = Json::array();
    for (const Finding& finding : verdict) {
        const Cause& known = cause(finding.cause);
        result.push_back({{"cause", known.id},
                          {"name", known.name},
                          {"endpoint", finding.endpoint},
                          {"share_percent", 100 * finding.share},
                          {"share_of", finding.share_of},
                          {"owner", known.owner},
                          {"evidence", finding.evidence},
                          {"remedy", known.remedy},
                          {"parameter", known.parameter}});
    }
    return result;
}

std::string format_json(const Explanation& e) {
    Json result;
    result["schema"] = "tlmetry.explanation/1";
    result["seconds"] = e.measurement.seconds ? Json(*e.measurement.seconds) : Json();
    result["link"] = {{"trained", speed(e.facts.trained)},
                      {"capable", speed(e.facts.capable)},
                      {"request_overhead_bytes", e.facts.request_overhead()},
                      {"completion_overhead_bytes", e.facts.completion_overhead()}};
    result["trusted"] = e.trusted();
    result["sanity"] = doubts(e);
    result["verdict"] = verdict_json(e.verdict);
    result["endpoints"] = Json::array();
    for (const Evidence& evidence : e.endpoints)
        result["endpoints"].push_back(endpoint(evidence));
    result["limits"] = limits();
    return result.dump(4) + "\n";
}

}  // namespace tlmetry::verdict
