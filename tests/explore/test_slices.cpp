// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/explore/slices.hpp>

#include <catch2/catch.hpp>

#include <map>
#include <sstream>

using namespace tlmetry;
using explore::points_between;
using explore::PointWriter;
using explore::slice;

namespace {

std::vector<std::uint64_t> all(explore::Points points) {
    std::vector<std::uint64_t> result;
    for (auto index = points(); index; index = points())
        result.push_back(*index);
    return result;
}

std::vector<std::uint64_t> read(const std::string& text) {
    return all(explore::read_points(std::make_shared<std::istringstream>(text), "points"));
}

}  // namespace

TEST_CASE("points are kept as ranges") {
    std::ostringstream file;
    PointWriter writer(file);
    const std::vector<std::uint64_t> points = {0, 1, 2, 5, 7, 8, 3, 4, 1'000'000'000};
    for (const std::uint64_t point : points)
        writer.add(point);
    writer.finish();
    CHECK(file.str() == "0-2\n5\n7-8\n3-4\n1000000000\n");
    CHECK(writer.count() == points.size());
    CHECK(read(file.str()) == points);
    CHECK(read("").empty());
    CHECK_THROWS_WITH(read("1\n3-2\n"), "points: expected a number or a range of numbers, found '3-2'");
    CHECK_THROWS_WITH(read("x\n"), "points: expected a number or a range of numbers, found 'x'");
}

TEST_CASE("slices have every point once, and are equally long") {
    for (const std::uint64_t tasks : {1, 2, 7, 100}) {
        for (const std::uint64_t points : {0, 1, 99, 100, 1000}) {
            CAPTURE(tasks, points);
            std::map<std::uint64_t, int> seen;
            for (std::uint64_t task = 0; task < tasks; ++task) {
                const auto mine = all(slice(points_between(0, points), task, tasks));
                CHECK(mine.size() >= points / tasks);
                CHECK(mine.size() <= (points + tasks - 1) / tasks);
                CHECK(std::is_sorted(mine.begin(), mine.end()));
                for (const std::uint64_t point : mine)
                    ++seen[point];
            }
            CHECK(seen.size() == points);
        }
    }
}

TEST_CASE("no slice has one value of an axis only, whatever its period is") {
    constexpr std::uint64_t points = 2000;
    for (std::uint64_t period = 2; period <= 40; ++period) {
        for (const std::uint64_t tasks : {period - 1, period, period + 1, 2 * period, 2 * period + 1}) {
            CAPTURE(period, tasks);
            for (std::uint64_t task = 0; task < tasks; ++task) {
                std::map<std::uint64_t, std::uint64_t> values;
                const auto mine = all(slice(points_between(0, points), task, tasks));
                for (const std::uint64_t point : mine)
                    ++values[point % period];
                for (const auto& [value, count] : values)
                    CHECK(count < mine.size() * 3 / 4 + 2);
            }
        }
    }
}
