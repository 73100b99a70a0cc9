// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/tune_unit.hpp"

#include <tlmetry/ptt/registers.hpp>

#include <algorithm>
#include <cstddef>

namespace tlmetry::ptt {

std::optional<std::size_t> TuneUnit::selected() const {
    for (std::size_t e = 0; e < tune_events.size(); ++e)
        if (tune_events[e].code == m_ctrl) return e;
    return std::nullopt;
}

std::optional<std::uint32_t> TuneUnit::read(std::uint32_t offset) const {
    switch (offset) {
        case reg::tune_ctrl:
            return m_ctrl;
        case reg::tune_data: {
            const auto event = selected();
            return event ? m_levels[*event] : 0;
        }
        case reg::tune_int_stat:
            return 0;  // never busy: it answers at once
        default:
            return std::nullopt;
    }
}

void TuneUnit::write(std::uint32_t offset, std::uint32_t value) {
    if (offset == reg::tune_ctrl) m_ctrl = value;
    if (offset != reg::tune_data || value == reg::tune_read) return;
    const auto event = selected();
    if (!event) return;
    m_levels[*event] = std::min(value & reg::tune_level, highest_level);
    m_apply(m_levels);
}

}  // namespace tlmetry::ptt
