// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/wave/header.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tlmetry::wave {

/// Widest signal, and widest variable to take one from.
inline constexpr std::uint32_t max_signal_bits = 65536;

/// Bits of one variable that are part of a signal.
struct Piece {
    std::uint32_t variable = 0;      ///< index into Header::variables
    std::uint32_t variable_lsb = 0;  ///< first bit there, counted from the rightmost one
    std::uint32_t signal_lsb = 0;    ///< first bit in the signal
    std::uint32_t width = 0;
};

/// A signal as a user sees it: a variable, a slice of one, or a vector that the recording holds in several
/// variables (one per bit, say).
struct Signal {
    std::string name;  ///< full path
    std::uint32_t width = 0;
    std::vector<Piece> pieces;
};

/// Finds signals by name.
///
/// A name is a full path (`tb.dut.mi_clk`) or the last part of one (`dut.mi_clk`, `mi_clk`), and may end with
/// the bits wanted (`bus[7:4]`, `bus(3)`). A full path wins over a part, equal spelling over spelling that
/// differs in case. A vector held in single bits has its highest index on the left; one with a declared
/// direction keeps it.
class SignalFinder {
public:
    /// `header` must outlive the finder.
    explicit SignalFinder(const Header& header);

    /// Nothing when the recording has no such variable. Throws UserError when the name fits different signals
    /// (listing them), when bits are missing or double, or when the variable is not made of bits.
    std::optional<Signal> look_up(std::string_view name) const;

    /// Like look_up(); that there is none, or one of another width (unless `width` is 0), is a UserError too.
    Signal find(std::string_view name, std::uint32_t width = 0) const;

private:
    using Variables = std::vector<std::uint32_t>;

    Variables matches(std::string_view name) const;
    Signal assemble(const std::string& path, const Variables& variables) const;
    Signal slice(const Signal& whole, const Range& wanted) const;
    Range bits_of(const Signal& signal) const;
    bool same_bits(const Signal& a, const Signal& b) const;
    [[noreturn]] void fail_width(std::string_view name, std::uint32_t width) const;
    [[noreturn]] void fail(std::string_view name, const std::string& expected,
                           const std::string& found) const;

    const Header& m_header;
    std::vector<std::pair<std::size_t, std::uint32_t>>
        m_by_leaf;  // hash of the last part of the name, variable
};

}  // namespace tlmetry::wave
