// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/generator/config.hpp>
#include <tlmetry/generator/exponential.hpp>
#include <tlmetry/generator/wide.hpp>
#include <tlmetry/generator/word_stream.hpp>

#include <algorithm>
#include <cstdint>

namespace tlmetry::generator {

/// A quotient that is summed up for ever without losing its fractions: multiples of numerator / denominator
/// in whole steps.
class ExactSum {
public:
    /// `denominator` and each count below 2^44 and 2^16.
    ExactSum(std::uint64_t numerator, std::uint64_t denominator)
        : m_whole(numerator / denominator),
          m_rest(numerator % denominator),
          m_denominator(denominator),
          m_reciprocal(~std::uint64_t{0} / denominator) {}

    /// What one more adds to the whole part of the sum.
    std::uint64_t add_one() { return m_whole + carry(m_carry + m_rest); }

    /// What `count` more add.
    std::uint64_t add(std::uint32_t count) {
        const std::uint64_t parts = m_carry + count * m_rest;
        const std::uint64_t estimate = product_high(parts, m_reciprocal);  // right or one too small
        return count * m_whole + estimate + carry(parts - estimate * m_denominator);
    }

private:
    /// Keeps the fraction of `parts`, less than two wholes, and returns the whole part. No branch: whether
    /// there is one is as good as random.
    std::uint64_t carry(std::uint64_t parts) {
        const std::uint64_t rest = parts - m_denominator;
        const std::uint64_t borrow = rest >> 63;
        m_carry = rest + (m_denominator & (0 - borrow));
        return 1 - borrow;
    }

    std::uint64_t m_whole;
    std::uint64_t m_rest;
    std::uint64_t m_denominator;
    std::uint64_t m_reciprocal;  // of the denominator, times 2^64
    std::uint64_t m_carry = 0;
};

/// When the operations of a valid configuration arrive.
class Pace {
public:
    explicit Pace(const Config& config);

    /// Arrival of the next operation; `never` at the end of time.
    time_fs now() const { return m_now; }

    /// Takes a request of `bytes` bytes into account.
    void request(std::uint32_t bytes, WordStream& random, const ExponentialTable& exponential) {
        --m_burst_left;
        pass(bytes, random, exponential);
    }

    /// The same without pauses, where there are none; end_operation() is not needed then.
    void pass(std::uint32_t bytes, WordStream& random, const ExponentialTable& exponential) {
        if (m_rate == Rate::saturate) return;
        std::uint64_t distance = m_rate == Rate::requests ? m_distance.add_one() : m_distance.add(bytes);
        if (m_exponential) {
            const Wide scaled = Wide{distance} * exponential.draw(random) + m_scaled_carry;
            m_scaled_carry = static_cast<std::uint32_t>(scaled);
            distance = static_cast<std::uint64_t>(scaled >> 32);
        }
        m_now = std::min(m_now + static_cast<time_fs>(distance), never);
    }

    /// Only the number of requests counts: pass_equal() does what pass() does.
    bool equal() const { return m_rate != Rate::payload && !m_exponential; }
    /// now() may go beyond the end of time by one distance.
    void pass_equal() { m_now += static_cast<time_fs>(m_distance.add_one()); }

    /// The operation whose requests were taken into account is over.
    void end_operation() {
        for (; m_burst_left <= 0; m_burst_left += m_burst)
            m_now = std::min(m_now + m_gap, never);
    }

private:
    Rate m_rate;
    bool m_exponential;
    ExactSum m_distance;               // fs for each request or byte
    std::uint32_t m_scaled_carry = 0;  // of a fs, in steps of 2^-32
    time_fs m_now;
    std::int64_t m_burst;       // requests between two pauses
    std::int64_t m_burst_left;  // until the next pause; what an operation has too many counts for the next
    time_fs m_gap;
};

}  // namespace tlmetry::generator
