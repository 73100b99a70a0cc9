// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/submission.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/explore/slices.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace tlmetry::explore {

namespace {

namespace fs = std::filesystem;

/// Replaces a file as a whole, whoever reads it meanwhile.
void replace(const std::string& file, const std::string& text) {
    const std::string next = file + ".next";
    std::ofstream out(next, std::ios::binary);
    out << text;
    out.close();
    std::error_code error;
    if (out) fs::rename(next, file, error);
    if (!out || error) throw UserError("results: " + file + " cannot be written");
}

std::string submission_file(const std::string& folder) {
    return folder + "/submission";
}

}  // namespace

std::string SubmissionFolder::log(const std::string& name) const {
    std::string text;
    for (const char c : m_folder)
        text += c == '%' ? "%%" : std::string(1, c);
    return text + "/log/" + name;
}

void SubmissionFolder::clear() const {
    remove();
    std::error_code error;
    if (!fs::create_directories(m_folder + "/log", error))
        throw UserError("results: cannot make the folder " + m_folder + "/log: " + error.message());
}

void SubmissionFolder::remove() const {
    std::error_code error;
    // Without this file the rest is nothing, if not all of it can be removed at once.
    fs::remove(submission_file(m_folder), error);
    fs::remove_all(m_folder, error);
}

void SubmissionFolder::write(const Submission& submission) const {
    replace(submission_file(m_folder),
            submission.name + " " + submission.plan + " " + std::to_string(submission.tasks) + "\n");
}

std::optional<Submission> SubmissionFolder::read() const {
    std::ifstream in(submission_file(m_folder));
    Submission submission;
    if (!(in >> submission.name >> submission.plan >> submission.tasks)) return {};
    return submission;
}

Points SubmissionFolder::points() const {
    auto in = std::make_shared<std::ifstream>(points_file());
    if (!*in) throw UserError("results: " + points_file() + " cannot be read");
    return read_points(std::move(in), points_file());
}

void SubmissionFolder::write_progress(std::uint64_t task, const Store::Count& count) const {
    replace(part(task) + "/progress", std::to_string(count.done) + " " + std::to_string(count.failed) + "\n");
}

Store::Count SubmissionFolder::progress(const Submission& submission) const {
    Store::Count all;
    for (std::uint64_t task = 0; task < submission.tasks; ++task) {
        std::ifstream in(part(task) + "/progress");
        Store::Count count;
        if (!(in >> count.done >> count.failed)) continue;
        all.done += count.done;
        all.failed += count.failed;
    }
    return all;
}

bool SubmissionFolder::take_over(const Submission& submission, Store& store) const {
    bool all = true;
    for (std::uint64_t task = 0; task < submission.tasks; ++task)
        all &= store.take_over_folder(part(task));
    return all;
}

std::string SubmissionFolder::last_words() const {
    std::string words;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(m_folder + "/log", error)) {
        std::ifstream in(entry.path());
        std::string last;
        for (std::string line; std::getline(in, line);) {
            if (!trimmed(line).empty()) last = line;
        }
        // The same one whatever order they come in.
        const std::string candidate = entry.path().string() + ": " + config::printable(trimmed(last));
        if (!last.empty() && (words.empty() || candidate < words)) words = candidate;
    }
    return words;
}

bool run_task(const Plan& plan, const std::string& results, std::uint64_t task, std::size_t jobs,
              const Watch& watch) {
    const SubmissionFolder folder(results);
    const std::optional<Submission> submission = folder.read();
    if (!submission || submission->plan != plan.digest() || task >= submission->tasks) {
        throw UserError("results: expected in " + folder.path() + " a submission of " + plan.file() +
                        " as it is now, found " + (submission ? "another one" : "none"));
    }
    // A node that was given up may still work on it.
    Store store(folder.part(task), Store::IfBusy::wait);
    store.begin(plan);
    auto next = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    const bool whole = LocalEngine(jobs).run(plan, slice(folder.points(), task, submission->tasks), store,
                                             [&](const Progress& now) {
                                                 constexpr auto interval = std::chrono::seconds(1);
                                                 if (std::chrono::steady_clock::now() >= next) {
                                                     folder.write_progress(task, store.count());
                                                     next = std::chrono::steady_clock::now() + interval;
                                                 }
                                                 return !watch || watch(now);
                                             }) == Outcome::whole;
    folder.write_progress(task, store.count());
    return whole;
}

bool collect(const Plan& plan, Store& store) {
    const SubmissionFolder folder(store.folder());
    const std::optional<Submission> submission = folder.read();
    if (!submission || submission->plan != plan.digest()) return false;
    store.begin(plan);
    const bool free = folder.take_over(*submission, store);
    if (free && !store.lacks(folder.points())) folder.remove();
    return true;
}

}  // namespace tlmetry::explore
