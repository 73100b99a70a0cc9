// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/outputs.hpp>
#include <tlmetry/explore/plan.hpp>
#include <tlmetry/explore/store.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace tlmetry::explore {

/// Numbers of one kind, without keeping them.
class Tally {
public:
    void add(double value);

    std::uint64_t count() const { return m_count; }
    double mean() const { return m_mean; }
    /// Standard deviation, of two or more.
    double deviation() const;
    /// Of the interval that has the true mean with a probability of 95 %; 0 of less than two.
    double half_width() const;

private:
    std::uint64_t m_count = 0;
    double m_mean = 0;
    double m_squares = 0;  // of distances from the mean
};

/// Values of one output, numbers or texts.
class Values {
public:
    void add(const Value& value);

    const Tally& numbers() const { return m_numbers; }
    /// The mean of numbers, or the text that comes most often; nothing of nothing.
    Value value() const;

private:
    Tally m_numbers;
    std::map<std::string, std::uint64_t> m_texts;
};

/// Points that differ in their repetition only, as far as they have results.
struct Combination {
    Point point;  ///< the first of them
    std::uint64_t succeeded = 0;
    std::uint64_t failed = 0;
    std::vector<Values> outputs;  ///< as those of the plan
};

/// One after the other, in the order of the plan.
void each_combination(const Plan& plan, Store& store,
                      const std::function<void(const Combination& combination)>& visit);

/// A row for each combination: first point, base, parameters of the axes, repetitions, and of each output
/// mean, standard deviation and half the width of the interval of 95 %; of texts the most frequent one.
void write_summary_csv(std::ostream& out, const Plan& plan, Store& store);

}  // namespace tlmetry::explore
