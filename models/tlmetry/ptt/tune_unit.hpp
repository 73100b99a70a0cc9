// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/ptt/tune_events.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace tlmetry::ptt {

/// The tune half of the unit: levels of TuneEvents, which software reads and writes one by one.
class TuneUnit {
public:
    using Levels = std::array<std::uint32_t, tune_events.size()>;  ///< by TuneEvent
    /// Called with all levels when one has been written.
    using Apply = std::function<void(const Levels& levels)>;

    TuneUnit(const Levels& levels, Apply apply) : m_levels(levels), m_apply(std::move(apply)) {}

    /// Nothing for a register of another part of the unit.
    std::optional<std::uint32_t> read(std::uint32_t offset) const;
    void write(std::uint32_t offset, std::uint32_t value);

    const Levels& levels() const { return m_levels; }

private:
    std::optional<std::size_t> selected() const;

    Levels m_levels;
    Apply m_apply;
    std::uint32_t m_ctrl = 0;
};

}  // namespace tlmetry::ptt
