// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/pcie/ratio.hpp>

#include <cstdint>
#include <stdexcept>

namespace tlmetry::pcie {

/// Serialises bytes at a rate that need not be a whole number of femtoseconds per byte, without drift: the
/// fraction of a femtosecond left after each transfer is kept, so that any number of transfers back to back
/// ends when one transfer of all their bytes would.
class ByteClock {
public:
    /// Idle at `start` and after. The reduced denominator of the byte time must be below 2^32, as that of
    /// every link is (byte_time_fs); anything else is a mistake of the program.
    explicit ByteClock(Ratio byte_time_fs, time_fs start = 0)
        : m_whole(byte_time_fs.numerator() / byte_time_fs.denominator()),
          m_numerator(static_cast<std::uint64_t>(byte_time_fs.numerator() % byte_time_fs.denominator())),
          m_denominator(static_cast<std::uint64_t>(byte_time_fs.denominator())),
          m_reciprocal(~std::uint64_t{0} / m_denominator),
          m_free(start) {
        if (m_denominator >> 32 != 0)
            throw std::logic_error("ByteClock: byte time with too large a denominator");
    }

    /// When the last byte sent so far ends, rounded down: nothing can start before.
    time_fs free_at() const { return m_free; }

    /// Sends `bytes` (below 2^31) as soon as the line is free, but not before `earliest`. Returns the time at
    /// which the last one ends, rounded down; free_at() from now on.
    time_fs send(time_fs earliest, std::uint32_t bytes) {
        block_until(earliest);
        // What the bytes take alone is known before the line is free; only a sum and a carry wait for it.
        const Duration alone = split(bytes * m_numerator);
        const std::uint64_t remainder = m_remainder + alone.remainder;
        const bool carry = remainder >= m_denominator;
        m_remainder = remainder - (carry ? m_denominator : 0);
        m_free += bytes * m_whole + alone.whole + (carry ? 1 : 0);
        return m_free;
    }

    /// Time that `bytes` (below 2^31) take on a free line, rounded down.
    time_fs duration(std::uint32_t bytes) const { return bytes * m_whole + split(bytes * m_numerator).whole; }

    /// Nothing starts before `until`, as while a link retrains.
    void block_until(time_fs until) {
        if (until > m_free) {
            m_free = until;
            m_remainder = 0;
        }
    }

private:
    struct Duration {
        time_fs whole;
        std::uint64_t remainder;
    };

    /// Divides by the denominator without a division: below 2^63 the product with the reciprocal is the
    /// quotient or one less.
    Duration split(std::uint64_t parts) const {
        __extension__ using Wide = unsigned __int128;
        const auto estimate = static_cast<std::uint64_t>(static_cast<Wide>(parts) * m_reciprocal >> 64);
        const std::uint64_t remainder = parts - estimate * m_denominator;
        const bool one_more = remainder >= m_denominator;
        return {static_cast<time_fs>(estimate + (one_more ? 1 : 0)),
                remainder - (one_more ? m_denominator : 0)};
    }

    time_fs m_whole;            // of a byte time
    std::uint64_t m_numerator;  // of the fraction of a byte time
    std::uint64_t m_denominator;
    std::uint64_t m_reciprocal;     // 2^64 / m_denominator
    std::uint64_t m_remainder = 0;  // fraction of a femtosecond beyond m_free, in parts of m_denominator
    time_fs m_free;
};

}  // namespace tlmetry::pcie
