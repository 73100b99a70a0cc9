// SPDX-License-Identifier: BSD-3-Clause
// What the target transfers and how it responds; when is in test_target_timing.cpp.
#include "bench.hpp"

#include <tlmetry/base/error.hpp>

using namespace tlmetry;
using namespace tlmetry::mi;
using namespace tlmetry::mi::test;

using Data = std::vector<std::uint8_t>;

namespace {

constexpr auto rd = tlm::TLM_READ_COMMAND;
constexpr auto wr = tlm::TLM_WRITE_COMMAND;
constexpr std::uint8_t on = TLM_BYTE_ENABLED;
constexpr std::uint8_t off = TLM_BYTE_DISABLED;

// Bytes of the words of LoggingDevice in address order.
Data initial_bytes(std::uint32_t address, std::size_t count) {
    Data bytes;
    for (std::uint32_t a = address; bytes.size() < count; ++a) {
        bytes.push_back(static_cast<std::uint8_t>(LoggingDevice::initial(a & ~3U) >> (8 * (a & 3U))));
    }
    return bytes;
}

}  // namespace

TEST_CASE("a word is read and written in address order") {
    TargetBench bench([](RawInitiator& i) {
        time_fs t = 0;
        Data data{0x11, 0x22, 0x33, 0x44};
        CHECK(i.send(wr, 0x20, data, t) == tlm::TLM_OK_RESPONSE);
        Data back(4);
        CHECK(i.send(rd, 0x20, back, t) == tlm::TLM_OK_RESPONSE);
        CHECK(back == data);
    });
    sc_core::sc_start();
    const std::vector<Seen> expected{{'w', 0, 0x20, 0x44332211, 0xF}, {'r', 1, 0x20, 0x44332211, 0xF}};
    CHECK(bench.device.log == expected);
    CHECK(bench.target.accesses() == 2);
}

TEST_CASE("partial words become one access with byte enables") {
    TargetBench bench([](RawInitiator& i) {
        for (std::uint32_t lane = 0; lane < 4; ++lane) {
            for (std::uint32_t count = 1; count + lane <= 4; ++count) {
                time_fs t = 0;
                Data data(count, static_cast<std::uint8_t>(0xA0 + lane));
                CHECK(i.send(wr, 0x100 + lane, data, t) == tlm::TLM_OK_RESPONSE);
                Data back(count);
                CHECK(i.send(rd, 0x200 + lane, back, t) == tlm::TLM_OK_RESPONSE);
                CHECK(back == initial_bytes(0x200 + lane, count));
            }
        }
    });
    sc_core::sc_start();
    std::size_t n = 0;
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
        for (std::uint32_t count = 1; count + lane <= 4; ++count) {
            const std::uint32_t enables = ((1U << count) - 1) << lane;
            std::uint32_t data = 0;
            for (std::uint32_t i = lane; i < lane + count; ++i) {
                data |= (0xA0 + lane) << (8 * i);
            }
            const Seen write{'w', bench.device.log[n].edge, 0x100, data, enables};
            CHECK(bench.device.log[n] == write);
            CHECK(bench.device.log[n + 1].address == 0x200);
            n += 2;
        }
    }
    CHECK(bench.device.log.size() == n);
}

TEST_CASE("a burst at an odd address splits into successive words") {
    TargetBench bench([](RawInitiator& i) {
        time_fs t = 0;
        Data data{1, 2, 3, 4, 5, 6, 7, 8, 9};
        CHECK(i.send(wr, 0x13, data, t) == tlm::TLM_OK_RESPONSE);
        Data back(9);
        CHECK(i.send(rd, 0x13, back, t) == tlm::TLM_OK_RESPONSE);
        CHECK(back == data);
    });
    sc_core::sc_start();
    const std::vector<Seen> writes{
        {'w', 0, 0x10, 0x01000000, 0x8}, {'w', 1, 0x14, 0x05040302, 0xF}, {'w', 2, 0x18, 0x09080706, 0xF}};
    REQUIRE(bench.device.log.size() == 6);
    CHECK(std::vector<Seen>(bench.device.log.begin(), bench.device.log.begin() + 3) == writes);
}

TEST_CASE("the whole counter window is one burst") {
    TargetBench bench([](RawInitiator& i) {
        time_fs t = 0;
        Data back(0x8000);
        CHECK(i.send(rd, 0x8000, back, t) == tlm::TLM_OK_RESPONSE);
        CHECK(back == initial_bytes(0x8000, 0x8000));
    });
    sc_core::sc_start();
    REQUIRE(bench.device.log.size() == 0x2000);
    for (std::uint32_t i = 0; i < 0x2000; ++i) {
        REQUIRE(bench.device.log[i].edge == i);
        REQUIRE(bench.device.log[i].address == 0x8000 + 4 * i);
    }
}

TEST_CASE("byte enables choose lanes, repeat, and disabled words need no access") {
    TargetBench bench([](RawInitiator& i) {
        time_fs t = 0;
        Data data{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
        CHECK(i.send(wr, 0x40, data, t, {on, off, off}) == tlm::TLM_OK_RESPONSE);
        CHECK(i.send(wr, 0x40, data, t, {off, off, off, off, on, on, on, on}) == tlm::TLM_OK_RESPONSE);
        // Enables beyond the data are not used, whatever they are.
        Data two{0x55, 0x66};
        CHECK(i.send(wr, 0x80, two, t, {off, on, 0x77}) == tlm::TLM_OK_RESPONSE);
        // Bytes of a read that are not enabled stay as they were.
        Data back{0xEE, 0xEE, 0xEE, 0xEE, 0xEE};
        CHECK(i.send(rd, 0x90, back, t, {off, on}) == tlm::TLM_OK_RESPONSE);
        const Data memory = initial_bytes(0x90, 5);
        CHECK(back == Data{0xEE, memory[1], 0xEE, memory[3], 0xEE});
        // Nothing enabled: nothing happens and no time passes.
        t += 1;
        const time_fs before = t;
        CHECK(i.send(wr, 0x40, data, t, {off}) == tlm::TLM_OK_RESPONSE);
        CHECK(t == before);
    });
    sc_core::sc_start();
    const std::vector<Seen> expected{
        {'w', 0, 0x40, 0x04000001, 0x9}, {'w', 1, 0x44, 0x00070000, 0x4},
        {'w', 2, 0x48, 0x00000A00, 0x2}, {'w', 3, 0x44, 0x08070605, 0xF},
        {'w', 4, 0x80, 0x00006600, 0x2}, {'r', 5, 0x90, LoggingDevice::initial(0x90), 0xF},
    };
    CHECK(bench.device.log == expected);
}

TEST_CASE("a streaming width repeats the addresses") {
    TargetBench bench([](RawInitiator& i) {
        time_fs t = 0;
        Data data{1, 2, 3, 4, 5, 6, 7, 8};
        CHECK(i.send(wr, 0x20, data, t, {}, 4) == tlm::TLM_OK_RESPONSE);
        Data back(12);
        CHECK(i.send(rd, 0x20, back, t, {}, 4) == tlm::TLM_OK_RESPONSE);
        CHECK(back == Data{5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8});
        Data three{0xA, 0xB, 0xC};
        CHECK(i.send(wr, 0x33, three, t, {}, 2) == tlm::TLM_OK_RESPONSE);
        // Only the addresses of one width have to exist.
        Data last(64);
        CHECK(i.send(rd, 0xFFFC, last, t, {}, 4) == tlm::TLM_OK_RESPONSE);
        CHECK(i.send(rd, 0xFFFC, last, t, {}, 5) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(i.send(rd, 0xFFFC, last, t, {}, 0) == tlm::TLM_BURST_ERROR_RESPONSE);
        // One wider than the data means no streaming.
        Data word(4);
        CHECK(i.send(rd, 0xFFFC, word, t, {}, 64) == tlm::TLM_OK_RESPONSE);
    });
    sc_core::sc_start();
    const auto& log = bench.device.log;
    REQUIRE(log.size() == 2 + 3 + 3 + 16 + 1);
    CHECK(log[0] == Seen{'w', 0, 0x20, 0x04030201, 0xF});
    CHECK(log[1] == Seen{'w', 1, 0x20, 0x08070605, 0xF});
    CHECK(log[5].address == 0x30);
    CHECK(log[5].enables == 0x8);
    CHECK(log[6].address == 0x34);
    CHECK(log[6].enables == 0x1);
    CHECK(log[7].address == 0x30);
    CHECK(log[7].data == 0x0C000000);
}

TEST_CASE("addresses beyond the device are refused without any effect") {
    MiTarget::Config config;
    config.size_bytes = 0x100;
    TargetBench bench(
        [](RawInitiator& i) {
            time_fs t = 7 * ns;
            Data word(4);
            Data pair(8);
            CHECK(i.send(rd, 0x100, word, t) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
            CHECK(i.send(wr, 0x100, word, t) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
            CHECK(i.send(wr, 0xFD, word, t) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
            CHECK(i.send(wr, 0xFC, pair, t) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
            CHECK(i.send(rd, 0xFFFFFFFFFFFFFFFC, word, t) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
            CHECK(i.send(rd, 0xFFFFFFFFFFFFFFFC, pair, t) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
            CHECK(i.send(rd, 0x100000000, word, t) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
            CHECK(t == 7 * ns);
            CHECK(i.send(rd, 0xFC, word, t) == tlm::TLM_OK_RESPONSE);
            Data byte(1);
            CHECK(i.send(rd, 0xFF, byte, t) == tlm::TLM_OK_RESPONSE);
        },
        10 * ns, 0, config);
    sc_core::sc_start();
    CHECK(bench.device.log.size() == 2);
    CHECK(bench.target.accesses() == 2);
}

TEST_CASE("illegal transactions get the response that names the fault") {
    TargetBench bench([](RawInitiator& i) {
        time_fs t = 0;
        Data word(4);
        Data empty;
        CHECK(i.send(static_cast<tlm::tlm_command>(3), 0, word, t) == tlm::TLM_COMMAND_ERROR_RESPONSE);
        CHECK(i.send(wr, 0, word, t, {on, 0x01}) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        CHECK(i.send(rd, 0, word, t, {on, off, on, 0x80}) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        CHECK(i.send(tlm::TLM_IGNORE_COMMAND, 0x123456, word, t) == tlm::TLM_OK_RESPONSE);
        CHECK(i.send(wr, 0x10000, empty, t) == tlm::TLM_OK_RESPONSE);
        CHECK(i.send(rd, 0x10000, empty, t) == tlm::TLM_OK_RESPONSE);

        tlm::tlm_generic_payload trans;
        trans.set_command(rd);
        trans.set_data_length(4);
        trans.set_streaming_width(4);
        sc_core::sc_time delay;
        i.socket->b_transport(trans, delay);  // without a data pointer
        CHECK(trans.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
        trans.set_data_ptr(word.data());
        Data enables{on};
        trans.set_byte_enable_ptr(enables.data());
        trans.set_byte_enable_length(0);
        i.socket->b_transport(trans, delay);
        CHECK(trans.get_response_status() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        CHECK(t == 0);
        CHECK(delay == sc_core::SC_ZERO_TIME);
    });
    sc_core::sc_start();
    CHECK(bench.device.log.empty());
    CHECK(bench.target.accesses() == 0);
}

TEST_CASE("a clock that stops before the answer is a generic error without any effect") {
    ClockDomain clock;
    for (time_fs edge : {10 * ns, 20 * ns, 30 * ns}) {
        clock.append(edge);
    }
    LoggingDevice device;
    MiTarget target("target", {}, clock, device);
    RawInitiator initiator("initiator", [](RawInitiator& i) {
        Data word(4);
        time_fs t = 11 * ns;  // sampled at 20 ns, answered at 40 ns
        CHECK(i.send(rd, 0, word, t) == tlm::TLM_GENERIC_ERROR_RESPONSE);
        CHECK(t == 11 * ns);
        t = 10 * ns;
        CHECK(i.send(rd, 0, word, t) == tlm::TLM_OK_RESPONSE);
        CHECK(t == 30 * ns);
    });
    initiator.socket.bind(target.socket);
    sc_core::sc_start();
    CHECK(device.log == std::vector<Seen>{{'r', 0, 0, LoggingDevice::initial(0), 0xF}});
}

TEST_CASE("debug reads have no side effects and debug writes are not taken") {
    TargetBench bench([](RawInitiator& i) {
        sc_core::wait(to_sc_time(123 * ns));
        Data data(11);
        tlm::tlm_generic_payload trans;
        trans.set_command(rd);
        trans.set_address(0x21);
        trans.set_data_ptr(data.data());
        trans.set_data_length(11);
        CHECK(i.socket->transport_dbg(trans) == 11);
        CHECK(data == initial_bytes(0x21, 11));
        trans.set_address(0xFFFA);  // up to the end of the device
        CHECK(i.socket->transport_dbg(trans) == 6);
        trans.set_address(0x10000);
        CHECK(i.socket->transport_dbg(trans) == 0);
        trans.set_address(0xFFFFFFFFFFFFFFFF);
        CHECK(i.socket->transport_dbg(trans) == 0);
        trans.set_address(0x20);
        trans.set_data_length(0);
        CHECK(i.socket->transport_dbg(trans) == 0);
        trans.set_data_length(4);
        trans.set_command(wr);
        CHECK(i.socket->transport_dbg(trans) == 0);
        trans.set_command(tlm::TLM_IGNORE_COMMAND);
        CHECK(i.socket->transport_dbg(trans) == 0);
    });
    sc_core::sc_start();
    CHECK(bench.device.log.empty());
    CHECK(bench.device.last_peek == 123 * ns);
    CHECK(bench.target.accesses() == 0);
}

TEST_CASE("direct memory access is refused for every address") {
    TargetBench bench([](RawInitiator& i) {
        tlm::tlm_generic_payload trans;
        trans.set_command(rd);
        trans.set_address(0x40);
        tlm::tlm_dmi dmi;
        dmi.allow_read_write();
        CHECK_FALSE(i.socket->get_direct_mem_ptr(trans, dmi));
        CHECK(dmi.is_none_allowed());
        CHECK(dmi.get_start_address() == 0);
        CHECK(dmi.get_end_address() == ~std::uint64_t{0});
    });
    sc_core::sc_start();
}

TEST_CASE("sizes that are no range of words are refused") {
    for (std::uint64_t size : {std::uint64_t{0}, std::uint64_t{6}, (std::uint64_t{1} << 32) + 4}) {
        MiTarget::Config config;
        config.size_bytes = size;
        CHECK_THROWS_AS(config.validate(), UserError);
    }
    for (std::uint64_t size : {std::uint64_t{4}, std::uint64_t{0x10000}, std::uint64_t{1} << 32}) {
        MiTarget::Config config;
        config.size_bytes = size;
        CHECK_NOTHROW(config.validate());
    }
}
