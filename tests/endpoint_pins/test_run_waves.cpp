// SPDX-License-Identifier: BSD-3-Clause
//
// The options of `tlmetry run` that look at the pins, through the program itself.
#include <catch2/catch.hpp>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>

namespace {

namespace fs = std::filesystem;

/// A folder that goes away with the object.
class Folder {
public:
    Folder()
        : m_path(fs::temp_directory_path() / ("tlmetry_waves_" + std::to_string(std::random_device()()))) {
        fs::create_directory(m_path);
    }
    ~Folder() { fs::remove_all(m_path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string file(const std::string& name) const { return (m_path / name).string(); }

private:
    fs::path m_path;
};

struct Outcome {
    int code = 0;
    std::string errors;
};

Outcome tlmetry(const std::string& arguments) {
    const std::string command = TLMETRY_PROGRAM " " + arguments + " 2>&1 >/dev/null";
    Outcome outcome;
    FILE* const pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> buffer;
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
        outcome.errors.append(buffer.data(), count);
    const int status = pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

std::string config(const std::string& name) {
    return "run " TLMETRY_CONFIGS "/" + name + ".ini --run.warmup=20us --duration 90us";
}

}  // namespace

TEST_CASE("replay finds the answers of a run in its waveform") {
    const std::string name =
        GENERATE(as<std::string>(), "default", "reference_load", "card_gen3x16_htile", "card_gen3x16_usp",
                 "card_gen4x8x8_ptile", "card_gen5x16_rtile_2port", "case_01_32_tags", "case_08_slow_sink");
    INFO(name);
    const Folder folder;
    const std::string wave = folder.file("wave.vcd.gz");
    REQUIRE(tlmetry(config(name) + " --wave " + wave).code == 0);
    const Outcome replayed = tlmetry("replay " + wave);
    INFO(replayed.errors);
    CHECK(replayed.code == 0);
    CHECK(replayed.errors.find("answers compared, all equal") != std::string::npos);
    CHECK(replayed.errors.find("not recorded") == std::string::npos);
    const Outcome with_generics =
        tlmetry("replay " + wave + " --params " + folder.file("wave.generics.json"));
    INFO(with_generics.errors);
    CHECK(with_generics.code == 0);
}

TEST_CASE("pins that are counted again agree with every configuration of a card") {
    const std::string name = GENERATE(
        as<std::string>(), "default", "reference_load", "card_gen3x16_htile", "card_gen3x16_usp",
        "card_gen4x16_ptile", "card_gen4x8x8_ptile", "card_gen5x16_rtile", "card_gen5x16_rtile_2port",
        "card_gen5x8x8_rtile", "card_open", "case_01_32_tags", "case_02_completion_headers", "case_03_gen2x1",
        "case_04_65_byte_frames", "case_05_one_small_read", "case_06_slow_driver", "case_07_favoured_writes",
        "case_08_slow_sink", "case_09_lost_completion", "case_10_half_width");
    const Outcome checked = tlmetry(config(name) + " --check-pins");
    INFO(name << ": " << checked.errors);
    CHECK(checked.code == 0);
    CHECK(checked.errors.find("counters and registers compared, all equal") != std::string::npos);
}

TEST_CASE("a word of the DOWN MVB has no more headers than DOWN has regions") {
    // Four single bytes a word leave the storage FIFO of a card whose DOWN has two regions.
    const Outcome checked =
        tlmetry(config("card_gen5x16_rtile") +
                " --check-pins --traffic.read_share=100% --traffic.read_size.kind=fixed "
                "--traffic.read_size.bytes=1B --host.latency=100ns --card.down_mfb_ready=1/3");
    INFO(checked.errors);
    CHECK(checked.code == 0);
}

TEST_CASE("resets of either domain and links that go down show on the pins") {
    const std::string name = GENERATE(as<std::string>(), "default", "card_gen5x16_rtile_2port",
                                      "case_01_32_tags", "case_08_slow_sink");
    INFO(name);
    const Folder folder;
    const std::string wave = folder.file("wave.vcd.gz");
    const std::string timeline =
        " --timeline '30us reset pcie for 2us, 40us reset dma for 1us, 50us reset for 300ns, 60us link down "
        "for "
        "3us, 70.0000012us reset pcie for 1us'";
    const Outcome run = tlmetry(config(name) + timeline + " --check-pins --wave " + wave);
    INFO(run.errors);
    CHECK(run.code == 0);
    CHECK(run.errors.find("counters and registers compared, all equal") != std::string::npos);
    const Outcome replayed = tlmetry("replay " + wave);
    INFO(replayed.errors);
    CHECK(replayed.code == 0);
    CHECK(replayed.errors.find("answers compared, all equal") != std::string::npos);
    // A window may begin inside a reset.
    const std::string part = folder.file("part.vcd");
    REQUIRE(tlmetry(config(name) + timeline + " --wave-from 31us --wave-to 41us --wave " + part).code == 0);
    CHECK(tlmetry("replay " + part + " --params " + folder.file("part.generics.json")).code == 0);
}

TEST_CASE("a window of a waveform shows the pins without the register bus") {
    const Folder folder;
    const std::string wave = folder.file("part.vcd");
    REQUIRE(
        tlmetry(config("default") + " --check-pins --wave-from 30us --wave-to 45us --wave " + wave).code ==
        0);
    const Outcome replayed = tlmetry("replay " + wave + " --params " + folder.file("part.generics.json"));
    INFO(replayed.errors);
    CHECK(replayed.code == 0);
    CHECK(replayed.errors.find("no MI bus recorded, 14.99") != std::string::npos);
}

TEST_CASE("a window behind the end of the run is warned of") {
    const Folder folder;
    const Outcome outcome = tlmetry(config("default") + " --wave-from 3s --wave " + folder.file("late.vcd"));
    INFO(outcome.errors);
    CHECK(outcome.code == 0);
    CHECK(outcome.errors.find("warning: --wave-from = 3s is not before the end of the run, 11") !=
          std::string::npos);
}

TEST_CASE("mistakes in the options of the pins are told in one sentence") {
    const auto refused = [](const std::string& options, const std::string& sentence) {
        const Outcome outcome = tlmetry(config("default") + " " + options);
        CHECK(outcome.code == 2);
        CHECK(outcome.errors.find("tlmetry: " + sentence) != std::string::npos);
        INFO(outcome.errors);
    };
    refused("--wave-to 5us", "option --wave-to: expected --wave beside it, found none");
    refused("--wave x.vcd --wave-from 5", "option --wave-from: expected a time (as 1.5us), found '5'");
    refused("--wave x.vcd --wave-from 5us --wave-to 5us",
            "option --wave-to: expected a time after --wave-from, found '5us'");
    for (const std::string name : {"x.txt", "-", "x.vcd.xz", ".vcd", "x"}) {
        refused(
            "--wave=" + name,
            "option --wave: expected the name of a file that ends in .vcd or .vcd.gz, found '" + name + "'");
    }
    refused("--wave /no/such/folder/x.vcd",
            "/no/such/folder/x.vcd: cannot write the waveform: No such file or directory");
    refused("--check-pins --traffic.kind=pins",
            "option --check-pins: expected traffic.kind = requests, the traffic of a card, found none of it");
}
