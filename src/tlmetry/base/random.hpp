// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

namespace tlmetry {

/// Random numbers whose sequence is fixed for ever by a seed and a name, on every machine: xoshiro256**
/// filled by splitmix64. Each source in a simulation has one of its own, so that none disturbs another.
class Random {
public:
    Random(std::uint64_t seed, std::string_view name) {
        std::uint64_t state = seed;
        // FNV-1a of the name tells the sources of one seed apart.
        std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
        for (const char c : name)
            hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3;
        state ^= hash;
        for (std::uint64_t& word : m_state) {
            state += 0x9E37'79B9'7F4A'7C15;
            std::uint64_t z = state;
            z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
            z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
            word = z ^ z >> 31;
        }
    }

    /// 64 equally likely bits.
    std::uint64_t next() {
        const std::uint64_t result = rotate(m_state[1] * 5, 7) * 9;
        const std::uint64_t shifted = m_state[1] << 17;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= shifted;
        m_state[3] = rotate(m_state[3], 45);
        return result;
    }

    /// Equally likely in [0, bound), bound > 0: the product of 32 random bits and a bound below 2^32 is cut,
    /// which favours no value by more than bound / 2^32.
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
    }

    /// Equally likely in [low, high].
    std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + below(high - low + 1); }

    /// True with a probability of `numerator / denominator`.
    bool chance(std::uint32_t numerator, std::uint32_t denominator) { return below(denominator) < numerator; }

private:
    static std::uint64_t rotate(std::uint64_t x, int k) { return x << k | x >> (64 - k); }

    std::uint64_t m_state[4];
};

}  // namespace tlmetry
