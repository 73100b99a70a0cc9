// SPDX-License-Identifier: BSD-3-Clause
//
// Random cards on a platform with software, whose pins are counted a second time through signals, and
// recorded and replayed:
//
//   random_pin_checks [--first N] [--count M] [--seconds S]
//
// SystemC elaborates once in a process, so each card has a process of its own.
#include "endpoint_pins/random_card.hpp"
#include "telemetry/seeds.hpp"
#include "telemetry_sc/child_process.hpp"

#include <tlmetry/base/random.hpp>
#include <tlmetry/pins/pin_watch.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/replay/player.hpp>
#include <tlmetry/systemc/time.hpp>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>
#include <systemc>

namespace {

using namespace tlmetry;
using namespace tlmetry::testing;

struct Result {
    bool different;
    std::uint64_t deltas;
    std::uint64_t answers;
    std::uint64_t replayed;
};

/// Software that sleeps, gives commands and reads whatever comes to its mind.
void play_software(Random& random, const RandomCard& card, driver::MiBus& bus, driver::Clock& clock) {
    const double end = static_cast<double>(card.end) / static_cast<double>(fs_per_s);
    const std::uint32_t words = 2 * telemetry::Layout(card.component).entries;
    while (clock.now() < end) {
        clock.sleep(1e-9 * random.between(1, 4000));
        if (random.chance(1, 3)) bus.write32(regs::command, random.below(16));
        for (std::uint32_t i = random.below(20); i > 0; --i) {
            bus.read32(random.chance(1, 2) ? 4 * random.below(64)
                                           : regs::counter_window + 4 * random.below(words));
        }
    }
}

Result check(std::uint64_t seed, const std::string& wave) {
    const RandomCard card(seed);
    Random random(seed, "software");
    platform::Platform::Config config;
    config.telemetry.generics = card.component;
    config.telemetry.clocks = card.clocks;
    config.processor.quantum_fs = random.below(3) * 500 * fs_per_ns;
    config.bus.request.fs = random.below(300) * fs_per_ns;
    config.card = card.card;
    config.seed = seed;
    platform::Platform platform("platform", config, [&](driver::MiBus& bus, driver::Clock& clock) {
        play_software(random, card, bus, clock);
    });
    pins::PinWatch watch(
        {endpoint_pins::WaveRecorder::Config{wave, 0, never}, true, card.card.link.mps_bytes}, platform);
    platform.run();
    watch.finish();
    std::string difference = watch.check()->difference();
    wave::VcdReader reader(wave::Input::open(wave));
    replay::Player player(reader, card.component, {}, replay::Sample::pre, card.clocks);
    player.play();
    if (difference.empty() && player.difference())
        difference = "replay: at " + std::to_string(player.difference()->time) + " fs";
    for (std::uint32_t i = 0; i < player.counters().size() && difference.empty(); ++i) {
        if (player.counters()[i] != platform.telemetry.core().counted(i))
            difference = "replay: counter " + std::to_string(i);
    }
    if (!difference.empty()) std::cout << "seed " << seed << ": " << difference << std::endl;
    return {!difference.empty(), watch.check()->compared_deltas(), watch.check()->compared_answers(),
            player.answers_compared()};
}

}  // namespace

int sc_main(int argc, char* argv[]) {
    use_fs_resolution();
    Seeds seeds(argc, argv);
    const std::string wave = (std::filesystem::temp_directory_path() / "tlmetry_checks_").string() +
                             std::to_string(std::random_device()()) + ".vcd";
    Result sum{};
    std::uint64_t cards = 0, bad = 0;
    while (bad < 10) {
        const auto seed = seeds.next();
        if (!seed) break;
        if (!RandomCard(*seed).fits_signals()) continue;
        Result result{};
        const bool done = in_child_process([&] { return check(*seed, wave); }, result);
        if (!done) std::cout << "seed " << *seed << ": ended early" << std::endl;
        ++cards;
        bad += !done || result.different ? 1 : 0;
        sum.deltas += result.deltas;
        sum.answers += result.answers;
        sum.replayed += result.replayed;
    }
    std::remove(wave.c_str());
    std::cout << cards << " cards, " << sum.deltas << " deltas, " << sum.answers << " answers on signals, "
              << sum.replayed << " answers replayed, " << bad << " different\n";
    return bad == 0 && sum.deltas > 0 && sum.answers > 0 && sum.replayed > 0 ? 0 : 1;
}
