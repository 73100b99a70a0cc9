// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_telemetry/level.hpp"

namespace tlmetry::endpoint_telemetry {

namespace {

constexpr std::uint64_t last_key = ~std::uint64_t{0};
constexpr unsigned cycle_shift = 32;

// Cycles in which the level is above none, an eighth, and a half of the capacity, side by side in one number.
constexpr unsigned sum_bits = 21;
constexpr std::uint64_t sum_mask = (std::uint64_t{1} << sum_bits) - 1;

}  // namespace

Level::Level(endpoint::LevelLog& falls, endpoint::LevelLog& rises, std::uint32_t start,
             std::uint32_t capacity)
    : m_falls(falls), m_rises(rises), m_value(start) {
    const telemetry::HistogramBands bands(capacity);
    for (std::uint32_t value = 0; value <= start || (value & (value - 1)) != 0; ++value) {
        std::uint64_t above = 0;
        for (std::uint32_t band = 0; band < bands.of(value); ++band)
            above |= std::uint64_t{1} << band * sum_bits;
        m_above.push_back(above);
        m_band.push_back(static_cast<std::uint8_t>(bands.of(value)));
    }
}

void Level::Keys::take(endpoint::LevelLog& log, cycle_t first, cycle_t end) {
    const std::size_t known = log.size();
    if (keys.size() < known + 1) keys.resize(2 * known + 1);
    std::uint64_t* key = keys.data();
    for (count = 0; count < known && log[count].at < end; ++count) {
        const endpoint::Step& step = log[count];
        *key++ = static_cast<std::uint64_t>(step.at - first) << cycle_shift |
                 static_cast<std::uint32_t>(step.step);
    }
    *key = last_key;
    for (std::size_t i = 0; i < count; ++i)
        log.pop();
}

std::uint32_t Level::pass(cycle_t first, cycle_t end, std::uint64_t* counts) {
    m_fall_keys.take(m_falls, first, end);
    m_rise_keys.take(m_rises, first, end);
    const std::uint64_t* falls = m_fall_keys.keys.data();
    const std::uint64_t* rises = m_rise_keys.keys.data();
    const std::size_t total = m_fall_keys.count + m_rise_keys.count;
    const std::uint64_t* above_at = m_above.data();
    const std::uint64_t index_mask = m_above.size() - 1;
    std::uint64_t value = m_value;
    std::size_t done = 0;
    std::size_t rises_done = 0;
    // The keys of rises are smaller than those of falls in the same cycle: the level goes up first.
    const auto next_key = [&] {
        const std::uint64_t rise = rises[rises_done];
        const std::uint64_t fall = falls[done - rises_done];
        rises_done += rise < fall;
        ++done;
        return std::min(rise, fall);
    };
    const auto step = [](std::uint64_t key) {
        return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(key)});
    };
    while (std::min(rises[rises_done], falls[done - rises_done]) >> cycle_shift == 0)
        value += step(next_key());
    // From here on no value on the way through a cycle is below both what the cycle before and this one show.
    std::uint64_t lowest = value;
    std::uint64_t since = 0;
    std::uint64_t above = 0;
    // A busy level is as good as random to the processor, so this goes without branches that depend on it.
    while (done != total) {
        const std::uint64_t key = next_key();
        const std::uint64_t cycle = key >> cycle_shift;
        above += (cycle - since) * above_at[value & index_mask];
        since = cycle;
        value += step(key);
        lowest = std::min(lowest, value);
    }
    const auto cycles = static_cast<std::uint64_t>(end - first);
    above += (cycles - since) * above_at[value & index_mask];
    m_value = static_cast<std::uint32_t>(value);
    counts[0] += cycles - (above & sum_mask);
    counts[1] += (above & sum_mask) - (above >> sum_bits & sum_mask);
    counts[2] += (above >> sum_bits & sum_mask) - (above >> 2 * sum_bits);
    counts[3] += above >> 2 * sum_bits;
    return static_cast<std::uint32_t>(lowest);
}

}  // namespace tlmetry::endpoint_telemetry
