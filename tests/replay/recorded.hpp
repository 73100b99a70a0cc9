// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tlmetry::test {

/// A recording in memory, to be changed and written again.
struct Recorded {
    struct Variable {
        std::string name;  ///< as it is written, without range; empty: left out
        std::uint32_t width = 1;
        std::string scope = "tb";
    };
    std::vector<Variable> variables;
    /// By time in ps: new values, as digits, by index of the variable.
    std::map<std::int64_t, std::map<std::size_t, std::string>> changes;

    static Recorded read(const std::string& path);
    std::string vcd() const;

    std::size_t index(const std::string& name) const;
    /// Value from time `ps` on.
    std::string value(const std::string& name, std::int64_t ps) const;
    void set(const std::string& name, std::int64_t ps, const std::string& digits) {
        changes[ps][index(name)] = digits;
    }
    /// Leaves out the variables for which `unwanted` holds.
    void drop(const std::function<bool(const std::string& name)>& unwanted);
    /// Times of the rising edges of a clock, in ps.
    std::vector<std::int64_t> edges(const std::string& clock) const;
};

/// One of the reads that come with a golden waveform.
struct GoldenRead {
    std::string address, data;  ///< 0x...
    std::int64_t answer_ps;     ///< DRDY and DRD come
    std::int64_t sample_ps;     ///< a master finds them
};
std::vector<GoldenRead> golden_reads(const std::string& params_file);

}  // namespace tlmetry::test
