// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/generics_file.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/json.hpp>
#include <tlmetry/config/text.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace tlmetry::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* memory_key = "mem_init_ones";

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
        return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    });
    return text;
}

std::string upper_case(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) {
        return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    });
    return result;
}

void set_generic(config::Registry& registry, const std::string& path, const std::string& key,
                 const Json& value) {
    const std::string place = path + ": key " + config::found(key);
    if (!value.is_number_integer() && !value.is_string()) {
        throw UserError(place + ": expected an integer or a text, found " + value.type_name());
    }
    const std::string name = "telemetry." + lower_case(key);
    if (!registry.find(name)) {
        std::vector<std::string> generics;
        for (const config::Parameter& parameter : registry.parameters())
            generics.push_back(upper_case(parameter.key()));
        const std::string best = config::closest(upper_case(key), generics);
        throw UserError(place + ": no generic has this name" +
                        (best.empty() ? "" : ", did you mean " + best + "?"));
    }
    registry.set({name, value.is_string() ? value.get<std::string>() : value.dump(), place});
}

}  // namespace

void load_generics(config::Registry& registry, telemetry::Config& component, const std::string& path) {
    const Json root = config::read_json_object("generics file", path);
    const auto nested = root.find("generics");
    const Json& generics = nested == root.end() ? root : *nested;
    if (!generics.is_object()) {
        throw UserError(path + ": key 'generics': expected an object, found " + generics.type_name());
    }
    std::map<std::string, std::string> spellings;  // by the name in lower case
    for (const auto& [key, value] : generics.items()) {
        if (key == memory_key) continue;
        const auto [first, added] = spellings.emplace(lower_case(key), key);
        if (!added) {
            throw UserError(path + ": key " + config::found(key) + ": expected each generic once, found " +
                            config::found(first->second) + " too");
        }
        set_generic(registry, path, key, value);
    }
    if (const auto ones = root.find(memory_key); ones != root.end()) {
        if (!ones->is_boolean()) {
            throw UserError(path + ": key '" + memory_key + "': expected true or false, found " +
                            ones->type_name());
        }
        component.memory_starts_at_ones = ones->get<bool>();
    }
}

}  // namespace tlmetry::app
