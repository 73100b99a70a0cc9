// SPDX-License-Identifier: BSD-3-Clause
#include "runs.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace tlmetry::test {

namespace {

namespace fs = std::filesystem;

bool runs_the_program(const std::string& process) {
    std::error_code error;
    return fs::read_symlink("/proc/" + process + "/exe", error) == fs::path(TLMETRY_PROGRAM) && !error;
}

bool is_of_this_test(const std::string& process) {
    std::ifstream file("/proc/" + process + "/environ");
    const std::string wanted = "SLURM_CONF=" + std::string(std::getenv("SLURM_CONF"));
    for (std::string variable; std::getline(file, variable, '\0');) {
        if (variable == wanted) return true;
    }
    return false;
}

std::string parent_of(const std::string& process) {
    std::ifstream status("/proc/" + process + "/status");
    for (std::string word; status >> word;) {
        if (word == "PPid:" && status >> word) return word;
    }
    return "";
}

}  // namespace

std::vector<pid_t> workers() {
    std::vector<pid_t> result;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const std::string process = entry.path().filename();
        if (process.find_first_not_of("0123456789") == process.npos && runs_the_program(process) &&
            runs_the_program(parent_of(process)) && is_of_this_test(process))
            result.push_back(std::stoi(process));
    }
    return result;
}

void end_long_points(const std::function<bool()>& done) {
    wait_until([&] {
        for (const pid_t worker : workers())
            kill(worker, SIGABRT);
        return done();
    });
}

std::string end_long_points(Terminal& terminal) {
    std::atomic<bool> ended = false;
    std::thread crashes([&] { end_long_points([&] { return ended.load(); }); });
    std::string screen = terminal.screen();
    ended = true;
    crashes.join();
    return screen;
}

void explore_locally(const TemporaryFolder& folder) {
    Terminal terminal("cd " + folder.path("") + " && exec " + TLMETRY_PROGRAM +
                      " explore plan.ini -o local --jobs 2");
    terminal.wait_for("4 of 6 points");
    end_long_points(terminal);
}

}  // namespace tlmetry::test
