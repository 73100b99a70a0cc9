// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/outputs.hpp>
#include <tlmetry/explore/plan.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tlmetry::explore {

/// What is known of a point.
struct Result {
    std::string error;    ///< one sentence; empty if it could be simulated
    bool settled = true;  ///< false: the same point may do better another time, as after a crash
    std::string values;   ///< a JSON array with one value for each output of the plan; empty with an error
    double wall_s = 0;    ///< that its simulation took
};

/// A point of a plan, ready to be simulated.
class PointRun {
public:
    PointRun(const Plan& plan, const Point& point);

    /// Of everything that decides the result: a point with the same key has the same one.
    const std::string& key() const { return m_key; }
    /// Why it cannot be simulated; empty if it can.
    const std::string& error() const { return m_error; }
    const PointParameters& parameters() const { return m_parameters; }

    /// Simulates it. For a shorter look `duration_fs` comes in the place of run.duration.
    Result run(time_fs duration_fs = 0) const;

private:
    std::string make_key() const;

    const Plan& m_plan;
    PointParameters m_parameters;
    device::SimulatedCard::Config m_card;
    std::string m_error;
    std::string m_key;
};

}  // namespace tlmetry::explore
