// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/telemetry/probe.hpp>

#include <cstdint>

namespace tlmetry::telemetry {

/// What an endpoint shows on its status pins in one cycle.
struct StatusPins {
    std::uint32_t free_tags = 0;   ///< PCIE_TAG_FREE, 11 bit
    std::uint32_t free_words = 0;  ///< PCIE_STFIFO_FREE, 16 bit
    std::uint32_t settings = 0;    ///< as in PCIE_STATUS: MPS, MRRS, extended tag, 10-bit tag, RCB, link up
};

/// Bands of a histogram: 0 none free, 1 up to an eighth of the capacity, 2 up to a half, 3 the rest.
struct HistogramBands {
    explicit HistogramBands(std::uint32_t capacity) : eighth(capacity / 8), half(capacity / 2) {}

    std::uint32_t of(std::uint32_t value) const {
        return std::uint32_t{value > 0} + std::uint32_t{value > eighth} + std::uint32_t{value > half};
    }

    std::uint32_t eighth;
    std::uint32_t half;
};

/// The word of Probe::bands() while the free tags are in one band and the free words in another.
inline BitsWord bands_word(std::uint32_t tag_band, std::uint32_t word_band) {
    return {1u << tag_band | 1u << (histogram_bands + word_band)};
}

/// Settings, free tags and free storage FIFO words of one endpoint on their way to software: the window
/// minima in the PCIe clock, the request/acknowledge crossing, and the registers in the MI clock. It also
/// tells the probe the histogram bands.
///
/// Steps through clock edges only while a word is crossing.
class EndpointStatus {
public:
    EndpointStatus(Probe& probe, const ClockDomain& mi_clock, std::uint32_t tag_capacity,
                   std::uint32_t stfifo_capacity);

    /// From PCIe cycle `from` on the pins show this.
    void hold(cycle_t from, const StatusPins& pins);
    /// From PCIe cycle `from` on the pins have gone through several values, `lowest_tags` and `lowest_words`
    /// among them, and stay at `pins`. No edge that somebody looks at may lie in between: the edge behind a
    /// tick, the one before it, the ends of a reset, and the last edge before a look. The bands have been
    /// told to the probe.
    void pass(cycle_t from, const StatusPins& pins, std::uint32_t lowest_tags, std::uint32_t lowest_words);

    /// Goes through all edges, of both clocks, before time `t`.
    void advance(time_fs t);
    /// Time before which the registers cannot change by what is known so far.
    time_fs quiet_until() const;

    /// CLEAR counters or CLEAR MARKS written at MI edge `edge`.
    void clear_marks(cycle_t edge) { m_mark_clears.push(edge + 1); }

    /// PCIE_RESET is seen high at PCIe edges from `edge` on, until release_pcie().
    void reset_pcie(cycle_t edge) { m_pcie_reset.begin(edge); }
    void release_pcie(cycle_t first_edge) { m_pcie_reset.end(first_edge); }
    /// The same of MI_RESET, in MI edges.
    void reset_mi(cycle_t edge) { m_mi_reset.begin(edge); }
    void release_mi(cycle_t first_edge) { m_mi_reset.end(first_edge); }
    /// The probe is about to be restarted: its windows will count from 1 again.
    void before_restart();

    std::uint32_t settings_register() const { return m_registers.settings; }
    std::uint32_t tags_register() const { return m_registers.free_tags | m_lowest_tags << 16; }
    std::uint32_t words_register() const { return m_registers.free_words | m_lowest_words << 16; }

private:
    static constexpr std::uint32_t all_tags = 0x7FF;
    static constexpr std::uint32_t all_words = 0xFFFF;

    struct Word {
        StatusPins now;
        std::uint32_t lowest_tags = 0;
        std::uint32_t lowest_words = 0;
    };
    /// A toggle on its way through the three synchronising registers and the edge detector of the other
    /// clock.
    struct Synchroniser {
        bool q1 = false, q2 = false, q3 = false, q4 = false;
        bool pulse() const { return q3 != q4; }
        bool settled(bool input) const { return q1 == input && q2 == q1 && q3 == q2 && q4 == q3; }
        void step(bool input) { q4 = q3, q3 = q2, q2 = q1, q1 = input; }
        void flip() { q1 = !q1, q2 = !q2, q3 = !q3, q4 = !q4; }
    };
    /// Edges [from, to) of one clock that see its reset high.
    struct Reset {
        cycle_t from = never;
        cycle_t to = never;
        bool held = false;  // its first edge has been gone through
        /// Edge at which it begins or ends next.
        cycle_t next() const { return held ? to : from; }
        bool absent() const { return !held && from == never; }
        void begin(cycle_t edge) {
            // A reset that comes back before an edge has seen it low goes on.
            (held ? to : from) = held ? never : edge;
        }
        void end(cycle_t edge) {
            if (!held && from == edge) {
                from = never;  // gone before an edge saw it
            } else {
                to = edge;
            }
        }
    };
    struct Source {  // PCIe clock
        bool waiting = false;
        bool toggle = false;
        bool sent = false;  // the toggle behind its output register
        Word word;
        Synchroniser acknowledge;
    };
    struct Destination {  // MI clock
        bool valid = false;
        bool toggle = false;
        bool sent = false;
        Word word;
        Synchroniser request;
    };

    bool source_settled() const;
    bool destination_settled() const;
    cycle_t tick_edge() const;
    void pass_tick();
    cycle_t next_source_edge() const;
    cycle_t next_destination_edge() const;
    void step_source(cycle_t edge, bool acknowledge);
    void step_destination(cycle_t edge, bool request, const Word& sent);
    bool offer_word(cycle_t edge);
    void update_registers(const Word& word);
    void apply_mark_clears(cycle_t end);
    bool undisturbed() const;
    bool transfer_at_once(time_fs t);
    void skip_equal_windows(time_fs t);
    void flip_toggles();
    void sample_to(cycle_t edge);
    void restart_window();

    Probe& m_probe;
    const ClockDomain& m_pcie;
    const ClockDomain& m_mi;
    HistogramBands m_tag_bands;
    HistogramBands m_word_bands;

    struct Pending {
        cycle_t from = 0;
        StatusPins pins;
        std::uint32_t lowest_tags = 0;
        std::uint32_t lowest_words = 0;
    };
    SlidingQueue<Pending> m_pending;
    StatusPins m_pins;                       // as last sampled
    std::uint32_t m_window_tags = all_tags;  // minima of the running window
    std::uint32_t m_window_words = all_words;
    std::int64_t m_window = 1;
    cycle_t m_last_tick_edge = never;  // of a schedule that a restart has replaced

    Source m_source;
    Destination m_destination;
    cycle_t m_source_next = 0;  // first edge that is not gone through yet, while unsettled
    cycle_t m_destination_next = 0;
    Reset m_pcie_reset;
    Reset m_mi_reset;

    StatusPins m_registers;
    std::uint32_t m_lowest_tags = all_tags;
    std::uint32_t m_lowest_words = all_words;
    SlidingQueue<cycle_t> m_mark_clears;
};

}  // namespace tlmetry::telemetry
