// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/config/describe.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>

#include <nlohmann/json.hpp>

namespace tlmetry::config {
namespace {

using Json = nlohmann::ordered_json;

std::string details(const Parameter& parameter) {
    std::string result = parameter.name + "\n" + wrapped(parameter.doc, "  ");
    result += wrapped("Value:   " + parameter.expected, "  ");
    result += wrapped("Default: " + parameter.default_text, "  ");
    if (!parameter.explanation.empty()) result += "\n" + wrapped(parameter.explanation, "  ");
    return result;
}

Json value_of(const Parameter& parameter, std::string_view text) {
    return parameter.json_literal ? Json::parse(text) : Json(text);
}

Json to_json(const Parameter& parameter) {
    const std::string text = parameter.text();
    if (!parameter.list) return value_of(parameter, text);
    Json values = Json::array();
    for (const std::string_view item : split_list(text)) {
        values.push_back(value_of(parameter, item));
    }
    return values;
}

}  // namespace

std::string help_text(const Registry& registry, std::string_view name) {
    if (const Parameter* parameter = registry.find(name)) return details(*parameter);

    std::string result;
    for (const Parameter& parameter : registry.parameters()) {
        if (parameter.name.compare(0, name.size(), name) != 0) continue;
        result += wrapped(parameter.name + " = " + parameter.default_text, "");
        result += wrapped(parameter.doc, "    ");
    }
    if (result.empty()) {
        throw UserError("help " + shortened(name) + ": no parameter has this name" +
                        registry.suggestion(name));
    }
    return result;
}

std::string list_sections(const Registry& registry) {
    std::string result;
    for (const Registry::SectionInfo& section : registry.sections()) {
        result += wrapped(section.name + ": " + section.doc, "      ").erase(0, 4);
    }
    return result;
}

std::string dump_json(const Registry& registry) {
    Json document = {{"schema", "tlmetry.config/1"}, {"parameters", Json::object()}};
    for (const Parameter& parameter : registry.parameters()) {
        document["parameters"][std::string(parameter.section())][std::string(parameter.key())] =
            to_json(parameter);
    }
    constexpr int indent = 4;
    // Texts may hold any bytes; those that are no UTF-8 are shown as the replacement character.
    return document.dump(indent, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tlmetry::config
