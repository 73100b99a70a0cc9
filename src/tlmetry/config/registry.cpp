// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/config/registry.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/config/text.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace tlmetry::config {
namespace {

constexpr std::string_view no_entries = "none";

/// Nothing unless each item of the list has an argument and a text.
std::optional<std::vector<Entry>> parse_entries(std::string_view list) {
    std::vector<Entry> entries;
    if (list == no_entries) return entries;
    for (const std::string_view item : split_list(list)) {
        const std::size_t blank = item.find_first_of(" \t");
        if (blank == item.npos) return {};
        entries.push_back({std::string(item.substr(0, blank)), std::string(trimmed(item.substr(blank))), {}});
    }
    return entries;
}

std::string print_entries(const std::vector<Entry>& entries) {
    std::string list;
    for (const Entry& entry : entries)
        list += (list.empty() ? "" : ", ") + entry.argument + " " + entry.text;
    return list.empty() ? std::string(no_entries) : list;
}

bool is_name(std::string_view name) {
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789_.";
    return !name.empty() && name.find_first_not_of(allowed) == name.npos && name.front() != '.' &&
           name.back() != '.';
}

}  // namespace

Registry::Section Registry::section(const std::string& name, const std::string& doc) {
    const auto same = [&](const SectionInfo& s) { return s.name == name; };
    if (std::none_of(m_sections.begin(), m_sections.end(), same)) m_sections.push_back({name, doc});
    return Section(*this, name);
}

Registry::Section& Registry::Section::add_entries(const std::string& key, std::vector<Entry>& entries,
                                                  std::string expected, std::string doc,
                                                  std::string explanation) {
    Parameter parameter;
    parameter.name = m_name + "." + key;
    parameter.doc = std::move(doc);
    parameter.explanation = std::move(explanation);
    parameter.expected = std::move(expected);
    parameter.default_text = print_entries(entries);
    parameter.entries = &entries;
    parameter.text = [&entries] { return print_entries(entries); };
    parameter.assign = [&entries](std::string_view text) {
        auto parsed = parse_entries(text);
        if (parsed) entries = std::move(*parsed);
        return parsed.has_value();
    };
    m_registry.add(std::move(parameter));
    return *this;
}

void Registry::add(Parameter parameter) {
    if (!is_name(parameter.name) || find(parameter.name)) {
        throw std::logic_error("parameter " + parameter.name + ": name taken or badly formed");
    }
    if (!parameter.assign(parameter.default_text) || parameter.text() != parameter.default_text) {
        throw std::logic_error("parameter " + parameter.name + ": default " + parameter.default_text +
                               " is not legal");
    }
    m_parameters.push_back(std::move(parameter));
}

void Registry::set(const Assignment& assignment) {
    if (add_to_entries(assignment)) return;
    const auto parameter = std::find_if(m_parameters.begin(), m_parameters.end(),
                                        [&](const Parameter& p) { return p.name == assignment.name; });
    if (parameter == m_parameters.end()) {
        throw UserError(assignment.place + ": no parameter has this name" + suggestion(assignment.name));
    }
    if (!parameter->assign(assignment.text)) {
        throw UserError(assignment.place + ": expected " + parameter->expected + ", found " +
                        found(assignment.text));
    }
    parameter->place = assignment.place;
    if (parameter->entries == nullptr) return;
    for (Entry& entry : *parameter->entries)
        entry.place = assignment.place + ": " + entry.argument;
}

/// Says whether `assignment` names an argument of a parameter with some.
bool Registry::add_to_entries(const Assignment& assignment) {
    const std::size_t blank = assignment.name.find_first_of(" \t");
    if (blank == assignment.name.npos) return false;
    const std::string name = assignment.name.substr(0, blank);
    const auto parameter = std::find_if(m_parameters.begin(), m_parameters.end(), [&](const Parameter& p) {
        return p.name == name && p.entries != nullptr;
    });
    if (parameter == m_parameters.end()) return false;
    const std::string argument(trimmed(assignment.name.substr(blank)));
    for (const std::string_view text : split_list(assignment.text))
        parameter->entries->push_back({argument, std::string(text), assignment.place});
    parameter->place = assignment.place;
    return true;
}

void Registry::set(const std::vector<Assignment>& assignments) {
    for (const Assignment& assignment : assignments) {
        set(assignment);
    }
}

const Parameter* Registry::find(std::string_view name) const {
    const auto parameter = std::find_if(m_parameters.begin(), m_parameters.end(),
                                        [&](const Parameter& p) { return p.name == name; });
    return parameter == m_parameters.end() ? nullptr : &*parameter;
}

std::string Registry::suggestion(std::string_view name) const {
    std::vector<std::string> names;
    for (const Parameter& parameter : m_parameters) {
        names.push_back(parameter.name);
    }
    const std::string best = closest(name, names);
    return best.empty() ? "" : ", did you mean " + best + "?";
}

}  // namespace tlmetry::config
