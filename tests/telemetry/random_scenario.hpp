// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "reference/ticking_config.hpp"

#include <tlmetry/base/random.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/telemetry/config.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::testing {

/// One clock of a scenario: edges at first, first + period, ...
struct ScenarioClock {
    time_fs period = 0;
    time_fs first = 0;
};

/// A change of a reset pin; edges at the same time still see the old level.
struct ResetEvent {
    time_fs time = 0;
    std::uint32_t line = 0;  ///< 0 MI, 1 DMA, 2 + e PCIe of endpoint e
    bool level = false;
};

/// What a scenario is after.
enum class Style {
    mixed,    ///< all that can meet in a short time
    quiet,    ///< little moves, drains are long, and software looks once in many drains
    crowded,  ///< many endpoints, more than the accumulator can serve
};

/// Everything that happens to the pins of one telemetry component: configuration, clocks, resets and how the
/// pins move. All of it follows from the seed. Pins hold garbage as often as legal frames.
class Scenario {
public:
    explicit Scenario(std::uint64_t seed);

    Style style = Style::mixed;
    telemetry::Config config;
    ScenarioClock mi;
    ScenarioClock dma;
    std::vector<ScenarioClock> pcie;
    std::vector<ResetEvent> resets;  ///< in time order
    time_fs end = 0;
    std::string description;

    /// Pins after the edges so far; write them into the models after next_*() has said that they changed.
    std::vector<PciePins> pcie_pins;
    std::vector<DmaPins> dma_pins;
    MiPins mi_pins;  ///< as the next MI edge samples them

    /// Moves the pins of a clock behind one of its edges. True if something changed.
    bool after_pcie_edge(std::uint32_t endpoint);
    bool after_dma_edge();
    void after_mi_edge();

private:
    /// Phases of activity of one group of pins: how often it moves, and for how many cycles that lasts.
    struct Mood {
        Random random;
        std::uint32_t change_share = 0;  // of 256
        std::int64_t cycles_left = 0;
    };

    void choose_config(Random& random);
    void choose_clocks(Random& random);
    void choose_drain(Random& random);
    void choose_end(Random& random);
    void choose_resets(Random& random);
    bool moves(Mood& mood);
    std::int64_t pause_of_software(Random& random) const;
    ScenarioClock slowest_probe() const;
    ScenarioClock fastest_probe() const;
    void move_bus(Random& random, BusPins& bus, std::uint32_t regions, std::uint32_t eof_pos_width, bool mvb);

    std::vector<Mood> m_pcie_moods;
    std::vector<Mood> m_dma_moods;
    Random m_mi_random;
    std::uint32_t m_mi_style = 0;
    std::int64_t m_mi_pause = 0;
    std::int64_t m_mi_edges = 0;
    std::uint32_t m_entries = 0;
};

}  // namespace tlmetry::testing
