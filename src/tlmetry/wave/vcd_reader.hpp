// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/wave/header.hpp>
#include <tlmetry/wave/id_table.hpp>
#include <tlmetry/wave/scanner.hpp>
#include <tlmetry/wave/signal_finder.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::wave {

/// A value as two bit planes of ceil(width/64) words, bit 0 of word 0 rightmost. Where `unknown` has a one
/// (x, z and the other weak or undriven states), `value` has a zero; so have both beyond the width.
struct Bits {
    const std::uint64_t* value;
    const std::uint64_t* unknown;
    std::uint32_t width;

    std::size_t words() const { return (width + 63) / 64; }
    bool is_known() const;
};

/// Reads a value change dump (VCD), plain or packed with gzip, in constant memory, one time stamp at a time:
///
///     VcdReader reader(Input::open("wave.vcd.gz"));
///     const SignalFinder finder(reader.header());
///     const auto clock = reader.select(finder.find("dut.mi_clk", 1));
///     while (reader.next_step())
///         for (const auto signal : reader.changes()) ... reader.time(), reader.before(signal),
///         reader.now(signal)
///
/// Accepts what simulators write (see docs/recording.md). Whatever is not a VCD file, ends early or is
/// damaged gives a UserError with file, line, what was expected and what was found. Variables that nobody
/// selected are skipped without a look at their values. All bits are unknown until the recording says
/// otherwise, and again between $dumpoff and $dumpon.
class VcdReader {
public:
    using Handle = std::uint32_t;  ///< of a selected signal: 0, 1, 2, ... in the order of the selections

    static constexpr std::size_t default_chunk_bytes = 262144;

    /// Reads the header. `chunk_bytes` of text are in memory at a time.
    explicit VcdReader(Input input, std::size_t chunk_bytes = default_chunk_bytes);

    const Header& header() const { return m_header; }

    /// Follows a signal from now on; call it before the first next_step().
    Handle select(const Signal& signal);

    /// Goes to the next time stamp at which a selected signal has another value than before; several changes
    /// within one time stamp count as one, to the last value. False at the end of the recording.
    bool next_step();

    /// Time of the step; the last time stamp of the recording once next_step() has returned false.
    time_fs time() const { return m_time; }

    /// Signals that this step changed, in the order in which the recording mentions them first.
    const std::vector<Handle>& changes() const { return m_changes; }

    /// Value after this step, and before it; valid until the next one.
    Bits now(Handle signal) const { return bits(m_now, signal); }
    Bits before(Handle signal) const {
        return bits(m_signals[signal].touched_in == m_step ? m_before : m_now, signal);
    }

    /// Bytes of the file taken so far, and its size (0 when not known), to show how far this is.
    std::uint64_t consumed_bytes() const { return m_scanner.input().consumed(); }
    std::uint64_t total_bytes() const { return m_scanner.input().total(); }

    /// Characters of text read so far.
    std::uint64_t text_bytes() const { return m_scanner.offset(); }

private:
    struct Slot {  // a selected signal
        std::size_t first_word;
        std::uint32_t width;
        std::uint64_t touched_in;  // the last step that wrote it
    };
    struct Target {  // where bits of a variable go; none of them crosses a word
        Handle signal;
        std::uint32_t from_word;
        std::uint32_t from_shift;
        std::uint32_t to_shift;
        std::size_t to_value;  // indices into m_now
        std::size_t to_unknown;
        std::uint64_t mask;  // right-aligned
    };
    struct Follower {  // of an identifier code
        std::uint32_t width = 0;
        std::vector<Target> targets;  // none: skip it
    };
    enum class Section {
        none,
        open,
        passed
    };  // $dumpvars and the like; passed: a time stamp came before its $end

    Bits bits(const std::vector<std::uint64_t>& store, Handle signal) const;
    void read_changes();
    bool read_time(const Byte*& pos);
    void read_keyword();
    bool decode(const Byte* begin, const Byte* end, std::uint32_t width);
    void store(const Target& target);
    void drop_unchanged();

    Scanner m_scanner;
    IdTable m_ids;
    Header m_header;
    std::vector<Follower> m_followers;  // by number of the identifier code
    std::uint64_t m_max_ticks;
    std::vector<Slot> m_signals;
    std::vector<std::uint64_t> m_now;     // value words, then unknown words of each signal
    std::vector<std::uint64_t> m_before;  // the same, valid for signals touched in this step
    std::vector<std::uint64_t> m_value;   // planes of the variable just read
    std::vector<std::uint64_t> m_unknown;
    std::vector<Handle> m_changes;
    std::uint64_t m_step = 1;
    time_fs m_time = 0;
    std::uint64_t m_next_ticks = 0;  // the time stamp read last
    bool m_rewritten = false;        // a signal was changed twice in this step
    bool m_ended = false;
    Section m_section = Section::none;
};

}  // namespace tlmetry::wave
