// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/results_reader.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/page/table.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace tlmetry::explore {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* schema = "tlmetry.explore/1";

UserError refusal(const std::string& file, const std::string& found) {
    return UserError("results " + file + ": expected JSON of the schema " + schema + ", found " + found);
}

ResultsHead head_of(const Json& json, const std::string& file) {
    if (!json.contains("schema") || json["schema"] != schema) {
        throw refusal(file, json.contains("schema") && json["schema"].is_string()
                                ? config::found(json["schema"].get<std::string>())
                                : "another document");
    }
    ResultsHead head{file, json.at("bases").get<std::vector<std::string>>(), {}, {}, {}};
    for (const Json& axis : json.at("axes"))
        for (const Json& parameter : axis.at("parameters"))
            head.parameters.push_back(parameter.at("name").get<std::string>());
    for (const Json& parameter : json.at("parameters"))
        head.settings.emplace_back(parameter.at("name").get<std::string>(),
                                   parameter.at("value").get<std::string>());
    for (const Json& output : json.at("outputs"))
        head.outputs.push_back({output.at("name").get<std::string>(), output.at("unit").get<std::string>(),
                                output.at("description").get<std::string>()});
    return head;
}

ResultsPoint point_of(const Json& json, const ResultsHead& head) {
    ResultsPoint point;
    point.index = json.at("point").get<std::uint64_t>();
    point.base = json.at("base").get<std::uint64_t>();
    point.values = json.at("values").get<std::vector<std::string>>();
    for (const Json& value : json.at("outputs"))
        point.outputs.push_back(page::cell_of(value));
    if (!json.at("error").is_null()) point.error = json.at("error").get<std::string>();
    if (point.base >= head.bases.size() || point.values.size() != head.parameters.size() ||
        point.outputs.size() != head.outputs.size())
        throw refusal(head.file, "a point that does not fit its head");
    return point;
}

}  // namespace

ResultsHead read_results(const std::string& path, const std::function<void(const ResultsHead&)>& begin,
                         const std::function<void(const ResultsPoint&)>& visit) {
    const std::string file = std::filesystem::is_directory(path) ? path + "/results.json" : path;
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw UserError("results: expected a folder of tlmetry explore or its results.json, found " +
                        config::found(path) +
                        (file == path ? ", which cannot be read" : " without a results.json"));
    // Points come last in the file, and are not kept.
    Json head_json = Json::object();
    std::string key;
    ResultsHead head;
    bool begun = false;
    const auto take = [&](int depth, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::key && depth == 1) key = parsed.get<std::string>();
        if (key != "points") {
            if (depth == 1 && event != Json::parse_event_t::key &&
                event != Json::parse_event_t::object_start && event != Json::parse_event_t::array_start)
                head_json[key] = parsed;
            return true;
        }
        if (!begun) {
            head = head_of(head_json, file);
            begin(head);
            begun = true;
        }
        if (event != Json::parse_event_t::object_end || depth != 2) return true;
        visit(point_of(parsed, head));
        return false;
    };
    try {
        const Json rest = Json::parse(stream, take);
        if (!begun) throw refusal(file, rest.is_object() ? "a document without points" : "another document");
    } catch (const Json::exception&) {
        throw refusal(file, "something else");
    }
    return head;
}

}  // namespace tlmetry::explore
