// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/explore_engine.hpp"

#include <tlmetry/app/jobs.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/explore/submission.hpp>
#include <tlmetry/explore/text.hpp>

#include <boost/program_options/parsers.hpp>
#include <boost/program_options/value_semantic.hpp>

#include <cstdlib>
#include <filesystem>
#include <thread>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;
namespace ex = tlmetry::explore;

}  // namespace

void ExploreEngine::add_options(po::options_description& description) {
    auto add = description.add_options();
    const auto text = [](std::string& variable, const char* name) {
        return po::value(&variable)->value_name(name);
    };
    add("jobs", text(m_jobs_text, "N"),
        "processes (default: as many as processors); of --engine slurm those of each task (default: 1); "
        "changes "
        "no result");
    add("engine", text(m_name, "NAME"),
        "where points are simulated: local (default), or slurm, in job arrays of a cluster");
    add("tasks", text(m_tasks_text, "N"), "tasks of --engine slurm at most (default: 100)");
    add("sbatch", po::value(&m_sbatch)->value_name("OPTIONS")->composing(),
        "options of sbatch for --engine slurm, as in --sbatch='--partition=short --time=1:00:00'");
    add("detach", po::bool_switch(&m_detach), "end as soon as the jobs of --engine slurm are submitted");
    add("slurm-job", text(m_job, "JOB"), "what the jobs of --engine slurm are started with");
}

void ExploreEngine::check(const std::vector<std::string>& words, bool search) {
    const bool slurm = m_name == "slurm";
    if (!slurm && m_name != "local")
        throw UserError("option --engine: expected local or slurm, found " + config::found(m_name));
    const auto needs_slurm = [&](bool given, const char* option) {
        if (given && !slurm)
            throw UserError(std::string("option ") + option + ": expected --engine slurm with it, found " +
                            m_name);
    };
    needs_slurm(!m_tasks_text.empty(), "--tasks");
    needs_slurm(!m_sbatch.empty(), "--sbatch");
    needs_slurm(m_detach, "--detach");
    needs_slurm(!m_job.empty(), "--slurm-job");
    if (m_detach && search && m_job.empty()) {
        throw UserError(
            "option --detach: expected no --find with it, whose steps follow from one another, found one");
    }
    m_jobs = parse_jobs(m_jobs_text.empty() && slurm ? "1" : m_jobs_text);
    if (!slurm) {
        m_local.emplace(m_jobs);
        return;
    }
    if (!m_job.empty() && !is_collection()) {
        m_first_task = parse_unsigned(m_job);
        if (!m_first_task)
            throw UserError("option --slurm-job: expected a number or collect, found " +
                            config::found(m_job));
        m_local.emplace(m_jobs);
        return;
    }
    ex::SlurmEngine::Config config;
    config.jobs = m_jobs;
    config.detach = m_detach;
    if (!m_tasks_text.empty()) {
        constexpr std::uint64_t most = 100'000;
        const auto tasks = parse_unsigned(m_tasks_text);
        if (!tasks || *tasks == 0 || *tasks > most)
            throw UserError("option --tasks: expected a number from 1 to 100000, found " +
                            config::found(m_tasks_text));
        config.tasks = *tasks;
    }
    for (const std::string& options : m_sbatch) {
        for (std::string& word : po::split_unix(options))
            config.options.push_back(std::move(word));
    }
    config.command = {std::filesystem::read_symlink("/proc/self/exe").string(), "explore"};
    config.command.insert(config.command.end(), words.begin(), words.end());
    m_slurm.emplace(std::move(config));
}

std::uint64_t ExploreEngine::task() const {
    const char* const number = std::getenv("SLURM_ARRAY_TASK_ID");
    const auto task = parse_unsigned(number == nullptr ? "" : number);
    if (!task)
        throw UserError("option --slurm-job: expected a task of Slurm with SLURM_ARRAY_TASK_ID, found none");
    return *m_first_task + *task;
}

std::unique_ptr<ex::Store> ExploreEngine::open(const std::string& folder) const {
    if (is_collection()) return std::make_unique<ex::Store>(folder, ex::Store::IfBusy::wait);
    for (;;) {
        try {
            return std::make_unique<ex::Store>(folder);
        } catch (const UserError&) {
            if (!m_slurm || !ex::collection_is_running(folder)) throw;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
}

ex::Engine& ExploreEngine::engine() {
    if (m_slurm) return *m_slurm;
    return m_local.value();
}

void ExploreEngine::tell(ex::Outcome outcome, ex::Store& store, std::uint64_t points, std::ostream& out,
                         std::ostream& err) const {
    const std::uint64_t done = store.count().done;
    const std::string name = m_slurm ? m_slurm->job_name() : "";
    const std::string so_far = points == 0 ? ex::counted(done, "point")
                                           : std::to_string(done) + " of " + ex::counted(points, "point");
    switch (outcome) {
        case ex::Outcome::whole:
            return;
        case ex::Outcome::stopped:
            err << "interrupted after " << so_far;
            if (name.empty()) {
                err << "; the same command goes on from there\n";
            } else {
                err << ", whose jobs go on; the same command watches them, scancel --name=" << name
                    << " ends them\n";
            }
            return;
        case ex::Outcome::submitted:
            out << "jobs " << name << " work on " << points - done << " of " << ex::counted(points, "point")
                << "; the same command without --detach watches them, scancel --name=" << name
                << " ends them\n";
            return;
        case ex::Outcome::lost: {
            const std::string words = ex::SubmissionFolder(store.folder()).last_words();
            err << "results of " << so_far << ", as jobs have ended before"
                << (words.empty() ? "" : " (" + words + ")")
                << "; the same command submits the others again\n";
            return;
        }
    }
}

}  // namespace tlmetry::app
