// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/run_statistics.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tlmetry::app {

namespace {

using List = std::vector<Statistic>;

}  // namespace

List statistics(const platform::Platform& platform) {
    List list = {
        {"mi.accesses", platform.telemetry.mi.accesses(), "accesses",
         "of 32 bits that the component has served"},
        {"mi.late_accesses", platform.telemetry.mi.late_accesses(), "accesses",
         "that arrived out of order because software ran ahead of the simulation"},
        {"mi.unmapped_accesses", platform.bus.unmapped_accesses(), "accesses",
         "to addresses where no device is"},
    };
    for (account::Statistic& statistic : account::statistics(platform.telemetry.core(), platform.card()))
        list.push_back(std::move(statistic));
    return list;
}

std::string statistics_text(const List& list) {
    std::size_t widest_name = 0;
    std::size_t widest_value = 0;
    std::size_t widest_unit = 0;
    for (const Statistic& s : list) {
        widest_name = std::max(widest_name, s.name.size());
        widest_value = std::max(widest_value, std::to_string(s.value).size());
        widest_unit = std::max(widest_unit, s.unit.size());
    }
    std::string text;
    for (const Statistic& s : list) {
        const std::string value = std::to_string(s.value);
        text += s.name + std::string(widest_name - s.name.size() + 2 + widest_value - value.size(), ' ') +
                value + " " + s.unit + std::string(widest_unit - s.unit.size() + 2, ' ') + s.description +
                "\n";
    }
    return text;
}

std::string statistics_json(const List& list, std::uint64_t seed, time_fs simulated) {
    nlohmann::ordered_json document = {{"schema", "tlmetry.statistics/1"},
                                       {"seed", seed},
                                       {"simulated_fs", simulated},
                                       {"statistics", nlohmann::ordered_json::array()}};
    for (const Statistic& s : list) {
        document["statistics"].push_back(
            {{"name", s.name}, {"value", s.value}, {"unit", s.unit}, {"description", s.description}});
    }
    constexpr int indent = 4;
    return document.dump(indent) + "\n";
}

}  // namespace tlmetry::app
