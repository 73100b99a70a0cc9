// SPDX-License-Identifier: BSD-3-Clause
#include "recorded.hpp"

#include <tlmetry/wave/vcd_reader.hpp>

#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>

namespace tlmetry::test {

namespace {

std::string digits_of(const wave::Bits& bits) {
    std::string digits;
    for (std::uint32_t i = bits.width; i-- > 0;) {
        const bool unknown = (bits.unknown[i / 64] >> i % 64 & 1) != 0;
        digits += unknown ? 'x' : (bits.value[i / 64] >> i % 64 & 1) != 0 ? '1' : '0';
    }
    return digits;
}

}  // namespace

Recorded Recorded::read(const std::string& path) {
    wave::VcdReader reader(wave::Input::open(path));
    const wave::SignalFinder finder(reader.header());
    Recorded recorded;
    for (const auto& variable : reader.header().variables) {
        recorded.variables.push_back({variable.name, variable.width, "tb"});
        reader.select(finder.find(reader.header().path(variable)));
    }
    while (reader.next_step()) {
        auto& changed = recorded.changes[reader.time() / fs_per_ps];
        for (const auto handle : reader.changes())
            changed[handle] = digits_of(reader.now(handle));
    }
    return recorded;
}

std::string Recorded::vcd() const {
    std::string text = "$timescale 1ps $end\n";
    const auto id = [](std::size_t i) {
        return std::string{static_cast<char>('!' + i % 90), static_cast<char>('!' + i / 90)};
    };
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Variable& variable = variables[i];
        if (variable.name.empty()) continue;
        text += "$scope module " + variable.scope + " $end\n$var wire " + std::to_string(variable.width) +
                " " + id(i) + " " + variable.name + " $end\n$upscope $end\n";
    }
    text += "$enddefinitions $end\n";
    for (const auto& [time, changed] : changes) {
        text += "#" + std::to_string(time) + "\n";
        for (const auto& [i, digits] : changed) {
            if (variables[i].name.empty()) continue;
            text += (digits.size() == 1 ? digits : "b" + digits + " ") + id(i) + "\n";
        }
    }
    return text;
}

std::size_t Recorded::index(const std::string& name) const {
    for (std::size_t i = 0; i < variables.size(); ++i) {
        if (variables[i].name == name) return i;
    }
    throw std::logic_error("no variable " + name);
}

std::string Recorded::value(const std::string& name, std::int64_t ps) const {
    const std::size_t variable = index(name);
    std::string digits(variables[variable].width, 'x');
    for (auto step = changes.begin(); step != changes.end() && step->first <= ps; ++step) {
        const auto found = step->second.find(variable);
        if (found != step->second.end()) digits = found->second;
    }
    return digits;
}

void Recorded::drop(const std::function<bool(const std::string&)>& unwanted) {
    for (Variable& variable : variables) {
        if (unwanted(variable.name)) variable.name.clear();
    }
}

std::vector<std::int64_t> Recorded::edges(const std::string& clock) const {
    const std::size_t variable = index(clock);
    std::vector<std::int64_t> times;
    std::string before = "x";
    for (const auto& [time, changed] : changes) {
        const auto found = changed.find(variable);
        if (found == changed.end()) continue;
        if (before == "0" && found->second == "1") times.push_back(time);
        before = found->second;
    }
    return times;
}

std::vector<GoldenRead> golden_reads(const std::string& params_file) {
    std::ifstream file(params_file);
    const nlohmann::json root = nlohmann::json::parse(file);
    std::vector<GoldenRead> reads;
    for (const auto& read : root.at("reads")) {
        reads.push_back({read.at("addr"), read.at("data"), read.at("t_drdy_ps"), read.at("t_sample_ps")});
    }
    return reads;
}

}  // namespace tlmetry::test
