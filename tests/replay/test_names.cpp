// SPDX-License-Identifier: BSD-3-Clause
// Other names, scopes and benches.
#include "program.hpp"
#include "recorded.hpp"

#include <algorithm>

using namespace tlmetry::test;
using Catch::Contains;

namespace {

const std::string name = "prof_stall";

Result replay_text(const std::string& text, const std::string& arguments = "") {
    const TemporaryFolder folder;
    return replay(folder.write("wave.vcd", text) + " --params " + params(name) + " " + arguments);
}

void check_equal(const Result& result) {
    CHECK(result.code == 0);
    CHECK_THAT(result.err, Contains(": 1130 answers compared, all equal, "));
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

TEST_CASE("pins of a single endpoint without its number, or as elements") {
    Recorded recorded = Recorded::read(wave(name));
    Recorded elements = recorded;
    for (auto& variable : recorded.variables) {
        if (ends_with(variable.name, "_0")) variable.name.erase(variable.name.size() - 2);
        std::transform(variable.name.begin(), variable.name.end(), variable.name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    }
    check_equal(replay_text(recorded.vcd()));
    for (auto& variable : elements.variables) {
        if (ends_with(variable.name, "_0")) variable.name.replace(variable.name.size() - 2, 2, "[0]");
    }
    check_equal(replay_text(elements.vcd()));
}

TEST_CASE("a map file for other names") {
    Recorded recorded = Recorded::read(wave(name));
    std::string map = "# pins of my bench\n\n";
    for (auto& variable : recorded.variables) {
        map += variable.name + " = tb.s_" + variable.name + "_x   # renamed\n";
        variable.name = "s_" + variable.name + "_x";
    }
    const TemporaryFolder folder;
    CHECK(replay_text(recorded.vcd()).code == 2);
    check_equal(replay_text(recorded.vcd(), "--map " + folder.write("map.txt", map)));
}

TEST_CASE("the scope decides between pins of the same name") {
    Recorded recorded = Recorded::read(wave(name));
    const std::size_t pins = recorded.variables.size();
    for (std::size_t i = 0; i < pins; ++i) {
        recorded.variables[i].scope = "dut";
        recorded.variables.push_back({recorded.variables[i].name, recorded.variables[i].width, "other"});
    }
    const Result ambiguous = replay_text(recorded.vcd());
    CHECK(ambiguous.code == 2);
    CHECK_THAT(ambiguous.err, Contains("2 different ones: dut.mi_clk, other.mi_clk"));
    check_equal(replay_text(recorded.vcd(), "--scope dut"));
}

TEST_CASE("pins driven right at the edge") {
    const Recorded recorded = Recorded::read(wave(name));
    Recorded moved = recorded;
    moved.changes.clear();
    const auto clock_of = [](const std::string& pin) {
        return pin.compare(0, 3, "mi_") == 0    ? "mi_clk"
               : pin.compare(0, 4, "dma_") == 0 ? "dma_clk"
                                                : "pcie_clk_0";
    };
    std::map<std::string, std::vector<std::int64_t>> edges;
    for (const char* clock : {"mi_clk", "dma_clk", "pcie_clk_0"})
        edges[clock] = recorded.edges(clock);
    for (const auto& [time, changed] : recorded.changes) {
        for (const auto& [variable, digits] : changed) {
            const std::string& pin = recorded.variables[variable].name;
            std::int64_t at = time;
            if (pin.find("reset") != std::string::npos) {
                ++at;  // not at an edge: resets act at once
            } else if (pin.find("clk") == std::string::npos && pin != "mi_drd" && pin != "mi_drdy") {
                // The edge that samples the new value.
                const auto& times = edges[clock_of(pin)];
                const auto edge = std::upper_bound(times.begin(), times.end(), time);
                if (edge == times.end()) continue;
                at = *edge;
            }
            moved.changes[at][variable] = digits;
        }
    }
    check_equal(replay_text(moved.vcd(), "--sample post"));
    CHECK(replay_text(moved.vcd(), "--sample pre").code == 1);
    // Pins that change between the edges are sampled alike.
    check_equal(replay_text(recorded.vcd(), "--sample post"));
}
