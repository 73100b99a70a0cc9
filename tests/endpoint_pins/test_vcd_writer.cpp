// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/wave/signal_finder.hpp>
#include <tlmetry/wave/vcd_reader.hpp>
#include <tlmetry/wave/vcd_writer.hpp>

#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

using namespace tlmetry;

namespace {

/// A name for a file that goes away with the object.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& end)
        : m_path((std::filesystem::temp_directory_path() / "tlmetry_writer_").string() +
                 std::to_string(std::random_device()()) + end) {}
    ~TemporaryFile() { std::remove(m_path.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::string& path() const { return m_path; }
    std::string bytes() const {
        std::ifstream file(m_path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

private:
    std::string m_path;
};

void write_small(const std::string& path) {
    wave::VcdWriter writer(path, fs_per_ps, "small");
    writer.open_scope("top");
    const auto clock = writer.add("clk", 1);
    const auto wide = writer.add("wide", 70);
    writer.close_scope();
    writer.begin(0);
    writer.change(clock, 0);
    const std::uint64_t value[] = {5, 0x20};
    writer.change_words(wide, value);
    writer.time(1500);
    writer.change(clock, 1);
    const std::uint64_t unknown[] = {6, 0};
    const std::uint64_t one[] = {1, 0};
    writer.change_words(wide, one, unknown);
    writer.finish();
}

}  // namespace

TEST_CASE("a waveform is written as the standard says") {
    const TemporaryFile file(".vcd");
    write_small(file.path());
    CHECK(file.bytes() ==
          "$comment\n  small\n$end\n$timescale\n  1 ps\n$end\n$scope module top $end\n"
          "$var wire 1 ! clk $end\n$var wire 70 \" wide [69:0] $end\n$upscope $end\n"
          "$enddefinitions $end\n#0\n$dumpvars\n0!\nb1" +
              std::string(66, '0') + "101 \"\n$end\n#1\n1!\nb0xx1 \"\n");
}

TEST_CASE("the reader finds in a packed waveform what was written") {
    const TemporaryFile file(".vcd.gz");
    write_small(file.path());
    wave::VcdReader reader(wave::Input::open(file.path()));
    const wave::SignalFinder finder(reader.header());
    const auto clock = reader.select(finder.find("top.clk", 1));
    const auto wide = reader.select(finder.find("wide", 70));
    REQUIRE(reader.next_step());
    CHECK(reader.time() == 0);
    CHECK(reader.now(wide).value[0] == 5);
    CHECK(reader.now(wide).value[1] == 0x20);
    CHECK(reader.now(wide).is_known());
    REQUIRE(reader.next_step());
    CHECK(reader.time() == fs_per_ps);
    CHECK(reader.now(clock).value[0] == 1);
    CHECK(reader.now(wide).value[0] == 1);
    CHECK(reader.now(wide).unknown[0] == 6);
    CHECK(reader.now(wide).unknown[1] == 0);
    CHECK_FALSE(reader.next_step());
}

TEST_CASE("identifier codes differ, also when they need several characters") {
    const TemporaryFile file(".vcd");
    constexpr std::uint32_t signals = 20'000;
    {
        wave::VcdWriter writer(file.path(), 1, "many");
        for (std::uint32_t i = 0; i < signals; ++i)
            writer.add("s" + std::to_string(i), 1);
        writer.begin(0);
        writer.finish();
    }
    wave::VcdReader reader(wave::Input::open(file.path()));
    CHECK(reader.header().ids == signals);
    CHECK(reader.header().tick_fs == 1);
}

TEST_CASE("what a killed program leaves of a waveform can be read") {
    const std::string end = GENERATE(std::string(".vcd"), std::string(".vcd.gz"));
    const TemporaryFile file(end);
    wave::VcdWriter writer(file.path(), fs_per_ps, "long");
    const auto counter = writer.add("counter", 32);
    writer.begin(0);
    writer.change(counter, 0);
    for (std::uint64_t i = 1; i < 200'000; ++i) {
        writer.time(static_cast<time_fs>(i) * fs_per_ns);
        writer.change(counter, i);
    }
    // Not finished.
    wave::VcdReader reader(wave::Input::open(file.path()));
    const auto found = reader.select(wave::SignalFinder(reader.header()).find("counter", 32));
    std::uint64_t steps = 0;
    while (reader.next_step())
        CHECK(reader.now(found).value[0] == steps++);
    CHECK(steps > 50'000);
    CHECK(steps < 200'000);
}

TEST_CASE("a waveform that cannot be written is refused in one sentence") {
    CHECK_THROWS_AS(wave::VcdWriter("/no/such/folder/wave.vcd", 1, ""), UserError);
    CHECK_THROWS_WITH(wave::VcdWriter("/no/such/folder/wave.vcd", 1, ""),
                      "/no/such/folder/wave.vcd: cannot write the waveform: No such file or directory");
    wave::VcdWriter full("/dev/full", 1, "full");
    full.begin(0);
    CHECK_THROWS_WITH(full.finish(), "/dev/full: cannot write the waveform: No space left on device");
}
