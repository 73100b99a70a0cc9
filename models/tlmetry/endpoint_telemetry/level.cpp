// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_telemetry/level.hpp"

#include "tlmetry/endpoint_telemetry/level_lanes.hpp"

#include <tlmetry/base/choose.hpp>
#include <tlmetry/base/processor.hpp>

namespace tlmetry::endpoint_telemetry {

namespace {

constexpr std::uint64_t last_key = ~std::uint64_t{0};
constexpr unsigned cycle_shift = 32;

// Falls that are looked at together, and with AVX-512.
constexpr std::size_t most_falls = 16;
constexpr std::size_t most_falls_in_lanes = 64;
constexpr std::size_t most_walked_falls = 256;

// Cycles in which the level is above none, an eighth, and a half of the capacity, side by side in one number.
constexpr unsigned sum_bits = 21;
constexpr std::uint64_t sum_mask = (std::uint64_t{1} << sum_bits) - 1;

}  // namespace

Level::Level(endpoint::LevelLog& falls, endpoint::LevelLog& rises, std::uint32_t start,
             std::uint32_t capacity)
    : m_falls(falls), m_rises(rises), m_value(start), m_in_lanes(takes_lanes()) {
    const telemetry::HistogramBands bands(capacity);
    for (std::uint32_t value = 0; value <= start || (value & (value - 1)) != 0; ++value) {
        std::uint64_t above = 0;
        for (std::uint32_t band = 0; band < bands.of(value); ++band)
            above |= std::uint64_t{1} << band * sum_bits;
        m_above.push_back(above);
        m_band.push_back(static_cast<std::uint8_t>(bands.of(value)));
    }
}

std::size_t Level::make_keys(const endpoint::LevelLog& log, std::size_t most, cycle_t first, cycle_t end,
                             std::vector<std::uint64_t>& keys) {
    most = std::min(most, log.size());
    if (keys.size() <= most) keys.resize(2 * most + 1);
    std::uint64_t* key = keys.data();
    for (const endpoint::Step* step = log.begin(); step != log.begin() + most && step->at < end; ++step) {
        *key++ = static_cast<std::uint64_t>(step->at - first) << cycle_shift |
                 static_cast<std::uint32_t>(step->step);
    }
    *key = last_key;
    return static_cast<std::size_t>(key - keys.data());
}

std::uint32_t Level::pass(cycle_t first, cycle_t end, std::uint64_t* counts) {
    Position position;
    position.first = first;
    position.value = m_value;
    // What happens in the first cycle is over in it: no value on the way through a later one is below both
    // what the cycle before and that one show.
    for (; at(m_rises, 0) == first; m_rises.pop())
        position.value += m_rises.front().step;
    for (; at(m_falls, 0) == first; m_falls.pop())
        position.value += m_falls.front().step;
    position.lowest = position.value;
    while (next() < end)
        pass_some(position, end);

    const auto cycles = static_cast<std::uint64_t>(end - first);
    m_value = static_cast<std::uint32_t>(position.value);
    const std::uint64_t above = position.above + (cycles - position.since) * m_above[m_value];
    counts[0] += cycles - (above & sum_mask);
    counts[1] += (above & sum_mask) - (above >> sum_bits & sum_mask);
    counts[2] += (above >> sum_bits & sum_mask) - (above >> 2 * sum_bits);
    counts[3] += above >> 2 * sum_bits;
    return static_cast<std::uint32_t>(position.lowest);
}

/// Passes the next falls and the rises among them, or what is left.
void Level::pass_some(Position& position, cycle_t end) {
    // A rise that never comes ends the search for the next one.
    m_rises.push({never, 0});
    m_rises.take_back();
    const endpoint::Step* fall = m_falls.begin();
    const endpoint::Step* fall_end =
        fall + std::min(m_falls.size(), m_in_lanes ? most_falls_in_lanes : most_falls);
    while (fall != fall_end && fall_end[-1].at >= end)
        --fall_end;
    level_lanes::Position p{position.value, position.value, position.value, m_rises.begin()};
#ifdef __x86_64__
    if (m_in_lanes) {
        const auto falls =
            static_cast<std::size_t>(fall_end - fall) / level_lanes::width * level_lanes::width;
        level_lanes::pass(fall, falls, p);
        fall += falls;
    }
#endif
    std::int64_t value = p.value;
    std::int64_t lowest = p.lowest;
    std::int64_t highest = p.highest;
    const endpoint::Step* rise = p.rise;
    // Which comes next is as good as random to the processor, so this goes without a branch.
    while (fall != fall_end) {
        // The level goes up first.
        const bool rises_next = rise->at <= fall->at;
        value += choose(rises_next, rise->step, fall->step);
        rise += rises_next;
        fall += !rises_next;
        lowest = std::min(lowest, value);
        highest = std::max(highest, value);
    }
    if (fall == m_falls.end() || fall->at >= end) {
        for (; rise->at < end; ++rise)
            value += rise->step;
        highest = std::max(highest, value);
    }
    // What is usual: the level has not left its band.
    if (m_band[static_cast<std::size_t>(lowest)] != m_band[static_cast<std::size_t>(highest)])
        return walk(position, end);
    position.value = value;
    position.lowest = std::min(position.lowest, lowest);
    m_falls.pop(static_cast<std::size_t>(fall - m_falls.begin()));
    m_rises.pop(static_cast<std::size_t>(rise - m_rises.begin()));
}

/// Goes through the next steps one by one, many of them: one that changes its band often does so for a while.
/// Such a level is as good as random to the processor, so this goes without branches that depend on it.
void Level::walk(Position& position, cycle_t end) {
    const std::size_t falls = make_keys(m_falls, most_walked_falls, position.first, end, m_fall_keys);
    if (falls == most_walked_falls) end = m_falls[falls - 1].at + 1;
    const std::size_t rises = make_keys(m_rises, m_rises.size(), position.first, end, m_rise_keys);
    const std::uint64_t* fall = m_fall_keys.data();
    const std::uint64_t* rise = m_rise_keys.data();
    const std::uint64_t* above_at = m_above.data();
    const std::uint64_t index_mask = m_above.size() - 1;
    Position p = position;
    for (std::size_t left = falls + rises; left != 0; --left) {
        // The keys of rises are smaller than those of falls in the same cycle: the level goes up first.
        const std::uint64_t key = std::min(*rise, *fall);
        const bool rises_next = *rise < *fall;
        rise += rises_next;
        fall += !rises_next;
        const std::uint64_t cycle = key >> cycle_shift;
        p.above += (cycle - p.since) * above_at[static_cast<std::uint64_t>(p.value) & index_mask];
        p.since = cycle;
        p.value += static_cast<std::int32_t>(key);
        p.lowest = std::min(p.lowest, p.value);
    }
    position = p;
    m_falls.pop(falls);
    m_rises.pop(rises);
}

}  // namespace tlmetry::endpoint_telemetry
