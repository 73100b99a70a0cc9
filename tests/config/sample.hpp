// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/registry.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// One parameter of every kind.
struct Sample {
    enum class Mode { slow, fast };

    std::uint16_t count = 3;
    std::uint32_t period = 4096;
    std::uint64_t bytes = 65536;
    tlmetry::time_fs latency = 2'500'000;
    tlmetry::time_fs clock = 4'000'000;
    tlmetry::Fraction share{250'000'000'000'000};
    bool enabled = false;
    std::string label = "AGILEX";
    Mode mode = Mode::slow;
    std::vector<tlmetry::time_fs> clocks{2'500'000};
    std::vector<std::uint32_t> lanes{1, 16};

    void bind(tlmetry::config::Registry& registry) {
        using namespace tlmetry::config;
        auto section = registry.section("demo", "Parameters of the tests.");
        section.add("count", count, integer(1, 1'000'000, "lanes"), "A small integer.",
                    "Told at more length.");
        section.add("period", period, power_of_two(32, 65536, "cycles"), "A power of two.");
        section.add("bytes", bytes, size(1, std::uint64_t{1} << 40), "A size.");
        section.add("latency", latency, tlmetry::config::time(), "A time.");
        section.add("clock", clock, tlmetry::config::clock(), "A clock.");
        section.add("share", share, fraction(), "A fraction.");
        section.add("enabled", enabled, boolean(), "A switch.");
        section.add("label", label, text(), "A text.");
        section.add("mode", mode, choice<Mode>({{"slow", Mode::slow}, {"fast", Mode::fast}}), "A choice.");
        auto lists = registry.section("demo.lists", "Lists.");
        lists.add("clocks", clocks, list(tlmetry::config::clock()), "A list of clocks.");
        lists.add("lanes", lanes, list<std::uint32_t>(integer(1, 32)), "A list of integers.");
    }
};

/// Message of the UserError that `action` throws; empty when it throws none.
template <class Action>
std::string error_of(Action action) {
    try {
        action();
    } catch (const tlmetry::UserError& error) {
        return error.what();
    }
    return "";
}
