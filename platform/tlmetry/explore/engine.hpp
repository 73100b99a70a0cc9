// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/plan.hpp>
#include <tlmetry/explore/store.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace tlmetry::explore {

/// How far it is.
struct Progress {
    std::uint64_t simulated = 0;  ///< now; points whose result was there do not count
    std::uint64_t known = 0;      ///< whose result was there
    std::uint64_t failed = 0;     ///< of those that were simulated now
    std::string workers = "";     ///< what works on them, where there is something to say about it

    Progress& operator+=(const Progress& other) {
        simulated += other.simulated;
        known += other.known;
        failed += other.failed;
        workers += other.workers;
        return *this;
    }
};

/// Called now and then; false: ends the work at once.
using Watch = std::function<bool(const Progress& progress)>;

/// How the work on points has ended.
enum class Outcome {
    whole,      ///< each of them has a result
    stopped,    ///< by who watches
    submitted,  ///< others work on them now
    lost,       ///< what worked on some of them has ended before
};

/// What runs points of a plan and brings their results into a store.
class Engine {
public:
    virtual ~Engine() = default;

    /// Throws UserError for what concerns all points.
    virtual Outcome run(const Plan& plan, const Points& points, Store& store, const Watch& watch) = 0;
};

/// Runs them in processes of this machine. Their number changes no result. The process must have no other
/// thread.
///
/// A point whose process dies by itself is simulated once more, and then has that as its error. Something
/// that has ended the process from outside is no property of the point: it is simulated again.
class LocalEngine : public Engine {
public:
    explicit LocalEngine(std::size_t jobs) : m_jobs(jobs) {}
    Outcome run(const Plan& plan, const Points& points, Store& store, const Watch& watch) override;

private:
    std::size_t m_jobs;
};

/// How long the points of a plan would take, from some of them that are simulated for a moment.
struct Estimate {
    double point_s = 0;  ///< of one, on average
    std::uint64_t looked_at = 0;
    std::uint64_t failed = 0;  ///< of those
};
Estimate estimate(const Plan& plan, std::size_t jobs, const Watch& watch);

}  // namespace tlmetry::explore
