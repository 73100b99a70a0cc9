// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/slurm.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/explore/child_program.hpp>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace tlmetry::explore::slurm {

namespace {

/// What a program of Slurm prints. Its message is one sentence here.
std::string printed(const std::vector<std::string>& words) {
    const Ended ended = run_program(words);
    if (ended.code == 0) return ended.out;
    std::string message;
    std::istringstream lines(ended.err.empty() ? ended.out : ended.err);
    for (std::string line; std::getline(lines, line);) {
        for (const char* begin : {"error: ", "fatal: "}) {
            const std::size_t at = line.find(begin);
            if (at != line.npos) line.erase(0, at + std::string(begin).size());
        }
        if (!trimmed(line).empty()) message += (message.empty() ? "" : "; ") + std::string(trimmed(line));
    }
    if (message.empty()) message = "exit code " + std::to_string(ended.code);
    throw UserError(words[0] + ": " + message);
}

std::string own_user() {
    return "--user=" + std::to_string(getuid());
}

}  // namespace

const char* const queue_format = "%j|%T|%r";

std::string collection_of(const std::string& name) {
    return name + "-collect";
}

std::string Queue::text() const {
    std::string text;
    for (const auto& [state, count] : tasks) {
        std::string word = state;
        std::transform(word.begin(), word.end(), word.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + word;
        if (state == "PENDING" && !waits_for.empty()) text += " (" + waits_for + ")";
    }
    return text;
}

Queue parse_queue(const std::string& text, const std::string& name) {
    Queue queue;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find('|');
        const std::size_t second = first == line.npos ? first : line.find('|', first + 1);
        if (second == line.npos)
            throw UserError("squeue: expected NAME|STATE|REASON, found " + config::found(line));
        const std::string job = line.substr(0, first);
        const std::string state = line.substr(first + 1, second - first - 1);
        const std::string reason = line.substr(second + 1);
        if (job == collection_of(name) && state == "RUNNING") queue.collecting = true;
        if (job != name) continue;
        ++queue.tasks[state];
        if (state == "PENDING" && queue.waits_for.empty() && reason != "None") queue.waits_for = reason;
    }
    return queue;
}

std::uint64_t parse_max_array_size(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t sign = std::min(line.find('='), line.size());
        if (trimmed(std::string_view(line).substr(0, sign)) != "MaxArraySize") continue;
        const auto size =
            parse_unsigned(trimmed(std::string_view(line).substr(std::min(sign + 1, line.size()))));
        if (size && *size > 0) return *size;
        throw UserError("scontrol: expected a MaxArraySize above 0, found " + config::found(line));
    }
    throw UserError("scontrol: expected MaxArraySize in the configuration of Slurm, found none");
}

Queue queue(const std::string& name) {
    return parse_queue(
        printed({"squeue", "--noheader", "--array", own_user(), "--name=" + name + "," + collection_of(name),
                 std::string("--format=") + queue_format}),
        name);
}

std::uint64_t max_array_size() {
    const auto config = [] {
        try {
            return printed({"scontrol", "show", "config"});
        } catch (const UserError& error) {
            throw UserError(
                "option --engine: expected a cluster whose Slurm answers, found that it does not (" +
                std::string(error.what()) + ")");
        }
    };
    return parse_max_array_size(config());
}

std::string submit(const std::vector<std::string>& words) {
    std::vector<std::string> all = {"sbatch", "--parsable"};
    all.insert(all.end(), words.begin(), words.end());
    const std::string answer = printed(all);
    // The number, and a semicolon and the cluster where there are several.
    return answer.substr(0, answer.find_first_of(";\n"));
}

void cancel(const std::string& name) {
    printed({"scancel", own_user(), "--name=" + name});
}

}  // namespace tlmetry::explore::slurm
