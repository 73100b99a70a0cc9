// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "reference/ticking_config.hpp"

#include <cstdint>

namespace tlmetry::testing {

/// The settings and free levels of one endpoint: histogram bands and window minima on the PCIe clock, the
/// request/acknowledge handshake, the status registers on the MI clock.
class TickingStatus {
public:
    static constexpr std::uint32_t all_tags = 0x07FF;   ///< 11 bits
    static constexpr std::uint32_t all_words = 0xFFFF;  ///< 16 bits

    TickingStatus(std::uint32_t tag_capacity, std::uint32_t stfifo_capacity);

    /// Bands of the two histograms, tags in bits 3:0 and storage FIFO words in bits 7:4, lowest band first.
    std::uint32_t bands() const { return m_q.bands; }

    void evaluate(const PciePins& pins, bool tick);
    void clock();

    void evaluate_mi(bool mi_reset, bool clear_marks);
    void clock_mi();

    /// PCIE_STATUS, PCIE_TAGS and PCIE_STFIFO.
    std::uint32_t status_register() const { return m_mi_q.settings; }
    std::uint32_t tags_register() const { return m_mi_q.tags | m_mi_q.lowest_tags << 16; }
    std::uint32_t stfifo_register() const { return m_mi_q.words | m_mi_q.lowest_words << 16; }

private:
    /// What one transfer carries.
    struct Word {
        std::uint32_t settings = 0;
        std::uint32_t tags = 0;
        std::uint32_t words = 0;
        std::uint32_t window_tags = 0;
        std::uint32_t window_words = 0;
    };
    struct Registers {
        std::uint32_t bands = 0;
        std::uint32_t window_tags = all_tags;
        std::uint32_t window_words = all_words;
        // handshake, source
        bool in_flight = false;
        bool request = false;
        bool request_out = false;
        Word data;
        bool acknowledge1 = false;
        bool acknowledge2 = false;
        bool acknowledge3 = false;
        bool acknowledge_seen = false;
    };
    struct MiRegisters {
        // handshake, destination
        bool request1 = false;
        bool request2 = false;
        bool request3 = false;
        bool request_seen = false;
        bool valid = false;
        Word data;
        bool acknowledge = false;
        bool acknowledge_out = false;
        // status registers
        std::uint32_t settings = 0;
        std::uint32_t tags = 0;
        std::uint32_t words = 0;
        std::uint32_t lowest_tags = all_tags;
        std::uint32_t lowest_words = all_words;
    };

    std::uint32_t m_tag_capacity;
    std::uint32_t m_stfifo_capacity;
    Registers m_q;
    Registers m_d;
    MiRegisters m_mi_q;
    MiRegisters m_mi_d;
};

}  // namespace tlmetry::testing
