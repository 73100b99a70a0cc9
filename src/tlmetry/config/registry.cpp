// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/config/registry.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>

#include <algorithm>
#include <stdexcept>

namespace tlmetry::config {
namespace {

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
