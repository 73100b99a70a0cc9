// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/random.hpp>

#include <cstdint>
#include <string_view>

namespace tlmetry::generator {

/// Random words of a named, seeded source like those of tlmetry::Random, by a hash of a counter (splitmix64):
/// less random than Random but all of its state fits in one register, which halves the cost.
class WordStream {
public:
    WordStream(std::uint64_t seed, std::string_view name) : m_state(Random(seed, name).next()) {}

    /// 64 equally likely bits.
    std::uint64_t next() {
        std::uint64_t z = m_state += 0x9E37'79B9'7F4A'7C15;
        z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
        z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
        return z ^ z >> 31;
    }

private:
    std::uint64_t m_state;
};

}  // namespace tlmetry::generator
