// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/engine.hpp>
#include <tlmetry/explore/plan.hpp>
#include <tlmetry/explore/store.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace tlmetry::explore {

/// Points that have been given to the jobs of a cluster.
struct Submission {
    std::string name;         ///< of the jobs
    std::string plan;         ///< its digest
    std::uint64_t tasks = 0;  ///< each with a slice() of the points
};

/// The folder of a submission, `slurm` in the folder of results. All nodes see it.
class SubmissionFolder {
public:
    explicit SubmissionFolder(const std::string& results) : m_folder(results + "/slurm") {}

    const std::string& path() const { return m_folder; }
    std::string points_file() const { return m_folder + "/points"; }
    std::string script() const { return m_folder + "/job.sh"; }
    /// The folder of the results of a task.
    std::string part(std::uint64_t task) const { return m_folder + "/task" + std::to_string(task); }
    /// Where jobs print to, for sbatch; `name` may have its signs, as in `%A_%a`.
    std::string log(const std::string& name) const;

    /// Begins anew: without points and without a submission.
    void clear() const;
    /// The points in points_file() are submitted as this.
    void write(const Submission& submission) const;
    /// What was written last, if it is there.
    std::optional<Submission> read() const;
    void remove() const;

    /// The points of the submission. Throws UserError.
    Points points() const;

    /// Tells how far a task is, for those who watch.
    void write_progress(std::uint64_t task, const Store::Count& count) const;
    /// How far all of them are.
    Store::Count progress(const Submission& submission) const;

    /// Takes over what the tasks have done. False if one of them is still at work, whose results are left
    /// out.
    bool take_over(const Submission& submission, Store& store) const;

    /// The last line of a log in which there is something, with the name of the file; else nothing.
    std::string last_words() const;

private:
    std::string m_folder;
};

/// What a task does: its points of the submission in the folder of results, into its own part. False if
/// `watch` has ended it. Throws UserError if it is not this plan that was submitted.
bool run_task(const Plan& plan, const std::string& results, std::uint64_t task, std::size_t jobs,
              const Watch& watch);

/// Takes over what all tasks have done, and forgets the submission if no result is missing. False if there
/// was none of this plan.
bool collect(const Plan& plan, Store& store);

}  // namespace tlmetry::explore
