// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/telemetry/word.hpp>

#include <cstdint>
#include <vector>

namespace tlmetry::traffic {

/// What the words of one bus count. Words of a bus come again and again, so where there are few different
/// ones each is decoded once.
class WordTable {
public:
    explicit WordTable(const telemetry::BusShape& shape)
        : m_shape(shape), m_region_bits(2 + telemetry::clog2(shape.region_items)) {
        const std::uint32_t bits = 2 + shape.regions * m_region_bits;
        if (bits > most_bits) return;
        m_words.resize(std::size_t{1} << bits);
        m_known.resize(m_words.size());
    }

    /// EOF positions must lie within a region.
    const telemetry::MfbWord& decode(const telemetry::MfbPins& pins) {
        if (m_words.empty()) return m_other = m_shape.decode(pins);
        const std::size_t i = index(pins);
        if (!m_known[i]) {
            m_words[i] = m_shape.decode(pins);
            m_known[i] = 1;
        }
        return m_words[i];
    }

private:
    static constexpr std::uint32_t most_bits = 14;

    std::size_t index(const telemetry::MfbPins& pins) const {
        std::size_t index = 0;
        for (std::uint32_t r = 0; r < m_shape.regions; ++r) {
            const bool ends = (pins.eof >> r & 1) != 0;
            index = index << m_region_bits | (ends ? pins.eof_pos[r] << 2 | 2 : 0) | (pins.sof >> r & 1);
        }
        return index << 2 | std::size_t{pins.src_rdy} << 1 | std::size_t{pins.dst_rdy};
    }

    telemetry::BusShape m_shape;
    std::uint32_t m_region_bits;
    std::vector<telemetry::MfbWord> m_words;
    std::vector<std::uint8_t> m_known;
    telemetry::MfbWord m_other;
};

}  // namespace tlmetry::traffic
