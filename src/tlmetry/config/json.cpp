// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/config/json.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/file.hpp>
#include <tlmetry/config/text.hpp>

#include <nlohmann/json.hpp>

#include <set>
#include <vector>

namespace tlmetry::config {

using Json = nlohmann::ordered_json;

Json read_json_object(const std::string& kind, const std::string& path) {
    const std::string text = read_file(kind, path);
    std::vector<std::set<std::string>> keys;  // of each object that is open
    const auto refuse_second = [&](int, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second) {
            throw UserError(path + ": key " + found(parsed.get<std::string>()) +
                            ": expected once, found a second time");
        }
        return true;
    };
    try {
        Json root = Json::parse(text, refuse_second);
        if (!root.is_object()) throw UserError(path + ": expected a JSON object, found " + root.type_name());
        return root;
    } catch (const Json::parse_error& error) {
        throw UserError(path + ": expected JSON, found an error at byte " + std::to_string(error.byte));
    } catch (const Json::exception&) {
        throw UserError(path + ": expected JSON that can be read, found a number that is too large");
    }
}

}  // namespace tlmetry::config
