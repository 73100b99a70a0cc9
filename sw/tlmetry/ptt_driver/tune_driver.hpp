// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/ptt/tune_events.hpp>
#include <tlmetry/ptt_driver/unit_bus.hpp>

#include <cstdint>
#include <string>

namespace tlmetry::ptt {

/// Driver of the tune half. Throws UserError when the unit stays busy.
class TuneDriver {
public:
    explicit TuneDriver(UnitBus& bus) : m_bus(bus) {}

    std::uint32_t level(TuneEvent event);
    void set_level(TuneEvent event, std::uint32_t level);

private:
    void wait();

    UnitBus& m_bus;
};

/// The event of that name. Throws UserError, beginning with `place`, for one that is not there.
TuneEvent tune_event_named(const std::string& name, const std::string& place);

/// A level as software writes it: 0 to 65535, of which everything above the highest level means that. Throws
/// UserError, beginning with `place`, for anything else.
std::uint32_t parse_level(const std::string& text, const std::string& place);

}  // namespace tlmetry::ptt
