// SPDX-License-Identifier: BSD-3-Clause
// Replay of a recording of one endpoint with the default generics: reading the VCD, counting, comparing every
// answer. The argument is the folder of the recordings of the tests.
#include "measure.hpp"

#include <tlmetry/replay/player.hpp>
#include <tlmetry/wave/vcd_reader.hpp>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

using namespace tlmetry;

namespace {

/// The whole text of a packed recording, so that unpacking is measured apart.
std::string unpacked(const std::string& path) {
    wave::Input input = wave::Input::open(path);
    std::string text;
    std::vector<wave::Byte> chunk(1 << 20);
    while (const std::size_t size = input.read(chunk.data(), chunk.size())) {
        text.append(chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(size));
    }
    return text;
}

void measure(const char* what, const std::function<wave::Input()>& open) {
    telemetry::Config config;
    config.drain_period = 1024;
    telemetry::Clocks absent;
    absent.pcie.resize(1);
    std::uint64_t bytes = 0;
    std::uint64_t answers = 0;
    const double seconds = bench::best_seconds(5, [&] {
        wave::VcdReader reader(open());
        replay::Player player(reader, config, {}, replay::Sample::pre, absent);
        player.play();
        bytes = reader.text_bytes();
        answers = player.difference() ? 0 : player.answers_compared();
    });
    if (answers == 0) {
        std::cerr << "bench_replay: the recording was not replayed equal\n";
        std::exit(1);
    }
    bench::result(what, static_cast<double>(bytes) / 1e6 / seconds, "MB/s of VCD text");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string path = std::string(argc > 1 ? argv[1] : "tests/data/waves") + "/prof_stall/wave.vcd.gz";
    const std::string text = unpacked(path);
    measure("replay of a plain recording, every answer compared",
            [&] { return wave::Input::from_memory("prof_stall", text); });
    measure("replay of a gzipped recording, every answer compared", [&] { return wave::Input::open(path); });
}
