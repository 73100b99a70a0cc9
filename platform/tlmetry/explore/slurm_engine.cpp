// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/slurm_engine.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/explore/digest.hpp>
#include <tlmetry/explore/slices.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

namespace tlmetry::explore {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* slurm_job_option = "slurm-job";
constexpr auto look_interval = std::chrono::milliseconds(100);

/// A word of a shell.
std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
}

/// One that no other jobs have.
std::string new_name(const std::string& folder) {
    constexpr std::size_t digits = 12;
    Digest digest;
    digest.add(fs::absolute(folder).string()).add(std::to_string(getpid()));
    digest.add(std::to_string(std::chrono::system_clock::now().time_since_epoch().count()));
    return "tlmetry-" + digest.hex().substr(0, digits);
}

void write_script(const std::string& name, const std::vector<std::string>& command) {
    std::ofstream file(name);
    file << "#!/bin/sh\n"
         << "cd " << quoted(fs::current_path().string()) << " && exec";
    for (const std::string& word : command)
        file << ' ' << quoted(word);
    file << " --" << slurm_job_option << "=\"$1\"\n";
    file.close();
    if (!file) throw UserError("results: " + name + " cannot be written");
}

/// Where it is as well if it cannot be done.
void cancel(const std::string& name) {
    try {
        slurm::cancel(name);
    } catch (const UserError&) {
        // Without its folder a job does nothing.
    }
}

/// When to ask Slurm again: the longer it takes, the more patiently, as its controller has more to do.
class Patience {
public:
    bool due() {
        const Clock::time_point now = Clock::now();
        if (now < m_next) return false;
        constexpr Clock::duration shortest = std::chrono::milliseconds(300);
        constexpr Clock::duration longest = std::chrono::seconds(10);
        m_next = now + std::clamp((now - m_begin) / 10, shortest, longest);
        return true;
    }

private:
    Clock::time_point m_begin = Clock::now();
    Clock::time_point m_next = m_begin;
};

/// Thrown out of the search for what is missing, when who watches ends it.
struct Stopped {};

}  // namespace

Outcome SlurmEngine::run(const Plan& plan, const Points& points, Store& store, const Watch& watch) {
    m_job_name.clear();
    m_progress = {};
    const Outcome before = go_on(plan, store, watch);
    if (before != Outcome::whole) return before;
    const SubmissionFolder folder(store.folder());
    folder.clear();
    std::uint64_t missing = 0;
    try {
        missing = write_missing(plan, points, store, watch);
        if (missing != 0) submit(plan, folder, missing);
    } catch (const Stopped&) {
        folder.remove();
        return Outcome::stopped;
    } catch (const UserError&) {
        folder.remove();
        throw;
    }
    if (missing == 0) {
        folder.remove();
        return Outcome::whole;
    }
    if (m_config.detach) return Outcome::submitted;
    return await(*folder.read(), store, watch);
}

/// With what an earlier call has submitted. Afterwards nobody needs its folder any more, if the outcome is
/// whole.
Outcome SlurmEngine::go_on(const Plan& plan, Store& store, const Watch& watch) {
    const SubmissionFolder folder(store.folder());
    const std::optional<Submission> earlier = folder.read();
    if (!earlier) return Outcome::whole;
    if (slurm::queue(earlier->name).tasks.empty()) {
        if (await(*earlier, store, watch) == Outcome::stopped) return Outcome::stopped;
        m_job_name.clear();
        return Outcome::whole;
    }
    if (earlier->plan != plan.digest()) {
        throw UserError("results: expected the plan whose jobs are still at work on " + store.folder() +
                        ", found a changed one in " + plan.file() + "; scancel --name=" + earlier->name +
                        " ends them");
    }
    m_job_name = earlier->name;
    if (m_config.detach) return Outcome::submitted;
    m_progress.known = store.count().done;
    return await(*earlier, store, watch);
}

/// Into the file of the submission. Returns how many they are.
std::uint64_t SlurmEngine::write_missing(const Plan& plan, const Points& points, Store& store,
                                         const Watch& watch) {
    const std::string name = SubmissionFolder(store.folder()).points_file();
    std::ofstream file(name);
    PointWriter missing(file);
    // Otherwise nothing is known by keys that is not known by points, and keys take their time.
    const bool others = store.has_others();
    m_progress = {};
    for (std::optional<std::uint64_t> index = points(); index; index = points()) {
        bool known = store.has_point(*index);
        if (!known && others) {
            const PointRun point(plan, plan.point(*index));
            known = store.has_key(point.key());
            if (known) store.place(*index, point.key());
            if (watch && !watch(m_progress)) throw Stopped();
        }
        if (known) {
            ++m_progress.known;
        } else {
            missing.add(*index);
        }
    }
    missing.finish();
    file.close();
    if (!file) throw UserError("results: " + name + " cannot be written");
    return missing.count();
}

void SlurmEngine::submit(const Plan& plan, const SubmissionFolder& folder, std::uint64_t points) {
    const Submission submission{new_name(folder.path()), plan.digest(), std::min(m_config.tasks, points)};
    const std::uint64_t largest = slurm::max_array_size();
    write_script(folder.script(), m_config.command);
    folder.write(submission);
    m_job_name = submission.name;

    std::vector<std::string> common = {"--requeue", "--open-mode=append"};
    common.insert(common.end(), m_config.options.begin(), m_config.options.end());
    const auto job = [&](const std::string& name, const std::vector<std::string>& own,
                         const std::string& argument) {
        std::vector<std::string> words = common;
        words.push_back("--job-name=" + name);
        words.insert(words.end(), own.begin(), own.end());
        words.push_back(folder.script());
        words.push_back(argument);
        return slurm::submit(words);
    };
    try {
        std::string arrays;
        for (std::uint64_t first = 0; first < submission.tasks; first += largest) {
            const std::uint64_t last = std::min(largest, submission.tasks - first) - 1;
            arrays += ":" + job(submission.name,
                                {"--cpus-per-task=" + std::to_string(m_config.jobs),
                                 "--array=0-" + std::to_string(last), "--output=" + folder.log("%A_%a")},
                                std::to_string(first));
        }
        job(slurm::collection_of(submission.name),
            {"--dependency=afterany" + arrays, "--output=" + folder.log("collect")}, "collect");
    } catch (const UserError&) {
        cancel(submission.name);
        throw;
    }
}

/// Until no task of the jobs is left.
Outcome SlurmEngine::await(const Submission& submission, Store& store, const Watch& watch) {
    const SubmissionFolder folder(store.folder());
    m_job_name = submission.name;
    const Progress before = m_progress;
    std::optional<Store::Count> first;
    Patience patience;
    for (bool ended = false; !ended;) {
        if (patience.due()) {
            const Store::Count count = folder.progress(submission);
            if (!first) first = count;
            m_progress = before;
            m_progress.known += first->done;
            // A task that begins again may have forgotten failures.
            m_progress.simulated += std::max(count.done, first->done) - first->done;
            m_progress.failed += count.failed;
            bool gone = false;
            try {
                const slurm::Queue queue = slurm::queue(submission.name);
                m_progress.workers = queue.text();
                gone = queue.tasks.empty();
            } catch (const UserError& error) {
                m_progress.workers = error.what();  // Slurm may be back soon
            }
            if (gone) {
                ended = folder.take_over(submission, store);
                m_progress.workers = "waiting for a process that Slurm has given up";
            }
        }
        if (watch && !watch(m_progress)) {
            folder.take_over(submission, store);
            return Outcome::stopped;
        }
        if (!ended) std::this_thread::sleep_for(look_interval);
    }
    m_progress.workers.clear();
    cancel(slurm::collection_of(submission.name));
    if (store.lacks(folder.points())) return Outcome::lost;
    folder.remove();
    m_job_name.clear();
    return Outcome::whole;
}

bool collection_is_running(const std::string& results) {
    const std::optional<Submission> submission = SubmissionFolder(results).read();
    return submission && slurm::queue(submission->name).collecting;
}

}  // namespace tlmetry::explore
