// SPDX-License-Identifier: BSD-3-Clause
#include "plans.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/explore/result_files.hpp>
#include <tlmetry/explore/store.hpp>

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace tlmetry;
using explore::Plan;
using explore::Result;
using explore::Store;
using test::plan_of;

namespace {

Plan some_plan(const test::TemporaryFolder& folder, const std::string& values = "32, 64, 128") {
    return plan_of(folder, "[axes]\nptc.tags = " + values + "\n");
}

std::string indices(Store& store) {
    std::string text;
    store.each([&](std::uint64_t index, const Result& result) {
        text += std::to_string(index) + ":" + result.values + result.error + " ";
    });
    return text;
}

}  // namespace

TEST_CASE("results come in the order of their points, and stay") {
    const test::TemporaryFolder folder;
    const Plan plan = some_plan(folder);
    {
        Store store(folder.path("results"));
        store.begin(plan);
        store.put(2, "c", {"", true, "[3]", 0.5});
        store.put(0, "a", {"wrong", true, "", 0});
        CHECK(indices(store) == "0:wrong 2:[3] ");
        CHECK(store.count().done == 2);
        CHECK(store.count().failed == 1);
    }
    Store store(folder.path("results"));
    store.begin(plan);
    CHECK(indices(store) == "0:wrong 2:[3] ");
    CHECK(store.has_point(2));
    CHECK_FALSE(store.has_point(1));
    CHECK(store.has_key("c"));
    CHECK(store.result(2)->wall_s == 0.5);
    CHECK_FALSE(store.result(1));
}

TEST_CASE("values that are none of the plan are told as damage") {
    const test::TemporaryFolder folder;
    const Plan plan = some_plan(folder);
    for (const char* damaged : {"xx", "", "[1, 2]", "{}", "[1"}) {
        CAPTURE(damaged);
        CHECK_THROWS_WITH(
            explore::values_of(plan, {"", true, damaged, 0}),
            Catch::Contains("results: expected 1 values of a point, found") && Catch::Contains("damaged"));
    }
    CHECK(explore::values_of(plan, {"wrong", true, "", 0}).size() == 1);
}

TEST_CASE("files that a killed program left unfinished go with the next opening") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path("results"));
    folder.write("results/results.html.part-abc123", "<html>");
    folder.write("results/find.csv.part-abc123", "a");
    folder.write("results/notes.part-1", "of somebody else");
    const Store store(folder.path("results"));
    CHECK_FALSE(std::filesystem::exists(folder.path("results/results.html.part-abc123")));
    CHECK_FALSE(std::filesystem::exists(folder.path("results/find.csv.part-abc123")));
    CHECK(std::filesystem::exists(folder.path("results/notes.part-1")));
}

TEST_CASE("another plan has other points, and the results of the same keys") {
    const test::TemporaryFolder folder;
    Store store(folder.path("results"));
    store.begin(some_plan(folder));
    store.put(0, "a", {"", true, "[1]", 0});
    store.begin(some_plan(folder, "16, 32"));
    CHECK(indices(store).empty());
    CHECK(store.has_key("a"));
    store.place(1, "a");
    CHECK(indices(store) == "1:[1] ");
}

TEST_CASE("what is not settled is forgotten with the next beginning") {
    const test::TemporaryFolder folder;
    const Plan plan = some_plan(folder);
    Store store(folder.path("results"));
    store.begin(plan);
    store.put(0, "a", {"", true, "[1]", 0});
    store.put(1, "b", {"crashed", false, "", 0});
    CHECK(store.count().done == 2);
    store.begin(plan);
    CHECK(indices(store) == "0:[1] ");
}

TEST_CASE("a store takes over what another one has") {
    const test::TemporaryFolder folder;
    const Plan plan = some_plan(folder);
    {
        Store part(folder.path("part"));
        part.begin(plan);
        part.put(0, "a", {"", true, "[1]", 0});
        part.put(1, "b", {"crashed", false, "", 0});
    }
    Store store(folder.path("results"));
    store.begin(plan);
    store.take_over(folder.path("part/results.sqlite"));
    CHECK(indices(store) == "0:[1] 1:crashed ");
    Store other(folder.path("other"));
    other.begin(some_plan(folder, "1, 2"));
    other.take_over(folder.path("part/results.sqlite"));
    CHECK(other.has_key("a"));
    CHECK(indices(other).empty());
}

TEST_CASE("parts of a store are taken over once nobody works on them") {
    const test::TemporaryFolder folder;
    const Plan plan = some_plan(folder);
    Store store(folder.path("results"));
    store.begin(plan);
    CHECK(store.take_over_folder(folder.path("none")));
    CHECK(store.lacks(explore::points_between(0, 2)));
    // A process that has a part, and one that waits for it.
    int started[2], go[2];
    REQUIRE(pipe(started) == 0);
    REQUIRE(pipe(go) == 0);
    const pid_t child = fork();
    if (child == 0) {
        char byte = 0;
        Store part(folder.path("part"));
        part.begin(plan);
        part.put(0, "a", {"", true, "[1]", 0});
        if (write(started[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 1) _exit(1);
        part.put(1, "b", {"", true, "[2]", 0});
        _exit(0);
    }
    char byte = 0;
    REQUIRE(read(started[0], &byte, 1) == 1);
    CHECK_FALSE(store.take_over_folder(folder.path("part")));
    CHECK(store.count().done == 0);
    REQUIRE(write(go[1], &byte, 1) == 1);
    {
        Store part(folder.path("part"), Store::IfBusy::wait);
        CHECK(indices(part) == "0:[1] 1:[2] ");
        CHECK(waitpid(child, nullptr, 0) == child);
    }
    CHECK(store.take_over_folder(folder.path("part")));
    CHECK(indices(store) == "0:[1] 1:[2] ");
    CHECK_FALSE(store.lacks(explore::points_between(0, 2)));
    CHECK_FALSE(store.has_others());
    store.begin(some_plan(folder, "7"));
    CHECK(store.has_others());
}

#ifndef __SANITIZE_ADDRESS__  // which keeps what is freed
TEST_CASE("a hundred thousand results are written in constant memory") {
    constexpr std::uint64_t points = 100'000;
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(folder, "[axes]\nrun.seed = 1.." + std::to_string(points) + "\n");
    Store store(folder.path("results"));
    store.begin(plan);
    const auto most_kib = [] {
        std::ifstream status("/proc/self/status");
        for (std::string line; std::getline(status, line);) {
            if (line.rfind("VmHWM:", 0) == 0) return std::stol(line.substr(6));
        }
        return 0L;
    };
    const auto write = [&] {
        std::ofstream csv(folder.path("csv")), json(folder.path("json"));
        write_csv(csv, plan, store);
        write_json(json, plan, {}, store);
    };
    store.put(0, "0", {"", true, "[0.123456789]", 0});
    write();
    const long before = most_kib();
    REQUIRE(before > 0);
    for (std::uint64_t i = 1; i < points; ++i)
        store.put(i, std::to_string(i), {"", true, "[0.123456789]", 0});
    write();
    CHECK(std::filesystem::file_size(folder.path("json")) > 10'000'000);
    CHECK(most_kib() - before < 6000);
}
#endif

TEST_CASE("two processes on one folder are refused") {
    const test::TemporaryFolder folder;
    const Store store(folder.path("results"));
    const pid_t child = fork();
    if (child == 0) {
        int code = 1;
        try {
            const Store second(folder.path("results"));
        } catch (const UserError& error) {
            const std::string expected = "results: expected a folder that nothing else works on, found " +
                                         folder.path("results") + ", on which process " +
                                         std::to_string(getppid()) + " does";
            code = error.what() == expected ? 0 : 2;
        }
        _exit(code);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("a folder that cannot be used is told in a sentence") {
    const test::TemporaryFolder folder;
    folder.write("file", "");
    CHECK_THROWS_AS(Store(folder.path("file")), UserError);
    CHECK_THROWS_AS(Store("/proc/no/folder"), UserError);
    std::filesystem::create_directory(folder.path("results"));
    folder.write("results/results.sqlite", "this is no database, but long enough to be taken for one");
    CHECK_THROWS_WITH(Store(folder.path("results")), Catch::Contains("file is not a database"));
}
