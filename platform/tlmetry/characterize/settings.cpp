// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/characterize/part.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/report/arithmetic.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

namespace tlmetry::characterize {

namespace {

using page::number;
using report::fixed;

constexpr std::uint32_t least_setting = 128;
constexpr std::uint32_t most_setting = 4096;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double enough = 0.99;    // of the best
constexpr double noticed = 1.001;  // how many times better is better

struct Setting {
    std::uint32_t mps;
    std::uint32_t mrrs;
};

/// Rates of one kind of traffic with every setting.
struct SettingRates {
    std::string name;
    Card card;
    bool equal_requests;
    std::vector<double> gbytes;  ///< by setting; not a number where the card refuses it
};

std::vector<std::uint32_t> values() {
    std::vector<std::uint32_t> result;
    for (std::uint32_t v = least_setting; v <= most_setting; v *= 2)
        result.push_back(v);
    return result;
}

std::vector<Setting> all_settings() {
    std::vector<Setting> result;
    for (const std::uint32_t mps : values()) {
        for (const std::uint32_t mrrs : values())
            result.push_back({mps, mrrs});
    }
    return result;
}

std::optional<Card> with(Card card, Setting setting) {
    card.card.link.mps_bytes = setting.mps;
    card.card.link.mrrs_bytes = setting.mrrs;
    try {
        card.validate();
    } catch (const UserError&) {
        return std::nullopt;
    }
    return card;
}

/// What a load says about the settings.
struct Advice {
    std::size_t now = 0;
    std::size_t best = 0;
    std::size_t smallest = 0;  ///< that is nearly the best
};

Advice advice_of(const SettingRates& load, const std::vector<Setting>& settings,
                 const pcie::LinkSettings& link) {
    Advice advice;
    const std::vector<double>& rate = load.gbytes;
    const auto size = [&](std::size_t s) {
        return std::tuple(settings[s].mps * settings[s].mrrs, settings[s].mps);
    };
    const auto better = [&](std::size_t a, std::size_t b) {
        return std::isnan(rate[b]) || rate[a] > noticed * rate[b];
    };
    for (std::size_t s = 0; s < settings.size(); ++s) {
        if (better(s, advice.best)) advice.best = s;
        if (settings[s].mps == link.mps_bytes && settings[s].mrrs == link.mrrs_bytes) advice.now = s;
    }
    advice.smallest = advice.best;
    for (std::size_t s = 0; s < settings.size(); ++s) {
        if (rate[s] >= enough * rate[advice.best] && size(s) < size(advice.smallest)) advice.smallest = s;
    }
    return advice;
}

std::string sentence(const SettingRates& load, const std::vector<Setting>& settings, const Advice& advice) {
    const auto named = [&](std::size_t s) {
        return "MPS " + std::to_string(settings[s].mps) + " B and MRRS " + std::to_string(settings[s].mrrs) +
               " B";
    };
    const auto rate = [&](std::size_t s) { return fixed(load.gbytes[s], 2) + " GB/s"; };
    const std::string begin = "For " + load.name + ", " + named(advice.smallest) +
                              " are enough: " + rate(advice.smallest) + ", within 1 % of the best, " +
                              rate(advice.best);
    return begin + "; the configured " + named(advice.now) + " give " + rate(advice.now) + ".";
}

}  // namespace

Part settings(const Subject& subject, const Runner& runner) {
    const std::vector<Setting> settings = all_settings();
    std::vector<SettingRates> loads;
    const bool own = subject.card().card.traffic.front().trace_file.empty();
    if (own) loads.push_back({"the configured traffic", subject.card(), false, {}});
    for (const std::uint32_t bytes : subject.powers_of_two())
        loads.push_back(
            {"50/50 of " + std::to_string(bytes) + " B", subject.saturated(Mix::both, bytes), true, {}});

    std::vector<Point> points;
    std::vector<double*> places;
    for (SettingRates& load : loads) {
        load.gbytes.assign(settings.size(), nothing);
        for (std::size_t s = 0; s < settings.size(); ++s) {
            const std::optional<Card> card = with(load.card, settings[s]);
            if (!card) continue;
            points.push_back({*card, false, load.equal_requests});
            places.push_back(&load.gbytes[s]);
        }
    }
    const std::vector<Measurement> results = runner.run(points);
    for (std::size_t i = 0; i < results.size(); ++i)
        *places[i] = results[i].gbytes();

    Part part;
    part.key = "settings";
    part.title = "MPS and MRRS";
    part.method =
        "Every Max_Payload_Size with every Max_Read_Request_Size, for the configured traffic of all "
        "endpoints "
        "and for a write and a read of one size in turn on one endpoint. The advice is the smallest setting "
        "within 1 % of the best: both ends of the link must support it.";

    page::Table advice_table;
    advice_table.key = "settings";
    advice_table.title =
        "Reads and writes added up, now, at best, and with the smallest setting that is enough";
    advice_table.columns = {{"traffic", "traffic", "", 0},        {"now_GB_per_s", "now", "GB/s", 3},
                            {"best_GB_per_s", "best", "GB/s", 3}, {"best_mps_B", "with MPS", "B", 0},
                            {"best_mrrs_B", "MRRS", "B", 0},      {"enough_mps_B", "enough: MPS", "B", 0},
                            {"enough_mrrs_B", "MRRS", "B", 0},    {"enough_GB_per_s", "gives", "GB/s", 3}};
    page::Table grid;
    grid.key = "settings_grid";
    grid.title = "Rates with every setting";
    grid.group_rows = settings.size();
    grid.columns = {{"traffic", "traffic", "", 0},
                    {"mps_B", "MPS", "B", 0},
                    {"mrrs_B", "MRRS", "B", 0},
                    {"GB_per_s", "rate", "GB/s", 3}};
    for (const SettingRates& load : loads) {
        const Advice advice = advice_of(load, settings, subject.link());
        const Setting best = settings[advice.best];
        const Setting smallest = settings[advice.smallest];
        advice_table.rows.push_back({load.name, number(load.gbytes[advice.now]),
                                     number(load.gbytes[advice.best]), number(best.mps), number(best.mrrs),
                                     number(smallest.mps), number(smallest.mrrs),
                                     number(load.gbytes[advice.smallest])});
        for (std::size_t s = 0; s < settings.size(); ++s) {
            grid.rows.push_back(
                {load.name, number(settings[s].mps), number(settings[s].mrrs), number(load.gbytes[s])});
        }
    }
    part.findings = {sentence(loads.front(), settings, advice_of(loads.front(), settings, subject.link()))};
    if (!own) part.findings.push_back("The configured traffic is a trace, which has no rate of its own.");
    part.tables = {advice_table};
    part.details = {grid};

    const std::vector<std::string> names = texts(values());
    for (const SettingRates& load : {loads.front(), loads.back()}) {
        std::vector<std::vector<double>> field(names.size());
        for (std::size_t s = 0; s < settings.size(); ++s)
            field[s / names.size()].push_back(load.gbytes[s]);
        part.charts.push_back({"GB/s over MPS and MRRS, " + load.name,
                               page::heat_map("MRRS, B", names, "MPS, B", names, field, "GB/s")});
    }
    return part;
}

}  // namespace tlmetry::characterize
