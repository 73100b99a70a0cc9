// SPDX-License-Identifier: BSD-3-Clause
// libtlmetry-nfb.so, used as libnfb uses it.
#include "../serve/standard_error.hpp"
#include "../sw/files.hpp"
#include "loaded_library.hpp"

#include <tlmetry/base/bytes.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/nfb/device_name.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/remote/component.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <optional>
#include <thread>

using namespace tlmetry;
using Catch::Contains;
using nfb::DeviceName;
using test::LoadedLibrary;
using test::OpenDevice;

namespace {

constexpr std::uint32_t base = 0x20000;

/// A configuration in a file of its own.
struct Fixture {
    Fixture() : idle(folder.path("idle.ini")) { std::ofstream(idle) << "[traffic]\nkind = idle\n"; }
    test::TemporaryFolder folder;
    std::string idle;
};

std::uint32_t read32(const OpenDevice& device, std::uint32_t address) {
    std::uint8_t bytes[4];
    REQUIRE(device.read(bytes, 4, base + address) == 4);
    return word_of(bytes);
}

}  // namespace

TEST_CASE("names of devices") {
    CHECK(DeviceName::is_one("a.ini"));
    CHECK(DeviceName::is_one("/x/a.ini,speed=2"));
    for (const char* other : {"", ".ini", "a.json", "grpc:localhost:1", "a,b.ini", "/dev/nfb0"})
        CHECK_FALSE(DeviceName::is_one(other));
    const DeviceName name =
        DeviceName::parse("a.ini,step=5us,run.seed=3,record-accesses=x,telemetry.drain_period=1024");
    CHECK(name.file == "a.ini");
    CHECK(name.pace.kind == device::Pacer::Kind::step);
    CHECK(name.pace.step_fs == 5 * fs_per_us);
    CHECK(name.record == "x");
    REQUIRE(name.parameters.size() == 2);
    CHECK(name.parameters[0].name == "run.seed");
    CHECK(name.parameters[1].text == "1024");
    CHECK(DeviceName::parse("a.ini,free-run").pace.kind == device::Pacer::Kind::free_run);
    CHECK(DeviceName::parse("a.ini,speed=0.5").pace.speed == 0.5);
    CHECK_THROWS_WITH(DeviceName::parse("a.ini,fast"),
                      "device a.ini,fast: expected free-run or NAME=VALUE, found 'fast'");
    CHECK_THROWS_AS(DeviceName::parse("a.ini,"), UserError);
    CHECK_THROWS_AS(DeviceName::parse("a.ini,speed=0"), UserError);
    CHECK_THROWS_AS(DeviceName::parse("a.ini,step=1us,free-run"), UserError);
    for (const char* twice : {"speed=1,speed=2", "free-run,free-run", "record-accesses=a,record-accesses=b",
                              "run.seed=1,run.seed=1"})
        CHECK_THROWS_WITH(DeviceName::parse("a.ini," + std::string(twice)), Contains(" once"));
}

TEST_CASE_METHOD(Fixture, "the library has version 1.0 and takes configurations only") {
    const LoadedLibrary library;
    CHECK(library.version().major == 1);
    CHECK(library.version().minor == 0);
    libnfb_ext_ops ops = {};
    CHECK(library.get_ops("grpc:localhost:50051", ops) == 0);
    CHECK(ops.open == nullptr);
    CHECK(library.get_ops(idle.c_str(), ops) > 0);
    CHECK(ops.open != nullptr);
    CHECK(ops.ndp_queue_open == nullptr);
    CHECK(ops.ndp_queue_close == nullptr);
    CHECK(library.get_ops(nullptr, ops) < 0);
}

TEST_CASE_METHOD(Fixture, "a device has a tree, a component and a bus") {
    const LoadedLibrary library;
    const OpenDevice device(library, idle);
    const auto component = remote::find_telemetry(device.tree(), 0, "device");
    CHECK(component.base == base);
    CHECK(read32(device, regs::magic) == regs::magic_value);
    std::uint8_t bytes[8] = {};
    CHECK(device.read(bytes, 3, base + 1) == 3);
    CHECK(std::memcmp(bytes, "LTP", 3) == 0);
    CHECK(device.write("\x01", 1, base + regs::read_sel) == 1);
    CHECK(read32(device, regs::read_sel) == 1);
    std::vector<std::uint8_t> block(32'768);
    CHECK(device.read(block.data(), block.size(), base + 0x8000) == 32'768);
    CHECK(device.ops().comp_lock(nullptr, 1) == 1);
    device.ops().comp_unlock(nullptr, 1);
}

TEST_CASE_METHOD(Fixture, "accesses that cannot be are refused with errno") {
    const LoadedLibrary library;
    const OpenDevice device(library, idle);
    std::uint8_t bytes[8] = {};
    CHECK(device.read(bytes, 0, 0) == 0);
    CHECK(device.write(bytes, 0, base + regs::component_bytes) == 0);
    for (const off_t offset : {off_t{0}, off_t{base} - 2, off_t{base} + 0xFFFE, off_t{1} << 40}) {
        errno = 0;
        CHECK(device.read(bytes, 4, offset) == -1);
        CHECK(errno == EFAULT);
        CHECK(device.write(bytes, 4, offset) == -1);
    }
    CHECK(device.read(bytes, 4, -4) == -1);
    CHECK(errno == EINVAL);
    CHECK(device.read(bytes, std::size_t{1} << 40, base) == -1);
}

TEST_CASE_METHOD(Fixture, "a device that cannot be is refused in words") {
    const LoadedLibrary library;
    libnfb_ext_ops ops = {};
    for (const std::string& name : {folder.path("none.ini"), idle + ",speed=fast", idle + ",run.sed=1",
                                    idle + ",telemetry.pcie_endpoints=17"}) {
        REQUIRE(library.get_ops(name.c_str(), ops) > 0);
        void* device = nullptr;
        void* fdt = nullptr;
        CHECK(ops.open(name.c_str(), 0, &device, &fdt) != 0);
        CHECK(device == nullptr);
    }
}

TEST_CASE_METHOD(Fixture, "a recording takes the place of no configuration and of no other recording") {
    const LoadedLibrary library;
    libnfb_ext_ops ops = {};
    const auto refused = [&](const std::string& name) {
        REQUIRE(library.get_ops(name.c_str(), ops) > 0);
        void* device = nullptr;
        void* fdt = nullptr;
        return ops.open(name.c_str(), 0, &device, &fdt) != 0;
    };
    const std::string recording = folder.path("accesses.txt");
    CHECK(refused(idle + ",step=1us,record-accesses=" + idle));
    CHECK(test::read_file(idle) == "[traffic]\nkind = idle\n");
    const OpenDevice first(library, idle + ",step=1us,record-accesses=" + recording);
    CHECK(refused(idle + ",step=2us,record-accesses=" + recording));
    read32(first, regs::magic);
    CHECK_THAT(test::read_file(recording), Catch::EndsWith(" r 0x0 4 = 4d4c5450\n"));
}

TEST_CASE_METHOD(Fixture, "a name is one card, other names are other cards") {
    const LoadedLibrary library;
    const std::string stepped = idle + ",step=1us";
    const OpenDevice first(library, stepped);
    const OpenDevice again(library, stepped);
    const OpenDevice other(library, stepped + ",telemetry.pcie_endpoints=2,telemetry.pcie_clock=250MHz");
    CHECK(first.write("\x01\0\0\0", 4, base + regs::read_sel) == 4);
    CHECK(read32(again, regs::read_sel) == 1);
    CHECK(read32(other, regs::read_sel) == 0);
    CHECK((read32(first, regs::cfg_topology) & 0xFF) == 1);
    CHECK((read32(other, regs::cfg_topology) & 0xFF) == 2);
}

TEST_CASE_METHOD(Fixture, "threads share devices without a wrong value") {
    const LoadedLibrary library;
    const OpenDevice device(library, idle);
    const OpenDevice other(library, idle + ",free-run");
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&] {
            for (int i = 0; i < 100'000; ++i) {
                std::uint8_t bytes[4] = {};
                wrong += device.read(bytes, 4, base) != 4 || word_of(bytes) != regs::magic_value;
                wrong +=
                    i % 8 == 0 && (other.read(bytes, 2, base + 1) != 2 || bytes[0] != 'L' || bytes[1] != 'T');
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    CHECK(wrong == 0);
}

TEST_CASE_METHOD(Fixture, "steps lead on where the time of the models ends") {
    const LoadedLibrary library;
    const OpenDevice device(library, idle + ",step=1000s");
    REQUIRE(device.write("\x01\0\0\0", 4, base + regs::read_sel) == 4);
    double before = 0;
    for (int i = 0; i < 10; ++i) {
        CHECK(read32(device, regs::magic) == regs::magic_value);
        std::uint8_t counter[8];
        REQUIRE(device.read(counter, sizeof counter, base + regs::counter_window) == 8);
        const double cycles = word_of(counter) + word_of(counter + 4) * 0x1p32;
        if (i > 0) CHECK(cycles - before == Approx(2000 * 400e6).epsilon(1e-6));
        before = cycles;
    }
}

TEST_CASE_METHOD(Fixture, "the library can be unloaded and loaded again") {
    for (int i = 0; i < 20; ++i) {
        {
            const LoadedLibrary library;
            const OpenDevice device(library, idle + (i % 2 == 0 ? "" : ",free-run"));
            CHECK(read32(device, regs::magic) == regs::magic_value);
            // A card of its own each time.
            CHECK(read32(device, regs::read_sel) == 0);
            CHECK(device.write("\x01\0\0\0", 4, base + regs::read_sel) == 4);
        }
    }
}

TEST_CASE_METHOD(Fixture, "a card that is opened again does not overwrite its recording") {
    const std::string recording = folder.path("accesses");
    for (int i = 0; i < 3; ++i) {
        const LoadedLibrary library;  // is unloaded between
        const OpenDevice device(library, idle + ",step=1us,record-accesses=" + recording);
        const OpenDevice same(library, idle + ",step=1us,record-accesses=" + recording);
        for (int n = 0; n <= i; ++n)
            read32(n % 2 == 0 ? device : same, regs::magic);
    }
    for (const auto& [end, lines] : {std::pair("", 2), std::pair(".2", 3), std::pair(".3", 4)}) {
        const std::string text = test::read_file(recording + end);
        CHECK(std::count(text.begin(), text.end(), '\n') == lines);
    }
}

TEST_CASE_METHOD(Fixture, "a device can be closed and opened while others stay open") {
    const LoadedLibrary library;
    const OpenDevice stays(library, idle + ",free-run");
    for (int i = 0; i < 50; ++i) {
        const OpenDevice device(library, idle + ",step=1us");
        // A card of its own each time.
        CHECK(read32(device, regs::read_sel) == 0);
        CHECK(device.write("\x01\0\0\0", 4, base + regs::read_sel) == 4);
    }
    CHECK(read32(stays, regs::magic) == regs::magic_value);
}

TEST_CASE_METHOD(Fixture, "a device that is open outlives the unloading of the library") {
    for (const char* options : {"", ",free-run", ",step=1us"}) {
        std::optional<OpenDevice> device;
        {
            const LoadedLibrary library;
            device.emplace(library, idle + options);
            CHECK(device->write("\x01\0\0\0", 4, base + regs::read_sel) == 4);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // its thread goes on
        CHECK(read32(*device, regs::magic) == regs::magic_value);
        {
            const LoadedLibrary again;
            const OpenDevice same(again, idle + options);
            CHECK(read32(same, regs::read_sel) == 1);
        }
        device.reset();
        const LoadedLibrary fresh;
        const OpenDevice other(fresh, idle + options);
        CHECK(read32(other, regs::read_sel) == 0);
    }
}

TEST_CASE_METHOD(Fixture, "a card that has failed says so once") {
    const std::string recording = folder.path("accesses");
    const LoadedLibrary library;
    const OpenDevice device(library, idle + ",step=1us,record-accesses=" + recording);
    // No file can grow beyond this.
    rlimit before = {};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    rlimit small = before;
    small.rlim_cur = 4096;
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    std::string told;
    int failed = 0;
    {
        test::StandardError error;
        for (int i = 0; i < 1000; ++i) {
            std::uint8_t bytes[4];
            if (device.read(bytes, sizeof bytes, base) == -1 && errno == EIO) ++failed;
        }
        told = error.text();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK(failed > 500);
    CHECK(told ==
          "libtlmetry-nfb: option record-accesses: " + recording + " cannot be written: File too large\n");
}
