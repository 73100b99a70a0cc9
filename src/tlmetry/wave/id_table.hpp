// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/wave/scanner.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tlmetry::wave {

/// Numbers the identifier codes of a recording 0, 1, 2, ... in the order of their insertion.
///
/// Codes of up to three characters, which serve 839,514 variables, are found in a plain array.
class IdTable {
public:
    static constexpr std::uint32_t unknown = 0xffff'ffff;

    /// The number of the word at `pos`, which moves behind it; `unknown` when it was never inserted.
    std::uint32_t find(const Byte*& pos) const {
        const Byte* const begin = pos;
        std::size_t key = 0;
        std::size_t weight = 1;
        while (static_cast<Byte>(*pos - first_character) < characters) {
            key += weight * (*pos++ - first_character + 1U);
            weight *= characters;
        }
        const auto length = pos - begin;
        if (!is_space(*pos) || length > short_length) return find_long(begin, pos);
        return key < m_short.size() ? m_short[key] : unknown;
    }

    /// The number of `id`, a new one when it is new.
    std::uint32_t insert(std::string_view id);

    std::uint32_t size() const { return m_size; }

private:
    static constexpr std::size_t first_character = '!';
    static constexpr std::size_t characters = '~' - '!' + 1;
    static constexpr std::ptrdiff_t short_length = 3;

    std::uint32_t find_long(const Byte* begin, const Byte*& pos) const;

    std::vector<std::uint32_t> m_short;  // by the code read as a number to the base 94 without zero
    std::unordered_map<std::string, std::uint32_t> m_long;
    std::uint32_t m_size = 0;
};

}  // namespace tlmetry::wave
