// SPDX-License-Identifier: BSD-3-Clause
#include "bench.hpp"
#include "software.hpp"

#include <tlmetry/base/error.hpp>

using namespace tlmetry;
using namespace tlmetry::mi;
using namespace tlmetry::mi::test;

namespace {

// Software straight on a target; MI edge n at n * 10 ns.
struct SoftwareBench {
    explicit SoftwareBench(std::function<void(MiInitiator&)> body, time_fs quantum_fs = fs_per_us)
        : clock(10 * ns, 0),
          target("target", {}, clock, device),
          software("software", std::move(body), quantum_fs) {
        software.mi.socket.bind(target.socket);
    }

    ClockDomain clock;
    LoggingDevice device;
    MiTarget target;
    Software software;
};

}  // namespace

TEST_CASE("software reads and writes words, blocks and single bytes") {
    SoftwareBench bench([](MiInitiator& mi) {
        mi.write32(0x10, 0x12345678);
        CHECK(mi.read32(0x10) == 0x12345678);
        CHECK(mi.read32(0x11) == (0x00123456 | (LoggingDevice::initial(0x14) & 0xFF) << 24));
        const std::uint8_t bytes[6] = {1, 2, 3, 4, 5, 6};
        const std::uint8_t enables[6] = {0xFF, 0xFF, 0, 0, 0xFF, 0xFF};
        mi.write_block(0x20, bytes, 6, enables);
        mi.write_block(0x31, bytes, 3);
        std::uint8_t back[6] = {};
        mi.read_block(0x20, back, 6);
        CHECK(back[1] == 2);
        CHECK(back[2] == ((LoggingDevice::initial(0x20) >> 16) & 0xFF));
        CHECK(back[4] == 5);
        // An enable left over from a block must not touch the next access.
        mi.write32(0x20, 0xFFFFFFFF);
        CHECK(mi.read32(0x20) == 0xFFFFFFFF);
        // Nothing to transfer: nothing happens, wherever it is.
        const time_fs before = mi.now();
        mi.write_block(0x10000, bytes, 0);
        CHECK(mi.now() == before);
    });
    sc_core::sc_start();
    CHECK(bench.software.finished);
}

TEST_CASE("software is told of bus errors and goes on") {
    SoftwareBench bench([](MiInitiator& mi) {
        try {
            mi.read32(0x10000);
            CHECK(false);
        } catch (const BusError& e) {
            CHECK(e.status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
            CHECK(e.address() == 0x10000);
            CHECK(std::string(e.what()) ==
                  "MI read of 4 bytes at 0x10000 failed: TLM_ADDRESS_ERROR_RESPONSE");
        }
        CHECK_THROWS_AS(mi.write32(0xFFFE, 0), BusError);
        const std::uint8_t enables[2] = {0xFF, 1};
        try {
            mi.write_block(0, enables, 2, enables);
            CHECK(false);
        } catch (const BusError& e) {
            CHECK(e.status() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        }
        CHECK(mi.read32(0) == LoggingDevice::initial(0));
    });
    sc_core::sc_start();
    CHECK(bench.software.finished);
    CHECK(bench.device.log.size() == 1);
}

TEST_CASE("time passes for the software with its accesses and its sleep") {
    SoftwareBench bench([](MiInitiator& mi) {
        CHECK(mi.now() == 0);
        mi.read32(0);
        CHECK(mi.now() == 20 * ns);
        mi.write32(0, 0);
        CHECK(mi.now() == 30 * ns);
        mi.sleep(5 * ns);
        CHECK(mi.now() == 35 * ns);
        CHECK(kernel_now() == 0);
        mi.read32(0);  // sampled at 40 ns
        CHECK(mi.now() == 60 * ns);
        mi.sleep(10 * fs_per_ms);
        CHECK(mi.now() == 60 * ns + 10 * fs_per_ms);
        CHECK(kernel_now() == mi.now());
        mi.sleep(0);
        mi.read32(0);
        CHECK(kernel_now() == mi.now() - 20 * ns);
        mi.sync();
        CHECK(kernel_now() == mi.now());
        CHECK(mi.now() == 80 * ns + 10 * fs_per_ms);
    });
    sc_core::sc_start();
    CHECK(bench.software.finished);
}

TEST_CASE("software waits for the kernel once it is a quantum ahead, not before") {
    SoftwareBench bench(
        [](MiInitiator& mi) {
            mi.sleep(100 * ns - 1);
            CHECK(kernel_now() == 0);
            mi.sleep(1);
            CHECK(kernel_now() == 100 * ns);
            for (int i = 1; i <= 4; ++i) {
                mi.read32(0);
                CHECK(kernel_now() == 100 * ns);
            }
            mi.read32(0);
            CHECK(kernel_now() == 200 * ns);
        },
        100 * ns);
    sc_core::sc_start();
    CHECK(bench.software.finished);
}

TEST_CASE("without a quantum software is never ahead") {
    SoftwareBench bench(
        [](MiInitiator& mi) {
            for (int i = 1; i <= 10; ++i) {
                mi.read32(0);
                CHECK(kernel_now() == i * 20 * ns);
                CHECK(mi.now() == kernel_now());
            }
        },
        0);
    sc_core::sc_start();
    CHECK(bench.software.finished);
}

TEST_CASE("debug reads take no time") {
    SoftwareBench bench([](MiInitiator& mi) {
        mi.write32(0x10, 0xCAFE);
        std::uint32_t value = 0;
        CHECK(mi.debug_read(0x10, &value, 4) == 4);
        CHECK(value == 0xCAFE);
        CHECK(mi.debug_read(0xFFFE, &value, 4) == 2);
        CHECK(mi.debug_read(0x20000, &value, 4) == 0);
        CHECK(mi.now() == 10 * ns);
    });
    sc_core::sc_start();
    CHECK(bench.software.finished);
    CHECK(bench.device.log.size() == 1);
}

TEST_CASE("the same software at any quantum causes the same accesses at the same edges") {
    const ClockDomain clock(7'777'777, 3);
    const time_fs quanta[] = {0, 1, 100 * ns, fs_per_us, fs_per_s};
    constexpr std::size_t runs = std::size(quanta);
    LoggingDevice device[runs];
    std::vector<std::unique_ptr<MiTarget>> target;
    std::vector<std::unique_ptr<Software>> software;
    std::vector<time_fs> end(runs);
    for (std::size_t run = 0; run < runs; ++run) {
        auto body = [&end, run](MiInitiator& mi) {
            std::uint32_t seed = 1;
            std::uint8_t block[64];
            for (int i = 0; i < 2000; ++i) {
                seed = seed * 1664525 + 1013904223;
                const std::uint32_t address = seed >> 8 & 0xFFC;
                switch (seed >> 28) {
                    case 0:
                        mi.sleep(seed & 0xFFFFFF);
                        break;
                    case 1:
                        mi.read_block(address + 1, block, 1 + (seed >> 20 & 31));
                        break;
                    case 2:
                        mi.write_block(address + 3, block, 1 + (seed >> 20 & 31));
                        break;
                    case 3:
                        CHECK_THROWS_AS(mi.read32(0x10000), BusError);
                        break;
                    case 4:
                        mi.sync();
                        break;
                    case 5:
                    case 6:
                    case 7:
                        mi.write32(address, seed);
                        break;
                    default:
                        mi.read32(address);
                }
            }
            end[run] = mi.now();
        };
        const std::string number = std::to_string(run);
        target.push_back(
            std::make_unique<MiTarget>(("target" + number).c_str(), MiTarget::Config{}, clock, device[run]));
        software.push_back(std::make_unique<Software>(("software" + number).c_str(), body, quanta[run]));
        software[run]->mi.socket.bind(target[run]->socket);
    }
    sc_core::sc_start();
    REQUIRE(device[0].log.size() > 2000);
    for (std::size_t run = 0; run < runs; ++run) {
        CHECK(software[run]->finished);
        CHECK((device[run].log == device[0].log));
        CHECK(end[run] == end[0]);
        CHECK(target[run]->late_accesses() == 0);
    }
}

TEST_CASE("a negative quantum is refused") {
    CHECK_THROWS_AS(MiInitiator::Config{-1}.validate(), UserError);
    CHECK_NOTHROW(MiInitiator::Config{0}.validate());
}
