// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/explore/worker_pool.hpp>

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>

using tlmetry::explore::WorkerPool;
using Event = WorkerPool::Event;

namespace {

constexpr auto long_time = std::chrono::milliseconds(10'000);

std::string work(const std::string& task, const WorkerPool::Ask& ask) {
    std::signal(SIGABRT, SIG_DFL);  // not a matter of the test framework here
    if (task == "abort") std::abort();
    if (task == "throw") throw 1;
    if (task == "exit") _exit(7);
    if (task == "hang")
        for (;;)
            pause();
    if (task == "ask") return "answered " + ask("question");
    if (task == "pid") return std::to_string(getpid());
    return task + task;
}

/// The next event, however long it takes.
Event next(WorkerPool& pool) {
    for (;;) {
        const auto events = pool.events(long_time);
        if (events.empty()) continue;
        REQUIRE(events.size() == 1);
        return events.front();
    }
}

}  // namespace

TEST_CASE("workers do tasks in processes of their own") {
    WorkerPool pool(2, work);
    pool.start(0, "pid");
    const std::string first = next(pool).text;
    CHECK(first != std::to_string(getpid()));
    pool.start(1, "pid");
    CHECK(next(pool).text != first);
    pool.start(0, "pid");
    CHECK(next(pool).text == first);
    pool.start(0, "x");
    CHECK(pool.busy(0));
    CHECK_FALSE(pool.busy(1));
    const Event event = next(pool);
    CHECK(event.kind == Event::result);
    CHECK(event.worker == 0);
    CHECK(event.text == "xx");
    CHECK_FALSE(pool.busy(0));
}

TEST_CASE("workers can ask") {
    WorkerPool pool(1, work);
    pool.start(0, "ask");
    const Event question = next(pool);
    CHECK(question.kind == Event::question);
    CHECK(question.text == "question");
    pool.answer(0, "yes");
    CHECK(next(pool).text == "answered yes");
}

TEST_CASE("the death of a worker costs its task only") {
    WorkerPool pool(1, work);
    for (const char* task : {"abort", "throw"}) {
        pool.start(0, task);
        const Event death = next(pool);
        CHECK(death.kind == Event::death);
        REQUIRE(WIFSIGNALED(death.status));
        CHECK(WTERMSIG(death.status) == SIGABRT);
    }
    pool.start(0, "exit");
    const Event end = next(pool);
    CHECK(WEXITSTATUS(end.status) == 7);
    pool.start(0, "hang");
    pool.kill(0);
    CHECK(WTERMSIG(next(pool).status) == SIGKILL);
    pool.start(0, "y");
    CHECK(next(pool).text == "yy");
}

TEST_CASE("a worker that is killed while it has nothing to do is replaced") {
    WorkerPool pool(1, work);
    pool.start(0, "pid");
    const pid_t pid = std::stoi(next(pool).text);
    REQUIRE(kill(pid, SIGKILL) == 0);
    while (pool.events(long_time).empty() && kill(pid, 0) == 0) {
    }
    pool.start(0, "z");
    CHECK(next(pool).text == "zz");
}

TEST_CASE("no worker outlives the pool") {
    pid_t pid = 0;
    {
        WorkerPool pool(1, work);
        pool.start(0, "pid");
        pid = std::stoi(next(pool).text);
        pool.start(0, "hang");
    }
    CHECK(kill(pid, 0) == -1);
}
