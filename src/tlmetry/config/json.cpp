// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/config/json.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/file.hpp>
#include <tlmetry/config/text.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace tlmetry::config {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json read_json_object(const std::string& kind, const std::string& path) {
    return parse_json_object(path, read_file(kind, path));
}

Json parse_json_object(const std::string& place, const std::string& text) {
    std::vector<std::set<std::string>> keys;  // of each object that is open
    const auto refuse_second = [&](int, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second) {
            throw UserError(place + ": key " + found(parsed.get<std::string>()) +
                            ": expected once, found a second time");
        }
        return true;
    };
    try {
        Json root = Json::parse(text, refuse_second);
        if (!root.is_object()) throw UserError(place + ": expected a JSON object, found " + root.type_name());
        return root;
    } catch (const Json::parse_error& error) {
        // The byte is the last one read, counted from 1; one more at the end of the text.
        const std::string_view before =
            std::string_view(text).substr(0, error.byte == 0 ? 0 : error.byte - 1);
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        throw UserError(place + ":" + std::to_string(line) + ": expected JSON, found an error at byte " +
                        std::to_string(before.size() - (before.rfind('\n') + 1) + 1) + " of the line");
    } catch (const Json::exception&) {
        throw UserError(place + ": expected JSON that can be read, found a number that is too large");
    }
}

}  // namespace tlmetry::config
