// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt_driver/trace_targets.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/kind.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/ptt/registers.hpp>
#include <tlmetry/ptt/trace_config.hpp>
#include <tlmetry/tlp/text.hpp>

#include <algorithm>
#include <cstdio>

namespace tlmetry::ptt {

namespace {

constexpr std::uint32_t filter_mask = 0xfffff;
constexpr std::uint32_t reserved = 7u << 16;
constexpr std::uint32_t target_mask = 0xffff;

std::string hex(std::uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%05x", value);
    return text;
}

}  // namespace

std::string TraceTargets::Target::name() const {
    return "0000:" + tlp::format_bdf(bdf);
}

std::uint32_t TraceTargets::Target::filter() const {
    return root_port ? TraceConfig::root_ports | reg::root_port_bit(bdf) : bdf;
}

void TraceTargets::plug(const Target& target) {
    unplug(target.bdf);
    const auto before = [](const Target& a, const Target& b) {
        return a.root_port != b.root_port ? a.root_port : a.bdf < b.bdf;
    };
    m_targets.insert(std::upper_bound(m_targets.begin(), m_targets.end(), target, before), target);
}

void TraceTargets::unplug(std::uint16_t bdf) {
    m_targets.erase(std::remove_if(m_targets.begin(), m_targets.end(),
                                   [bdf](const Target& target) { return target.bdf == bdf; }),
                    m_targets.end());
}

std::string TraceTargets::names() const {
    std::string text;
    for (const Target& target : m_targets)
        text += (text.empty() ? "" : ", ") + target.name() + " (" + hex(target.filter()) + ")";
    return text.empty() ? "none" : text;
}

std::uint32_t TraceTargets::parse(const std::string& text, const std::string& place) const {
    if (const auto number = parse_unsigned(text)) {
        if (*number <= filter_mask) return static_cast<std::uint32_t>(*number);
        throw UserError(place + ": expected a number of 20 bits, found " + config::found(text));
    }
    std::uint32_t filter = 0;
    const std::vector<std::string_view> names_given = config::split_list(text);
    for (const std::string_view name : names_given) {
        const auto bdf = tlp::parse_bdf(name);
        const auto found = !bdf ? m_targets.end()
                                : std::find_if(m_targets.begin(), m_targets.end(),
                                               [&](const Target& target) { return target.bdf == *bdf; });
        if (found == m_targets.end())
            throw UserError(place + ": expected a number, or names out of " + names() + ", found " +
                            config::found(name));
        if (!found->root_port && names_given.size() != 1)
            throw UserError(place + ": expected one requester, or root ports only, found " +
                            config::found(text));
        filter |= found->filter();
    }
    return filter;
}

void TraceTargets::validate(std::uint32_t filter, const std::string& place) const {
    const auto refuse = [&](const std::string& expected) {
        throw UserError(place + ": expected " + expected + ", found " + hex(filter));
    };
    if (filter > filter_mask || (filter & reserved) != 0) refuse("20 bits without 0x70000");
    std::uint32_t ports = 0;
    bool requester = false;
    for (const Target& target : m_targets) {
        if (target.root_port)
            ports |= target.filter() & target_mask;
        else
            requester = requester || target.filter() == filter;
    }
    if ((filter & TraceConfig::root_ports) != 0) {
        if ((filter & target_mask & ~ports) != 0)
            refuse("bits of the root ports that are there, " + hex(TraceConfig::root_ports | ports));
    } else if (!requester) {
        refuse("one of " + names());
    }
}

}  // namespace tlmetry::ptt
