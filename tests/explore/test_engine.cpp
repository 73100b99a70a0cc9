// SPDX-License-Identifier: BSD-3-Clause
#include "plans.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/explore/engine.hpp>
#include <tlmetry/explore/result_files.hpp>

#include <catch2/catch.hpp>

#include <sstream>

using namespace tlmetry;
using explore::LocalEngine;
using explore::Outcome;
using explore::Plan;
using explore::Progress;
using explore::Store;
using test::plan_of;
using test::quick_plan;

namespace {

const std::string tags = "[axes]\nptc.tags = 16..256 lin 6\n";

std::string csv(const Plan& plan, Store& store) {
    std::ostringstream text;
    write_csv(text, plan, store);
    return text.str();
}

Progress run(const Plan& plan, Store& store, std::size_t jobs = 2) {
    Progress last;
    store.begin(plan);
    LocalEngine engine(jobs);
    CHECK(engine.run(plan, explore::points_between(0, plan.points()), store, [&](const Progress& now) {
        last = now;
        return true;
    }) == Outcome::whole);
    return last;
}

}  // namespace

TEST_CASE("the number of processes changes no result") {
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(folder, quick_plan + tags);
    Store one(folder.path("one")), three(folder.path("three"));
    CHECK(run(plan, one, 1).simulated == 6);
    CHECK(run(plan, three, 3).simulated == 6);
    CHECK(csv(plan, one) == csv(plan, three));
    CHECK(one.count().done == 6);
}

TEST_CASE("a changed plan simulates what is new in it only") {
    const test::TemporaryFolder folder;
    Store store(folder.path("results"));
    CHECK(run(plan_of(folder, quick_plan + "[axes]\nptc.tags = 32, 64, 128\n"), store).simulated == 3);
    const Progress more = run(plan_of(folder, quick_plan + "[axes]\nptc.tags = 16, 32, 64, 128\n"), store);
    CHECK(more.simulated == 1);
    CHECK(more.known == 3);
    CHECK(run(plan_of(folder, quick_plan + "[axes]\nptc.tags = 128, 16\n"), store).simulated == 0);
    const Progress other =
        run(plan_of(folder, quick_plan + "[axes]\nptc.tags = 32, 64\n[host]\nlatency = 2us\n"), store);
    CHECK(other.simulated == 2);
    CHECK(run(plan_of(folder, quick_plan + "[axes]\nptc.tags = 128, 16\n"), store).simulated == 0);
}

TEST_CASE("points that are no cards fail, and the others go on") {
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(folder, quick_plan + "[axes]\nptc.tags = 256, 512, 1024, 32\n");
    Store store(folder.path("results"));
    const Progress progress = run(plan, store);
    CHECK(progress.simulated == 4);
    CHECK(progress.failed == 2);
    CHECK(store.result(1)->error ==
          "ptc.tags: expected at most 256 with link.tag_10bit false and link.extended_tag true, found 512");
    CHECK(store.result(3)->error == "");
    // It is known that they fail.
    CHECK(run(plan, store).simulated == 0);
}

TEST_CASE("who watches can end it, and the results so far stay") {
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(folder, quick_plan + "[axes]\nptc.tags = 1..256\n");
    Store store(folder.path("results"));
    store.begin(plan);
    LocalEngine engine(1);
    CHECK(engine.run(plan, explore::points_between(0, plan.points()), store,
                     [](const Progress& now) { return now.simulated < 3; }) == Outcome::stopped);
    CHECK(store.count().done == 3);
    CHECK(run(plan, store).simulated == 253);
}

TEST_CASE("a point that takes too long is ended") {
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(
        folder, "[explore]\ntimeout = 50ms\n[axes]\nrun.duration = 1us, 1000s\n[traffic]\nkind = requests\n");
    Store store(folder.path("results"));
    CHECK(run(plan, store).failed == 1);
    CHECK(store.result(0)->error == "");
    CHECK(store.result(1)->error == "its simulation took longer than explore.timeout = 50ms");
    CHECK_FALSE(store.result(1)->settled);
}

TEST_CASE("an estimate looks at some points for a moment") {
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(folder, "[axes]\nrun.duration = 100s\nptc.tags = 1..256, 512\n");
    const explore::Estimate estimate = explore::estimate(plan, 2, {});
    CHECK(estimate.looked_at == 8);
    CHECK(estimate.failed == 0);
    CHECK(estimate.point_s > 1);
    const explore::Estimate nothing =
        explore::estimate(plan_of(folder, "[axes]\nptc.tags = 512, 1024\n"), 2, {});
    CHECK(nothing.looked_at == 2);
    CHECK(nothing.failed == 2);
}
