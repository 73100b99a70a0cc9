// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tlmetry::explore {

/// 128 bits of what has been added (FNV-1a), to tell texts apart that nobody makes to be taken for one
/// another.
class Digest {
public:
    /// Texts are told apart from the same letters cut elsewhere.
    Digest& add(std::string_view text) {
        add_bytes(std::to_string(text.size()));
        add_bytes(":");
        add_bytes(text);
        return *this;
    }

    /// 32 hexadecimal digits.
    std::string hex() const {
        std::string text;
        for (int shift = 124; shift >= 0; shift -= 4)
            text += "0123456789abcdef"[static_cast<unsigned>(m_hash >> shift) & 0xF];
        return text;
    }

private:
    __extension__ typedef unsigned __int128 Wide;

    void add_bytes(std::string_view bytes) {
        constexpr Wide prime = (Wide{1} << 88) + 0x13B;
        for (const char c : bytes)
            m_hash = (m_hash ^ static_cast<unsigned char>(c)) * prime;
    }

    Wide m_hash = Wide{0x6C62'272E'07BB'0142} << 64 | 0x62B8'2175'6295'C58D;
};

}  // namespace tlmetry::explore
