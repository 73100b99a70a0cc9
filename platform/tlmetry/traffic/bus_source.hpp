// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/random.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/telemetry/word.hpp>
#include <tlmetry/traffic/config.hpp>
#include <tlmetry/traffic/length.hpp>

#include <cstdint>
#include <string_view>

namespace tlmetry::traffic {

/// What a bus is told: words held from a cycle on, until the next one. Cycles never go back.
class BusSink {
public:
    virtual ~BusSink() = default;
    virtual void mfb(cycle_t from, const telemetry::MfbPins& pins) = 0;
    virtual void mvb(cycle_t from, const telemetry::MvbWord& word) = 0;
};

/// The place of a bus, which decides what its frames look like.
enum class BusRole { rq, rc, up, down };

/// Legal random activity of one MFB bus and, on the DMA side, of its MVB: frames that start at the first item
/// of a region (single block), back to back or with gaps, several to a word; words are held while their
/// consumer stalls. Every frame of a DMA bus has a header on its MVB, at the cycle at which it is first
/// offered or behind the headers before it; so has every read of UP, which sends no frame.
///
/// What it says depends on the seed and the name alone, not on how far it is asked at a time.
class BusSource {
public:
    BusSource(const Config& config, BusRole role, std::uint32_t regions, std::uint32_t region_items,
              std::uint32_t item_bytes, std::uint64_t seed, std::string_view name);

    /// Tells all words held from cycles below `end`, and maybe some more.
    void tell(cycle_t end, BusSink& sink);

private:
    void tell_gap(BusSink& sink, cycle_t cycles);
    void tell_words(BusSink& sink);
    std::int64_t next_words(std::uint32_t& starts);
    std::int64_t next_frame();
    void tell_headers(BusSink& sink, std::int64_t headers);
    bool has_mvb() const { return m_role == BusRole::up || m_role == BusRole::down; }

    BusRole m_role;
    std::uint32_t m_regions;
    std::uint32_t m_region_items;
    std::uint32_t m_packing_ppm;
    std::uint32_t m_read_ppm;
    std::int64_t m_header_items;
    Random m_random;
    Length m_burst_words;
    Length m_gap_cycles;
    Length m_payload_items;
    Length m_stall_cycles;
    Length m_words_between_stalls;
    Length m_mvb_words_between_stalls;
    Length m_reads_between_frames;
    bool m_stalls;
    bool m_mvb_stalls;

    cycle_t m_cycle = 0;        // first cycle not told yet
    std::int64_t m_burst = 0;   // words left in the burst
    std::int64_t m_ready = 0;   // words left up to the next stall
    std::int64_t m_open = 0;    // items left of the frame that is open
    telemetry::MfbPins m_pins;  // the word under way
    cycle_t m_mvb_cycle = 0;    // first cycle without a header
    std::int64_t m_mvb_ready = 0;
    bool m_mvb_idle = true;  // told for m_mvb_cycle and later
};

}  // namespace tlmetry::traffic
