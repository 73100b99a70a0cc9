// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/engine.hpp>
#include <tlmetry/explore/slurm.hpp>
#include <tlmetry/explore/submission.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::explore {

/// Runs points in jobs of Slurm, whose nodes see the folder of the store: in arrays, a task for each slice of
/// the points, and a job behind them that brings the parts together, so that nobody has to wait for it. Who
/// waits brings them together itself.
///
/// Jobs that an earlier call has submitted are watched to their end first. What they lack then is lost; what
/// they were not asked for is submitted.
class SlurmEngine : public Engine {
public:
    struct Config {
        std::uint64_t tasks = 100;         ///< at most, for the points of one call
        std::size_t jobs = 1;              ///< processes, and processors, of a task
        std::vector<std::string> options;  ///< more options of sbatch
        /// What jobs run. Behind it comes `--slurm-job=`, and the first task of an array, or `collect`.
        std::vector<std::string> command;
        bool detach = false;  ///< submit, and wait for nothing
    };

    explicit SlurmEngine(Config config) : m_config(std::move(config)) {}
    Outcome run(const Plan& plan, const Points& points, Store& store, const Watch& watch) override;

    /// The name of the jobs of the last call; empty if it had none.
    const std::string& job_name() const { return m_job_name; }

private:
    Outcome go_on(const Plan& plan, Store& store, const Watch& watch);
    std::uint64_t write_missing(const Plan& plan, const Points& points, Store& store, const Watch& watch);
    void submit(const Plan& plan, const SubmissionFolder& folder, std::uint64_t points);
    Outcome await(const Submission& submission, Store& store, const Watch& watch);

    Config m_config;
    std::string m_job_name;
    Progress m_progress;
};

/// The results in a folder are brought together at the moment by the job that is there for it.
bool collection_is_running(const std::string& results);

}  // namespace tlmetry::explore
