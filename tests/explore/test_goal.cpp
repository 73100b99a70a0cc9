// SPDX-License-Identifier: BSD-3-Clause
#include "plans.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/explore/goal.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <set>

using namespace tlmetry;
using Catch::Contains;
using explore::Goal;
using explore::GoalSearch;
using explore::Outcome;
using explore::Plan;
using explore::Point;
using explore::Result;
using explore::Store;
using test::plan_of;

namespace {

/// Works points out from a formula.
class Formula : public explore::Engine {
public:
    using Function = std::function<Result(const Point&)>;
    explicit Formula(Function function) : m_function(std::move(function)) {}

    Outcome run(const Plan& plan, const explore::Points& points, Store& store,
                const explore::Watch&) override {
        ++rounds;
        while (const auto index = points()) {
            if (store.has_point(*index)) continue;
            store.put(*index, std::to_string(*index), m_function(plan.point(*index)));
            looked_at.insert(*index);
        }
        return Outcome::whole;
    }

    int rounds = 0;
    std::set<std::uint64_t> looked_at;

private:
    Function m_function;
};

Result number(double value) {
    return {"", true, "[" + std::to_string(value) + "]", 0};
}

double tags(const Point& point) {
    return std::stod(point.values.at(0).second);
}

/// The cells of the only row of the search, or of row `row`.
std::string found(const Plan& plan, Formula& engine, const std::string& goal, int row = 0) {
    const test::TemporaryFolder folder;
    Store store(folder.path("results"));
    store.begin(plan);
    GoalSearch search(plan, "ptc.tags", Goal::parse(goal, "option --until"), "option --find");
    CHECK(search.run(engine, store, {}) == Outcome::whole);
    std::string csv = search.csv();
    for (int i = 0; i <= row; ++i)
        csv.erase(0, csv.find('\n') + 1);
    csv = csv.substr(0, csv.find('\n'));
    return csv.substr(csv.find(',') + 1);
}

const std::string all_tags = "[axes]\nptc.tags = 1..1024\n";

/// Rises up to 300 tags.
Result saturating(const Point& point) {
    return number(std::min(tags(point), 300.0) / 300);
}

}  // namespace

TEST_CASE("goals are relations to numbers, to the best or to texts") {
    const Goal part = Goal::parse(" useful_rate >= 0.99max ", "p");
    CHECK(part.output == "useful_rate");
    CHECK(part.relation == Goal::Relation::at_least);
    CHECK(part.of == Goal::Of::greatest);
    CHECK(part.amount == 0.99);
    CHECK(part.holds(9.9, 10));
    CHECK_FALSE(part.holds(9.89, 10));
    CHECK(Goal::parse("a<1.05 min", "p").amount == 1.05);
    CHECK(Goal::parse("a<=max", "p").amount == 1);
    CHECK(Goal::parse("a>99%*max", "p").amount == 0.99);
    CHECK(Goal::parse("useful_rate>8GB/s", "p").amount == 8e9);
    CHECK(Goal::parse("useful_rate>8Gb/s", "p").amount == 1e9);
    CHECK(Goal::parse("latency.whole.p99<=1.5us", "p").amount == 1.5e-6);
    CHECK(Goal::parse("F4>95%", "p").amount == 0.95);
    CHECK(Goal::parse("x>-1.5e3", "p").amount == -1500);
    const Goal text = Goal::parse("verdict.first != tags", "p");
    CHECK(text.holds(std::string("storage"), 0));
    CHECK_FALSE(text.holds(std::string("tags"), 0));
    CHECK_FALSE(text.holds({}, 0));
    CHECK(Goal::parse("x=5", "p").holds(5.0, 0));
    for (const char* bad : {"", "useful_rate", ">5", "x>", "x>tags", "x!5", "x>5 apples"}) {
        CAPTURE(bad);
        CHECK_THROWS_WITH(Goal::parse(bad, "option --until"),
                          Contains("option --until: expected OUTPUT, one of >= > <= < = !=, and a number"));
    }
}

TEST_CASE("goals count in what their output counts in") {
    const std::vector<explore::Output> outputs = {
        {"useful_rate", "B/s", ""}, {"F4", "", ""}, {"verdict.first", "", ""}, {"seconds", "s", ""}};
    const auto check = [&](const char* goal) { Goal::parse(goal, "p").check(outputs, "p"); };
    for (const char* good :
         {"useful_rate>=8e9", "useful_rate>=8GB/s", "useful_rate>=8Gb/s", "useful_rate>=0.8max",
          "useful_rate>=80%max", "F4>95%", "F4>0.9", "verdict.first!=tags", "seconds<1ms", "unknown>5us"}) {
        CAPTURE(good);
        CHECK_NOTHROW(check(good));
    }
    for (const char* bad : {"useful_rate>=80%", "useful_rate>=8us", "useful_rate>=8MHz", "useful_rate!=tags",
                            "useful_rate=>8", "seconds<1MHz"}) {
        CAPTURE(bad);
        CHECK_THROWS_WITH(check(bad), Contains("p: expected a number in "));
    }
    for (const char* bad : {"F4<1us", "F4<1MHz"}) {
        CAPTURE(bad);
        CHECK_THROWS_WITH(check(bad), Contains("p: expected a number without a unit behind F4"));
    }
    CHECK_THROWS_WITH(check("useful_rate>=8usmax"),
                      Contains("p: expected a part of max or min without a unit"));
}

TEST_CASE("the least value that reaches a target is found with few points") {
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(folder, all_tags);
    Formula engine(saturating);
    CHECK(found(plan, engine, "useful_rate>=0.99max") == "297,0.99,296,0.986667,12,");
    CHECK(engine.looked_at.size() == 12);
    Formula again(saturating);
    CHECK_THAT(found(plan, again, "useful_rate>=0.5"), Catch::StartsWith("150,0.5,149,"));
}

TEST_CASE("the greatest value is found where the output falls") {
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(folder, all_tags);
    Formula falling([](const Point& point) { return number(std::min(1.0, 100 / tags(point))); });
    CHECK_THAT(found(plan, falling, "useful_rate>=0.5max"), Catch::StartsWith("200,0.5,201,"));
    Formula cost([](const Point& point) { return number(tags(point)); });
    CHECK_THAT(found(plan, cost, "useful_rate<=400"), Catch::StartsWith("400,400,401,401,"));
    Formula near([](const Point& point) { return number(tags(point)); });
    CHECK_THAT(found(plan, near, "useful_rate<=5min"), Catch::StartsWith("5,5,6,6,"));
}

TEST_CASE("a target that holds everywhere or nowhere") {
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(folder, all_tags);
    Formula engine(saturating);
    CHECK(found(plan, engine, "useful_rate>=2") == ",1,,,2,not reached at either end");
    CHECK(found(plan, engine, "useful_rate>=0") == "1024,1,,,2,holds at both ends");
    const Plan one = plan_of(folder, "[axes]\nptc.tags = 300\n");
    Formula single(saturating);
    CHECK(found(one, single, "useful_rate>=1") == "300,1,,,1,holds at both ends");
}

TEST_CASE("what is not monotone is told") {
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(folder, all_tags);
    Formula hill([](const Point& point) {
        return number(std::abs(tags(point) - 512) < 100 ? 0.1
                      : saturating(point).values == ""  ? 0
                                                        : std::min(tags(point), 300.0));
    });
    CHECK_THAT(found(plan, hill, "useful_rate>=0.99max"), Contains("not monotone: between "));
}

TEST_CASE("every combination of the other axes is searched, with means over repetitions") {
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(folder,
                              "[explore]\nrepetitions = 2\n[axes]\nptc.tags = 1..64\n"
                              "telemetry.drain_period = 64, 128\n");
    Formula engine([](const Point& point) {
        const double noise = point.repetition == 0 ? 0.5 : -0.5;
        return number(tags(point) * std::stod(point.values.at(1).second) + noise);
    });
    CHECK_THAT(found(plan, engine, "useful_rate>=1280", 0), Catch::StartsWith("64,20,1280,19,1216,"));
    Formula again = engine;
    CHECK_THAT(found(plan, again, "useful_rate>=1280", 1), Catch::StartsWith("128,10,1280,9,1152,"));
    // All combinations take a step at the same time.
    CHECK(engine.rounds <= 8);
}

TEST_CASE("a point that fails ends its search") {
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(folder, all_tags);
    Formula broken([](const Point& point) {
        return tags(point) == 512 ? Result{"it broke", true, "", 0} : saturating(point);
    });
    CHECK_THAT(found(plan, broken, "useful_rate>=0.99max"), Contains("point 511: it broke"));
}

TEST_CASE("what cannot be searched is refused") {
    const test::TemporaryFolder folder;
    const Goal goal = Goal::parse("useful_rate>0.5", "option --until");
    const Plan plan = plan_of(folder, all_tags);
    CHECK_THROWS_WITH(
        GoalSearch(plan, "link.mps", goal, "option --find"),
        "option --find: expected an axis of the plan, or NAME=VALUES such as ptc.tags=1..1024, found "
        "'link.mps'");
    CHECK_THROWS_WITH(GoalSearch(plan, "ptc.tags", Goal::parse("F4>1", "p"), "option --find"),
                      "option --until: expected an output of " + plan.file() + ", found 'F4'");
    const Plan sampled = plan_of(folder, all_tags + "[sample]\nkind = random\npoints = 5\n");
    CHECK_THROWS_WITH(
        GoalSearch(sampled, "ptc.tags", goal, "option --find"),
        "option --find: expected a plan without a section [sample], found one in " + sampled.file());
}
