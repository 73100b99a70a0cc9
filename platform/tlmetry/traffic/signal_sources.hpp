// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/random.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/telemetry/endpoint_status.hpp>
#include <tlmetry/traffic/config.hpp>
#include <tlmetry/traffic/length.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tlmetry::traffic {

/// The BRAKE pins of one endpoint: each reason by itself stops the transfer for a while, again and again.
class BrakeSource {
public:
    BrakeSource(const Config& config, std::uint64_t seed, std::string_view name);

    /// Calls `hold(from, mask)` for every mask held from a cycle below `end`.
    template <class Hold>
    void tell(cycle_t end, const Hold& hold) {
        while (m_cycle < end) {
            hold(m_cycle, m_mask);
            advance();
        }
    }

private:
    void draw(std::size_t pin);
    void advance();

    std::uint32_t m_ppm;
    Random m_random;
    Length m_on;
    Length m_off;
    std::array<cycle_t, telemetry::brake_pins> m_changes{};  // when each pin changes next
    std::uint32_t m_mask = 0;
    cycle_t m_cycle = 0;  // from when on m_mask holds; not told yet
};

/// Free tags and free storage FIFO words of one endpoint: random walks between nothing and their capacities,
/// all free at the start. The settings stand still.
class LevelSource {
public:
    /// Capacities as the pins can show them.
    LevelSource(const Config& config, std::uint32_t settings, std::uint32_t tags, std::uint32_t words,
                std::uint64_t seed, std::string_view name);

    /// Calls `hold(from, pins)` for all pins held from a cycle below `end`.
    template <class Hold>
    void tell(cycle_t end, const Hold& hold) {
        while (m_cycle < end) {
            hold(m_cycle, m_pins);
            advance();
        }
    }

private:
    std::uint32_t walk(std::uint32_t level, std::uint32_t capacity);
    void advance();

    bool m_moves;
    std::uint32_t m_tags;
    std::uint32_t m_words;
    Random m_random;
    Length m_interval;
    telemetry::StatusPins m_pins;
    cycle_t m_cycle = 0;
};

}  // namespace tlmetry::traffic
