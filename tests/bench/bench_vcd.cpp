// SPDX-License-Identifier: BSD-3-Clause
// Speed of the VCD reader on one core: MB of uncompressed text per second of processor time, from a file or
// from a recording made up in memory.

#include "measure.hpp"

#include <tlmetry/wave/vcd_reader.hpp>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

using tlmetry::wave::Input;
using tlmetry::wave::SignalFinder;
using tlmetry::wave::VcdReader;

// Clocks and 36 pins like those of one endpoint, most of them busy, among as many foreign variables.
std::string made_up_recording(std::size_t bytes) {
    constexpr unsigned pins = 36;
    std::mt19937_64 random(1);
    std::string text = "$timescale 1ps $end\n$scope module tb $end\n";
    const auto id = [](unsigned n) { return std::string(1, static_cast<char>('!' + n)); };
    const auto width = [](unsigned n) { return n % 3 == 0 ? 1U : n % 8 == 1 ? 32U : 2 + n % 11; };
    for (unsigned n = 0; n < 2 * pins; ++n)
        text += "$var wire " + std::to_string(width(n)) + " " + id(n) + " " + (n < pins ? "pin" : "other") +
                std::to_string(n) + " $end\n";
    text += "$upscope $end\n$enddefinitions $end\n";
    text.reserve(bytes + 4096);
    for (std::uint64_t time = 0; text.size() < bytes; time += 1250) {
        text += "#" + std::to_string(time) + "\n";
        text += (time / 1250 % 2 != 0 ? "1" : "0") + id(0) + "\n";
        if (time % 2500 != 0) continue;
        for (unsigned n = 1; n < 2 * pins; ++n) {
            const std::uint64_t value = random();
            if (value >> 62 != 0) continue;
            if (width(n) == 1) {
                text += std::string(1, static_cast<char>('0' + (value & 1))) + id(n) + "\n";
                continue;
            }
            text += "b";
            for (unsigned bit = 0; bit < width(n); ++bit)
                text += static_cast<char>('0' + (value >> bit & 1));
            text += " " + id(n) + "\n";
        }
    }
    return text;
}

void measure(const std::string& what, Input input, bool select) {
    const double begin = tlmetry::bench::cpu_seconds();
    VcdReader reader(std::move(input));
    if (select) {
        const SignalFinder finder(reader.header());
        std::set<std::string> paths;
        for (const auto& variable : reader.header().variables)
            if (variable.name.rfind("other", 0) != 0 && variable.kind == tlmetry::wave::VariableKind::bits)
                paths.insert(reader.header().path(variable));
        for (const std::string& path : paths)
            reader.select(finder.find(path));
    }
    while (reader.next_step()) {
    }
    const double seconds = tlmetry::bench::cpu_seconds() - begin;
    tlmetry::bench::result(what.c_str(), static_cast<double>(reader.text_bytes()) / 1e6 / seconds,
                           "MB/s of VCD text");
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc > 1) {
            measure("VCD reader, all signals followed", Input::open(argv[1]), true);
            measure("VCD reader, no signal followed", Input::open(argv[1]), false);
            return EXIT_SUCCESS;
        }
        constexpr std::size_t bytes = 200'000'000;
        const std::string text = made_up_recording(bytes);
        measure("VCD reader, half of the signals followed", Input::from_memory("recording", text), true);
        measure("VCD reader, no signal followed", Input::from_memory("recording", text), false);
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
