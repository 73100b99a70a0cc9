// SPDX-License-Identifier: BSD-3-Clause
#include "../sw/files.hpp"
#include "cards.hpp"

#include <tlmetry/device/access_log.hpp>
#include <tlmetry/device/recorded_card.hpp>
#include <tlmetry/device/recording.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <thread>

using namespace tlmetry;
using Catch::Contains;
using Catch::EndsWith;
using device::RecordedCard;
using device::Recording;
using device::SimulatedCard;
using test::read32;
using test::write32;

namespace {

/// Some accesses of all kinds.
void use(device::CardAccess& card) {
    read32(card, regs::magic);
    card.sleep(123'456'789);
    write32(card, regs::command, 1);
    for (int i = 0; i < 100; ++i) {
        read32(card, regs::status);
        card.sleep(fs_per_us / 3);
    }
    test::read_bytes(card, regs::counter_window, 512);
    test::read_bytes(card, 0x41, 3);
    card.write(regs::read_sel, nullptr, 0);
    CHECK_THROWS_AS(read32(card, regs::component_bytes), device::AccessError);
    CHECK_THROWS_AS(write32(card, regs::component_bytes, 0), device::AccessError);
    write32(card, regs::read_sel, 1);
    test::read_bytes(card, regs::counter_window, 512);
}

void save(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("a recording played to the same card finds the same answers") {
    test::TemporaryFolder folder;
    const std::string path = folder.path("accesses");
    {
        SimulatedCard card(test::busy_card());
        card.sleep(fs_per_ms);
        device::RecordingFile file(path, "option");
        RecordedCard recorded(card, file);
        use(recorded);
    }
    const Recording recording = Recording::read(path);
    CHECK(recording.accesses.size() == 108);
    SimulatedCard same(test::busy_card());
    const device::Played played = device::play(recording, same);
    CHECK(played.accesses == 108);
    CHECK(played.differences == 0);
    CHECK(played.told.empty());

    auto config = test::busy_card();
    config.seed = 2;
    SimulatedCard other(config);
    const device::Played differs = device::play(recording, other);
    CHECK(differs.differences >= 2);
    CHECK(differs.told.size() == std::min(differs.differences, device::Played::most_told));
    CHECK_THAT(differs.told.front(), Contains(path + ":") && Contains("read of 512 bytes at 0x8000"));
    CHECK(differs.told.back() != differs.told.front());

    config = test::busy_card();
    config.completion_fs = fs_per_us;
    SimulatedCard slower(config);
    CHECK_THROWS_WITH(device::play(recording, slower), EndsWith("the bus has another latency"));
}

TEST_CASE("a recording of another warm-up is refused as one") {
    test::TemporaryFolder folder;
    const std::string path = folder.path("accesses");
    save(path, "tlmetry.accesses/1\n5000000000 r 0x0 4 = 4d4c5450\n");
    SimulatedCard card(test::idle_card());
    card.sleep(10 * fs_per_us);
    CHECK_THROWS_WITH(device::play(Recording::read(path), card),
                      path +
                          ":2: read of 4 bytes at 0x0 at 5us: expected a time not before software begins, at "
                          "10us: it was recorded with another run.warmup");
}

TEST_CASE("a recording ends where the models are restarted") {
    test::TemporaryFolder folder;
    const std::string path = folder.path("accesses");
    {
        SimulatedCard card(test::idle_card(), fs_per_ms);
        device::RecordingFile file(path, "option");
        RecordedCard recorded(card, file);
        for (int i = 0; i < 5; ++i) {
            read32(recorded, regs::magic);
            recorded.sleep(fs_per_ms / 2);
        }
    }
    CHECK_THAT(test::read_file(path), EndsWith("# the models have been restarted: the recording ends\n"));
    CHECK(Recording::read(path).accesses.size() == 2);
}

TEST_CASE("what is no recording is refused with file and line") {
    test::TemporaryFolder folder;
    const std::string path = folder.path("accesses");
    const std::string head = "tlmetry.accesses/1\n";
    CHECK_THROWS_WITH(Recording::read(path),
                      "recording " + path + " cannot be read: No such file or directory");
    CHECK_THROWS_WITH(Recording::read("/tmp"), "recording /tmp: expected a file, found a directory");
    save(path, "");
    CHECK_THROWS_WITH(Recording::read(path), EndsWith("in the first line, found nothing"));
    save(path, "[run]\n");
    CHECK_THROWS_WITH(Recording::read(path),
                      path + ":1: expected tlmetry.accesses/1, a recording of accesses, found '[run]'");
    for (const char* line : {"x", "1 r 0 4", "1 q 0x0 4 = 00000000", "1 r 0x0 4 = 000000",
                             "1 r 0x0 4 = 0000000g", "-1 r 0 1 = 00", "1 r 0x100000000 1 = 00",
                             "1 r 0 2000000 refused", "1 r 0 1 = 00 more", "1 r 0 1 refused x"}) {
        save(path, head + "# comment\n\n" + line + "\n");
        CHECK_THROWS_WITH(Recording::read(path),
                          path +
                              ":4: expected `TIME r|w OFFSET BYTES = HEX` or `TIME r|w OFFSET BYTES "
                              "refused`, found '" +
                              line + "'");
    }
    save(path, head + "2 r 0x0 1 = 4d\n1 r 0x0 1 = 4d\n");
    CHECK_THROWS_WITH(Recording::read(path), Contains(":3: expected a time not before"));
    CHECK_THROWS_WITH(device::RecordingFile("/nowhere/x", "option --x"),
                      "option --x: /nowhere/x cannot be written: No such file or directory");
    CHECK_THROWS_WITH(device::RecordingFile("/dev/full", "option --x"),
                      "option --x: /dev/full cannot be written: No space left on device");
}

TEST_CASE("an access is in the file of its recording at once") {
    test::TemporaryFolder folder;
    const std::string path = folder.path("accesses");
    SimulatedCard card(test::idle_card());
    device::RecordingFile file(path, "option");
    RecordedCard recorded(card, file);
    read32(recorded, regs::magic);
    CHECK_THAT(test::read_file(path), EndsWith(" r 0x0 4 = 4d4c5450\n"));
}

TEST_CASE("a recording is there once though a thread of the program forks meanwhile") {
    test::TemporaryFolder folder;
    const std::string path = folder.path("accesses");
    SimulatedCard card(test::idle_card());
    {
        device::RecordingFile file(path, "option");
        RecordedCard recorded(card, file);
        std::atomic<bool> ended{false};
        std::thread busy([&] {
            while (!ended)
                test::read_bytes(recorded, regs::counter_window, 4096);
        });
        for (int i = 0; i < 30; ++i) {
            const pid_t child = fork();
            if (child == 0) {
                std::fflush(nullptr);  // as exit() does
                _exit(0);
            }
            waitpid(child, nullptr, 0);
        }
        ended = true;
        busy.join();
    }
    SimulatedCard same(test::idle_card());
    CHECK(device::play(Recording::read(path), same).differences == 0);
}

TEST_CASE("a log tells each access of the bus") {
    test::TemporaryFolder folder;
    const std::string path = folder.path("log.txt");
    SimulatedCard card(test::idle_card());
    const auto log = device::AccessLog::open(path, card.config().clocks.mi, "option");
    card.on_access([&](const mi::MiAccess& access) { log->access(access); });
    card.sleep(fs_per_us);
    read32(card, regs::magic);
    card.write(regs::read_sel, "\x01", 1);
    test::read_bytes(card, regs::counter_window + 4, 8);
    test::read_bytes(card, regs::pcie_tags + 4, 2);
    device::LoggedCard logged(card, *log);
    CHECK_THROWS_AS(read32(logged, regs::component_bytes - 2), device::AccessError);
    CHECK_THROWS_AS(logged.write(0x12345678, "abc", 3), device::AccessError);
    CHECK(read32(logged, regs::magic) == regs::magic_value);
    // All of it is there already, in case that the program crashes.
    CHECK(test::read_file(path) ==
          "#        time/ns  access  address     data        enables  register\n"
          "        1000.000  read    0x00000000  0x50544c4d  1111     MAGIC\n"
          "        1020.000  write   0x00000028  0x00000001  0001     READ_SEL\n"
          "        1030.000  read    0x00008004  0x00000000  1111     counter 0 high\n"
          "        1040.000  read    0x00008008  0x00000000  1111     counter 1 low\n"
          "        1060.000  read    0x00000084  0x00000000  0011     PCIE_TAGS 1\n"
          "        1080.000  read    0x0000fffe  refused     4 bytes\n"
          "        1080.000  write   0x12345678  refused     3 bytes\n"
          "        1080.000  read    0x00000000  0x50544c4d  1111     MAGIC\n");
}

TEST_CASE("the pins of the bus show each access around its edge") {
    test::TemporaryFolder folder;
    const std::string path = folder.path("log.vcd");
    SimulatedCard card(test::idle_card());
    const auto log = device::AccessLog::open(path, card.config().clocks.mi, "option");
    card.on_access([&](const mi::MiAccess& access) { log->access(access); });
    card.sleep(fs_per_us);
    read32(card, regs::magic);
    log->finish();
    const std::string wave = test::read_file(path);
    // RD stands behind the edge at 990 ns and is sampled at 1000 ns; DRDY stands behind the edge at 1010 ns.
    // Time stamps are 1 ns later.
    const std::string shown = wave.substr(wave.find("#991000"));
    CHECK_THAT(shown, Contains("#991000\n1!\n1%\n") && Contains("#1001000\n1!\n0%\n") &&
                          Contains("#1011000\n") && Contains("1)\nb1010000010101000100110001001101 (\n"));
    CHECK(wave.find("#981000") == wave.npos);
    CHECK(wave.find("#1031000") == wave.npos);
}
