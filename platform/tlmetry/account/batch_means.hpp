// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace tlmetry::account {

/// A rate, and how well it is known.
struct Confidence {
    std::size_t batches = 0;
    double mean = 0;        ///< per second
    double half_width = 0;  ///< of the interval that has the true rate with a probability of 95 %
};

/// 97.5 % of Student's t, which makes intervals of 95 %.
double student_t(double freedom);

/// The rate of something that goes on, from equal pieces of time behind one another. Neighbouring pieces
/// depend on one another less the longer they are: as soon as there are twice as many as needed, pairs of
/// them become one.
class BatchMeans {
public:
    /// From so many on an interval is worth something.
    static constexpr std::size_t least_batches = 20;

    explicit BatchMeans(double batch_s) : m_batch_s(batch_s) {}

    /// What happened in the next piece of time of the length given to the constructor.
    void add(double amount);

    Confidence confidence() const;
    /// The interval is at most this part of the rate to each side; false with too few batches.
    bool within(double part) const;

private:
    double m_batch_s;               // of one piece
    std::size_t m_pieces = 1;       // in a batch
    std::size_t m_in_last = 0;      // pieces in the one that is not complete
    double m_last = 0;              // amount in it
    std::vector<double> m_amounts;  // of complete batches
};

}  // namespace tlmetry::account
