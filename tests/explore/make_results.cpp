// SPDX-License-Identifier: BSD-3-Clause
// Results of a plan that nobody has simulated: `make_results PLAN FOLDER` puts numbers that follow from the
// values of the axes into the store of FOLDER, where `tlmetry explore PLAN -o FOLDER` finds them. One point
// in `fails` fails.
#include <tlmetry/explore/point_run.hpp>
#include <tlmetry/explore/result_files.hpp>
#include <tlmetry/explore/store.hpp>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>

namespace {

using namespace tlmetry::explore;

constexpr std::uint64_t fails = 997;

/// Rises with the numbers of the point towards a limit; what counts how much differs from output to output.
std::string values_of(const Plan& plan, const Point& point) {
    std::string json = "[";
    for (std::size_t o = 0; o < plan.outputs().size(); ++o) {
        double size = 1 + static_cast<double>(point.base) + 0.01 * static_cast<double>(point.repetition);
        for (std::size_t v = 0; v < point.values.size(); ++v) {
            const Value value = value_of(point.values[v].second);
            const auto* number = std::get_if<double>(&value);
            if (number != nullptr)
                size *= std::pow(std::abs(*number) + 1e-9, 0.1 * static_cast<double>(1 + (o + v) % 3));
        }
        char text[60];
        if (plan.outputs()[o] == "verdict.first") {
            std::snprintf(text, sizeof text, size > 2 ? "\"tags\"" : "\"link_down_full\"");
        } else {
            std::snprintf(text, sizeof text, "%.17g", 6e10 * size / (size + 1));
        }
        json += (o == 0 ? "" : ",") + std::string(text);
    }
    return json + "]";
}

}  // namespace

int main(int count, char** words) {
    if (count != 3) {
        std::cerr << "usage: make_results PLAN FOLDER\n";
        return 2;
    }
    const Plan plan = Plan::load(words[1]);
    Store store(words[2]);
    store.begin(plan);
    for (std::uint64_t index = 0; index < plan.points(); ++index) {
        const Point point = plan.point(index);
        Result result;
        if (index % fails == fails - 1) {
            result.error =
                "point " + std::to_string(index) + ": ptc.tags: expected something else, found this";
        } else {
            result.values = values_of(plan, point);
        }
        store.put(index, "made " + std::to_string(index), result);
    }
}
