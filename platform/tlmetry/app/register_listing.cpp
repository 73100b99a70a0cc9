// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/register_listing.hpp"

#include <tlmetry/config/text.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace tlmetry::app {

namespace {

using Json = nlohmann::ordered_json;

std::string hex(std::uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%04x", value);
    return text;
}

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text;
}

std::string bits(const regs::Field& field) {
    const std::string low = std::to_string(field.lsb);
    return "[" + (field.width == 1 ? low : std::to_string(field.lsb + field.width - 1) + ":" + low) + "]";
}

/// A text in lines that fit, in a column of its own beside the other columns.
std::string beside(const std::string& columns, const std::string& text) {
    return config::wrapped(text, std::string(columns.size(), ' ')).replace(0, columns.size(), columns);
}

constexpr std::size_t offset_width = 15;
constexpr std::size_t access_width = 4;
constexpr std::size_t name_width = 15;

}  // namespace

std::string list_registers() {
    std::string text;
    for (const regs::Register& reg : regs::telemetry_table) {
        const std::string last = reg.count > 1 ? "-" + hex(reg.end() - reg.stride) : "";
        text += beside(padded(hex(reg.offset) + last, offset_width) +
                           padded(std::string(access_name(reg.access)), access_width) +
                           padded(std::string(reg.name), name_width),
                       std::string(reg.doc) + "; " + std::string(reg.value));
        for (const regs::Field& field : reg.fields) {
            text += beside(std::string(offset_width + access_width, ' ') +
                               padded("  " + bits(field), name_width) +
                               padded(std::string(field.name), name_width),
                           std::string(field.doc));
        }
    }
    return text;
}

std::string list_registers_json() {
    Json registers = Json::array();
    for (const regs::Register& reg : regs::telemetry_table) {
        Json fields = Json::array();
        for (const regs::Field& field : reg.fields) {
            fields.push_back({{"name", field.name},
                              {"lsb", field.lsb},
                              {"width", field.width},
                              {"description", field.doc}});
        }
        registers.push_back({{"name", reg.name},
                             {"offset", hex(reg.offset)},
                             {"access", access_name(reg.access)},
                             {"count", reg.count},
                             {"stride", reg.stride},
                             {"value", reg.value},
                             {"description", reg.doc},
                             {"fields", std::move(fields)}});
    }
    constexpr int indent = 4;
    return Json{{"schema", "tlmetry.register_map/1"}, {"registers", std::move(registers)}}.dump(indent) +
           "\n";
}

}  // namespace tlmetry::app
