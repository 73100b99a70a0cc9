// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/engine.hpp>
#include <tlmetry/explore/slurm_engine.hpp>
#include <tlmetry/explore/store.hpp>

#include <boost/program_options/options_description.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace tlmetry::app {

/// Options of `tlmetry explore` that say where points are simulated, and what comes of them.
class ExploreEngine {
public:
    void add_options(boost::program_options::options_description& description);
    /// Throws UserError for values that are none, or do not go together. `words` are all words of the
    /// command.
    void check(const std::vector<std::string>& words, bool search);

    std::size_t jobs() const { return m_jobs; }

    /// The program is a job of a cluster itself, and does this.
    bool is_task() const { return m_first_task.has_value(); }
    bool is_collection() const { return m_job == "collect"; }
    /// Number of the task that this job is. Throws UserError outside of one.
    std::uint64_t task() const;

    /// Opens the store; waits for a job that brings results together in it.
    std::unique_ptr<explore::Store> open(const std::string& folder) const;
    explore::Engine& engine();

    /// What there is to say after an outcome that is not whole, of so many points (0: nobody knows).
    void tell(explore::Outcome outcome, explore::Store& store, std::uint64_t points, std::ostream& out,
              std::ostream& err) const;

private:
    std::string m_name = "local";
    std::string m_jobs_text;
    std::string m_tasks_text;
    std::vector<std::string> m_sbatch;
    bool m_detach = false;
    std::string m_job;
    std::size_t m_jobs = 1;
    std::optional<std::uint64_t> m_first_task;
    std::optional<explore::LocalEngine> m_local;
    std::optional<explore::SlurmEngine> m_slurm;
};

}  // namespace tlmetry::app
