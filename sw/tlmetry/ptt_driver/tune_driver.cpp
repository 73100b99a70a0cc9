// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt_driver/tune_driver.hpp"

#include <tlmetry/base/alternatives.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/ptt/registers.hpp>

#include <algorithm>
#include <vector>

namespace tlmetry::ptt {

namespace {

constexpr std::uint64_t most = 0xffff;

std::uint32_t code_of(TuneEvent event) {
    return tune_events[static_cast<std::size_t>(event)].code;
}

}  // namespace

std::uint32_t TuneDriver::level(TuneEvent event) {
    m_bus.write32(reg::tune_ctrl, code_of(event));
    m_bus.write32(reg::tune_data, reg::tune_read);
    wait();
    return m_bus.read32(reg::tune_data) & reg::tune_level;
}

void TuneDriver::set_level(TuneEvent event, std::uint32_t level) {
    m_bus.write32(reg::tune_ctrl, code_of(event));
    m_bus.write32(reg::tune_data, std::min(level, highest_level));
    wait();
}

void TuneDriver::wait() {
    for (int i = 0; i < patience; ++i)
        if ((m_bus.read32(reg::tune_int_stat) & reg::tune_busy) == 0) return;
    throw UserError("tune unit: expected it to finish, found it busy");
}

TuneEvent tune_event_named(const std::string& name, const std::string& place) {
    std::vector<std::string> names;
    for (std::size_t e = 0; e < tune_events.size(); ++e) {
        if (name == tune_events[e].name) return static_cast<TuneEvent>(e);
        names.emplace_back(tune_events[e].name);
    }
    throw UserError(place + ": expected " + alternatives(names) + ", found " + config::found(name));
}

std::uint32_t parse_level(const std::string& text, const std::string& place) {
    const auto level = parse_unsigned(text);
    if (!level || *level > most)
        throw UserError(place + ": expected a level from 0 to 65535 (2 and more are the highest), found " +
                        config::found(text));
    return std::min(static_cast<std::uint32_t>(*level), highest_level);
}

}  // namespace tlmetry::ptt
