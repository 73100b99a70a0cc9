// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/plan_outputs.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/explore/point_run.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

namespace tlmetry::explore {

namespace {

using Kinds = std::function<bool(const std::string& kind)>;

/// Outputs of one point after the other, from all over the plan, until `enough` says so.
std::vector<Output> collect(const Plan& plan, const Kinds& kinds,
                            const std::function<bool(const std::vector<Output>&)>& enough) {
    constexpr std::uint64_t most_looked_at = 128, most_simulated = 8;
    std::vector<Output> outputs;
    std::set<std::string> names;
    const auto add = [&](const PointParameters& parameters) {
        for (Output& output : known_outputs(parameters.parameters(), kinds)) {
            if (names.insert(output.name).second) outputs.push_back(std::move(output));
        }
    };
    const std::uint64_t points = std::min(plan.points(), most_looked_at);
    std::uint64_t simulated = 0;
    // 0, the last one, and what lies between by halves: points that differ come early.
    for (std::uint64_t i = 0; i < most_looked_at && simulated < most_simulated; ++i) {
        std::uint64_t reversed = 0;
        for (std::uint64_t bit = 1; bit < most_looked_at; bit *= 2)
            reversed = 2 * reversed + ((i & bit) != 0 ? 1 : 0);
        if (reversed >= points) continue;
        const std::uint64_t last = points == 1 ? 1 : points - 1;
        const PointRun point(plan, plan.point(reversed * (plan.points() - 1) / last));
        if (!point.error().empty()) continue;
        add(point.parameters());
        ++simulated;
        if (enough(outputs)) return outputs;
    }
    if (simulated != 0) return outputs;
    PointParameters defaults;
    defaults.parameters().complete(defaults.registry());
    add(defaults);
    return outputs;
}

}  // namespace

std::vector<Output> known_outputs(const Plan& plan) {
    return collect(
        plan, [](const std::string&) { return true; }, [](const std::vector<Output>&) { return false; });
}

std::vector<Output> outputs_of(const Plan& plan) {
    std::vector<Output> found;
    const auto find_all = [&](const std::vector<Output>& known) {
        found.clear();
        for (const std::string& name : plan.outputs())
            found.push_back(find_output(known, name, plan.outputs_place()));
    };
    const Picker picker(plan.outputs());
    const std::vector<Output> known = collect(
        plan, [&](const std::string& kind) { return picker.wants(kind); },
        [&](const std::vector<Output>& outputs) {
            try {
                find_all(outputs);
                return true;
            } catch (const UserError&) {
                return false;
            }
        });
    find_all(known);
    return found;
}

}  // namespace tlmetry::explore
