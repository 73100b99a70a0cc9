// SPDX-License-Identifier: BSD-3-Clause
//
// Random cards whose pins are counted cycle by cycle, checked, recorded and replayed:
//
//   random_pins_of_cards [--first N] [--count M] [--seconds S]
#include "endpoint_pins/pin_case.hpp"
#include "telemetry/seeds.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>

int main(int argc, char** argv) {
    using namespace tlmetry::testing;
    Seeds seeds(argc, argv);
    const std::string wave = (std::filesystem::temp_directory_path() / "tlmetry_pins_").string() +
                             std::to_string(std::random_device()()) + ".vcd";
    PinCase sum;
    std::uint64_t cases = 0, padded = 0, bad = 0;
    while (bad < 10) {
        const auto seed = seeds.next();
        if (!seed) break;
        PinCase result;
        try {
            result = play_pin_case(*seed, *seed % 2 == 0 ? wave : wave + ".gz");
        } catch (const std::exception& error) {
            result.difference = error.what();
        }
        ++cases;
        padded += result.padded ? 1 : 0;
        sum.resets += result.resets;
        sum.words += result.words;
        sum.stalled += result.stalled;
        sum.deltas += result.deltas;
        sum.answers += result.answers;
        if (result.difference.empty()) continue;
        ++bad;
        std::cout << "seed " << *seed << ": " << result.difference << std::endl;
    }
    std::remove(wave.c_str());
    std::remove((wave + ".gz").c_str());
    std::cout << cases << " cards (" << padded << " with padded regions), " << sum.resets << " resets, "
              << sum.words << " words, " << sum.stalled << " stalled cycles, " << sum.deltas << " deltas, "
              << sum.answers << " answers replayed, " << bad << " different\n";
    return bad == 0 && (sum.resets > 0 || cases < 20) && sum.words > 0 && sum.stalled > 0 && sum.deltas > 0 &&
                   sum.answers > 0
               ? 0
               : 1;
}
