// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tlmetry::wave {

/// Writes a value change dump (VCD) as it comes, in constant memory; equal calls give equal bytes.
///
///     VcdWriter writer("wave.vcd.gz", fs_per_ps, "what it is");
///     const auto clock = writer.add("mi_clk", 1);
///     writer.begin(0);
///     writer.change(clock, 0);     // the first value of every signal
///     writer.time(5 * fs_per_ns);
///     writer.change(clock, 1);
///     writer.finish();
///
/// Text goes to the file in blocks of whole time stamps, packed ones each as a gzip member of its own: what a
/// program leaves that is killed can be read up to there. All functions but the changes throw UserError when
/// the file cannot be written.
class VcdWriter {
public:
    using Handle = std::uint32_t;

    /// A name that ends in `.gz` packs. Times are written in steps of `tick_fs`, 1, 10 or 100 of a unit;
    /// what lies between two is written as the earlier.
    VcdWriter(const std::string& path, time_fs tick_fs, const std::string& comment);
    ~VcdWriter();
    VcdWriter(const VcdWriter&) = delete;
    VcdWriter& operator=(const VcdWriter&) = delete;

    /// Opens a scope for the signals that follow, or closes it.
    void open_scope(const std::string& name);
    void close_scope();
    /// A signal of `width` bits, at least 1. Before begin().
    Handle add(const std::string& name, std::uint32_t width);

    /// Ends the declarations. The changes up to the next time() are the first values at time `t`.
    void begin(time_fs t);
    /// What changes from now on changes at time `t`; times must not go back.
    void time(time_fs t);
    /// Value as words of 64 bits, lowest bits first. Bits set in `unknown`, if that is not null, show as x.
    void change_words(Handle signal, const std::uint64_t* value, const std::uint64_t* unknown = nullptr);
    void change(Handle signal, std::uint64_t value) { change_words(signal, &value); }

    /// Writes what is left and closes the file.
    void finish();

private:
    class File;
    struct Signal {
        std::string id;
        std::uint32_t width = 0;
    };
    void flush();
    void stamp(std::int64_t ticks);

    std::unique_ptr<File> m_file;
    time_fs m_tick_fs;
    std::vector<Signal> m_signals;
    std::string m_text;
    std::int64_t m_ticks = -1;  // of the last time stamp
    bool m_first_values = false;
};

}  // namespace tlmetry::wave
