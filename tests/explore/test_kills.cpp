// SPDX-License-Identifier: BSD-3-Clause
// The program and its workers are killed: the results are those of an undisturbed run.
#include "program.hpp"

#include <tlmetry/base/random.hpp>
#include <tlmetry/explore/store.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

using namespace tlmetry;
using Catch::Contains;
using test::quick_plan;
using test::Result;
using test::run_explore;

namespace {

/// `tlmetry explore plan.ini` in a folder, in the background.
class Running {
public:
    Running(const test::TemporaryFolder& folder, const std::string& output, const std::string& jobs) {
        m_pid = fork();
        REQUIRE(m_pid >= 0);
        if (m_pid != 0) return;
        if (chdir(folder.path("").c_str()) != 0) _exit(126);
        if (std::freopen("/dev/null", "w", stdout) == nullptr ||
            std::freopen("stderr", "a", stderr) == nullptr)
            _exit(126);
        execl(TLMETRY_PROGRAM, "tlmetry", "explore", "plan.ini", "-o", output.c_str(), "--jobs", jobs.c_str(),
              static_cast<char*>(nullptr));
        _exit(127);
    }
    ~Running() {
        if (m_pid > 0) wait();
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    pid_t pid() const { return m_pid; }

    /// Its workers at the moment; empty if it has ended.
    std::vector<pid_t> workers() const {
        const std::string pid = std::to_string(m_pid);
        std::ifstream children("/proc/" + pid + "/task/" + pid + "/children");
        std::vector<pid_t> result;
        for (pid_t child = 0; children >> child;)
            result.push_back(child);
        return result;
    }

    bool ended() {
        siginfo_t info = {};
        return waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
               info.si_pid != 0;
    }

    /// Its workers, as soon as it has some; empty if it has ended.
    std::vector<pid_t> await_workers() {
        std::vector<pid_t> result;
        while (result.empty() && !ended()) {
            result = workers();
            if (result.empty()) std::this_thread::yield();
        }
        return result;
    }

    int wait() {
        int status = 0;
        REQUIRE(waitpid(m_pid, &status, 0) == m_pid);
        m_pid = -1;
        return status;
    }

private:
    pid_t m_pid;
};

void check_same_files(const test::TemporaryFolder& folder, const std::string& a, const std::string& b) {
    for (const char* name : {"/results.csv", "/results.json"})
        CHECK(test::read_file(folder.path(a + name)) == test::read_file(folder.path(b + name)));
}

}  // namespace

TEST_CASE("killed at fifty moments, it ends with the results of an undisturbed run") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini",
                 "[explore]\nrepetitions = 3\noutputs = useful_rate, F4, verdict.first, endpoint0.reads\n" +
                     quick_plan.substr(quick_plan.find("base")) +
                     "[axes]\nptc.tags = 16..256 lin 20\ntraffic.read_size.bytes = 64B, 128B, 512B\n");
    REQUIRE(run_explore(folder, "plan.ini -o undisturbed").code == 0);

    Random random(1, "moments");
    int whole_runs = 0, killed_runs = 0, killed_workers = 0;
    const auto output = [&] { return "killed" + std::to_string(whole_runs); };
    while (killed_runs + killed_workers < 50) {
        Running running(folder, output(), "2");
        // Workers are killed while it goes on; in the end it is killed itself, or has done all.
        while (!running.await_workers().empty()) {
            std::this_thread::sleep_for(std::chrono::microseconds(random.below(60'000)));
            const std::vector<pid_t> workers = running.workers();
            if (workers.empty()) continue;
            if (random.chance(1, 2)) {
                REQUIRE(kill(running.pid(), SIGKILL) == 0);
                break;
            }
            kill(workers[random.below(static_cast<std::uint32_t>(workers.size()))], SIGKILL);
            ++killed_workers;
        }
        const int status = running.wait();
        if (WIFSIGNALED(status)) {
            CHECK(WTERMSIG(status) == SIGKILL);
            ++killed_runs;
            continue;
        }
        CHECK(WEXITSTATUS(status) == 0);
        check_same_files(folder, output(), "undisturbed");
        ++whole_runs;
    }
    CHECK(killed_runs > 5);
    CHECK(killed_workers > 5);
    const Result last = run_explore(folder, "plan.ini -o " + output());
    CHECK(last.code == 0);
    check_same_files(folder, output(), "undisturbed");
    CHECK(test::read_file(folder.path("stderr")) == "");
}

TEST_CASE("workers end with the program, whatever ends it") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini", "[run]\nduration = 3600s\n");
    Running running(folder, "results", "1");
    const std::vector<pid_t> workers = running.await_workers();
    REQUIRE(workers.size() == 1);
    REQUIRE(kill(running.pid(), SIGKILL) == 0);
    running.wait();
    // Somebody waits for it, and it is no more.
    while (kill(workers[0], 0) == 0) {
        std::ifstream stat("/proc/" + std::to_string(workers[0]) + "/stat");
        std::string pid, name, state;
        if (stat >> pid >> name >> state && state == "Z") break;
        std::this_thread::yield();
    }
    SUCCEED("the worker has ended");
}

TEST_CASE("a point whose process crashes is tried twice, and the others go on") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini", quick_plan + "[ptc]\ntags = 64\n[axes]\nrun.duration = 3600s, 20us, 30us\n");
    const std::string plan = test::read_file(folder.path("plan.ini"));
    folder.write("plan.ini", plan.substr(0, plan.find("duration")) + plan.substr(plan.find("warmup")));
    {
        Running running(folder, "results", "1");
        const pid_t first = running.await_workers().at(0);
        REQUIRE(kill(first, SIGABRT) == 0);
        std::vector<pid_t> next;
        while (next.empty() || next[0] == first)
            next = running.await_workers();
        REQUIRE(kill(next[0], SIGABRT) == 0);
        CHECK(WEXITSTATUS(running.wait()) == 1);
    }
    const std::string csv = test::read_file(folder.path("results/results.csv"));
    CHECK_THAT(csv, Contains(",its process was ended by signal 6 (Aborted)\n"));
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 4);
    // It is tried again the next time.
    folder.write("plan.ini", test::read_file(folder.path("plan.ini")) + "# the same points\n");
    Running again(folder, "results", "1");
    REQUIRE(again.await_workers().size() == 1);
    REQUIRE(kill(again.pid(), SIGKILL) == 0);
}

TEST_CASE("a second program on the same folder is refused") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini", "[run]\nduration = 3600s\n");
    Running running(folder, "results", "1");
    REQUIRE(running.await_workers().size() == 1);
    const Result second = run_explore(folder, "plan.ini -o results");
    CHECK(second.code == 2);
    CHECK(second.out == "");
    CHECK(second.err ==
          "tlmetry: results: expected a folder that nothing else works on, found results, on which process " +
              std::to_string(running.pid()) + " does\n");
    REQUIRE(kill(running.pid(), SIGKILL) == 0);
}
