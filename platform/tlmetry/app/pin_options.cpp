// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/pin_options.hpp"

#include <tlmetry/app/output_file.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/text.hpp>

#include <boost/program_options/value_semantic.hpp>
#include <nlohmann/json.hpp>

#include <cctype>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;

time_fs parse_time(const char* option, const std::string& text, time_fs otherwise) {
    if (text.empty()) return otherwise;
    const auto time = parse_quantity(text, time_units);
    if (!time || *time < 0) {
        throw UserError(std::string("option --") + option + ": expected a time (as 1.5us), found " +
                        config::found(text));
    }
    return *time;
}

std::string without(const std::string& text, const std::string& end) {
    const bool ends =
        text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
    return ends ? text.substr(0, text.size() - end.size()) : text;
}

bool is_clock(std::string_view key) {
    return key.find("_clock") != std::string_view::npos || key.find("_phase") != std::string_view::npos;
}

}  // namespace

void PinOptions::add_to(po::options_description& description) {
    auto add = description.add_options();
    add("wave", po::value(&wave)->value_name("FILE.vcd[.gz]"),
        "also write the pins of the component as a waveform");
    add("wave-from", po::value(&wave_from)->value_name("TIME"), "first time of the waveform (default: 0)");
    add("wave-to", po::value(&wave_to)->value_name("TIME"), "end of the waveform (default: of the run)");
    add("check-pins", po::bool_switch(&check),
        "count everything a second time on signals, cycle by cycle, and compare");
}

pins::PinWatch::Config PinOptions::config() const {
    pins::PinWatch::Config config;
    config.check = check;
    if (wave.empty() && !(wave_from.empty() && wave_to.empty())) {
        throw UserError(std::string("option --") + (wave_from.empty() ? "wave-to" : "wave-from") +
                        ": expected --wave beside it, found none");
    }
    if (wave.empty()) return config;
    if (without(without(wave, ".gz"), ".vcd") == without(wave, ".gz")) {
        throw UserError("option --wave: expected the name of a file that ends in .vcd or .vcd.gz, found " +
                        tlmetry::config::found(wave));
    }
    const time_fs from = parse_time("wave-from", wave_from, 0);
    const time_fs to = parse_time("wave-to", wave_to, never);
    if (to <= from) {
        throw UserError(std::string("option --wave-to: expected a time ") +
                        (wave_from.empty() ? "above 0" : "after --wave-from") + ", found " +
                        tlmetry::config::found(wave_to));
    }
    config.wave = {wave, from, to};
    return config;
}

std::string PinOptions::generics_file() const {
    return wave.empty() ? "" : without(without(wave, ".gz"), ".vcd") + ".generics.json";
}

void PinOptions::save_generics(const TelemetryParameters& parameters) const {
    if (wave.empty()) return;
    TelemetryParameters copy = parameters;
    config::Registry registry;
    copy.bind(registry);
    nlohmann::ordered_json generics;
    for (const config::Parameter& parameter : registry.parameters()) {
        std::string name(parameter.key());
        if (is_clock(name)) continue;
        for (char& c : name)
            c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        generics[name] = parameter.text();
    }
    constexpr int indent = 4;
    OutputFile("wave", generics_file())
        .save(nlohmann::ordered_json{{"generics", generics}}.dump(indent) + "\n");
}

}  // namespace tlmetry::app
