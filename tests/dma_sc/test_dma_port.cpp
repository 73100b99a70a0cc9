// SPDX-License-Identifier: BSD-3-Clause
#include "dma_sc/initiator.hpp"

#include <tlmetry/base/random.hpp>
#include <tlmetry/dma_sc/dma_port.hpp>
#include <tlmetry/dma_sc/endpoint_engine.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

using namespace tlmetry;
using test::Initiator;

namespace {

constexpr std::uint64_t lost_page = 0xBAD0'0000;

/// Latencies between 500 and 600 ns; it never answers for one page.
class TestHost : public endpoint::HostModel {
public:
    time_fs read(std::uint32_t, const endpoint::Arrival& arrival) override {
        lengths.push_back(arrival.length);
        arrivals.push_back(arrival.at);
        if (arrival.address / 4096 == lost_page / 4096) return never;
        return arrival.at + 500 * fs_per_ns + m_random.below(100'000) * fs_per_ps;
    }
    void write(std::uint32_t, const endpoint::Arrival& arrival) override {
        lengths.push_back(arrival.length);
        arrivals.push_back(arrival.at);
    }
    std::vector<std::uint32_t> lengths;
    std::vector<time_fs> arrivals;

private:
    Random m_random{1, "host"};
};

endpoint::Config small_requests() {
    endpoint::Config config;
    config.ptc.mps_bytes = 256;
    config.ptc.mrrs_bytes = 512;
    config.ptc.completion_timeout_fs = 20 * fs_per_us;
    config.link.up_byte_time = config.link.down_byte_time = 34'000ull << 16;
    return config;
}

/// One endpoint with one DMA port, its host, and who uses it.
struct Bench {
    TestHost host;
    dma_sc::HostMemory memory;
    dma_sc::DmaPort port;
    dma_sc::EndpointEngine engine;
    Initiator initiator;

    explicit Bench(std::function<void(Initiator&)> body, const endpoint::Config& config = small_requests(),
                   bool split = true)
        : port("port", {split}),
          engine("engine", config, ClockDomain(2500 * fs_per_ps, 0), ClockDomain(5 * fs_per_ns, 0), {&port},
                 host, memory),
          initiator("initiator", std::move(body)) {
        initiator.socket.bind(port.socket);
    }
    /// Runs until nothing is left to do.
    void run() {
        sc_core::sc_start();
        CHECK(initiator.mistakes == std::vector<std::string>());
        CHECK(port.outstanding() == 0);
        for (const auto& t : initiator.all) {
            CHECK(t->ended);
            CHECK(t->freed);
        }
    }
};

std::vector<std::uint8_t> random_bytes(Random& random, std::size_t count) {
    std::vector<std::uint8_t> bytes(count);
    for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>(random.next());
    return bytes;
}

void check_split(bool split) {
    Bench bench(
        [&](Initiator& initiator) {
            initiator.ask(false, 0x1F0E, std::vector<std::uint8_t>(1000, 7), 0);
            initiator.wait_for_all();
            initiator.wait_until(kernel_now() + 10 * fs_per_us);
            initiator.ask(true, 0x1F0E, std::vector<std::uint8_t>(1000), kernel_now());
        },
        small_requests(), split);
    bench.run();
    const auto& write = *bench.initiator.all[0];
    const auto& read = *bench.initiator.all[1];
    CHECK(write.payload.get_response_status() == tlm::TLM_OK_RESPONSE);
    CHECK(read.payload.get_response_status() ==
          (split ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE));
    if (split) {
        // Two bytes before a dword, then up to the page, then MPS or MRRS.
        CHECK(bench.host.lengths == std::vector<std::uint32_t>{242, 256, 256, 246, 242, 512, 246});
        CHECK(read.data == std::vector<std::uint8_t>(1000, 7));
        CHECK(bench.memory.pages() == 2);
    } else {
        CHECK(bench.host.lengths.empty());
        CHECK(bench.engine.endpoint().statistics().malformed == 2);
        CHECK(bench.memory.pages() == 0);
        CHECK(read.responded - read.asked > 20 * fs_per_us);
        CHECK(read.responded - read.asked < 21 * fs_per_us);
    }
}

void check_response_order(bool by_phase) {
    Bench bench([&](Initiator& initiator) {
        initiator.end_by_phase = by_phase;
        initiator.response_time = 300 * fs_per_ns;
        for (std::uint64_t i = 0; i < 200; ++i)
            initiator.ask(i % 3 != 0, 4096 * i, std::vector<std::uint8_t>(64), 0);
    });
    bench.run();
    CHECK(bench.initiator.order.size() == 200);
    // Writes are accepted before the first read has come back; reads overtake each other.
    CHECK(std::is_sorted(bench.initiator.order.begin(), bench.initiator.order.begin() + 67));
    CHECK_FALSE(std::is_sorted(bench.initiator.order.begin() + 67, bench.initiator.order.end()));
    const auto& first = *bench.initiator.all[bench.initiator.order.front()];
    const auto& last = *bench.initiator.all[bench.initiator.order.back()];
    CHECK(last.responded == first.responded + 199 * 300 * fs_per_ns);
}

}  // namespace

TEST_CASE("random reads and writes move the bytes they should, hundreds at a time") {
    constexpr std::uint64_t base = 0xFEDC'0000'0000'0000;
    constexpr std::size_t space = 1 << 20;
    Random random(1, "data");
    std::vector<std::uint8_t> shadow(space, 0);
    std::size_t wrong = 0;
    const auto body = [&](Initiator& initiator) {
        for (int batch = 0; batch < 10; ++batch) {
            struct Read {
                std::size_t number;
                std::vector<std::uint8_t> expected;
            };
            std::vector<Read> reads;
            // Neighbours that do not overlap, in a random order, the next batch over them.
            std::vector<std::pair<std::size_t, std::size_t>> ranges;
            for (std::size_t at = random.below(50); at < space;) {
                const std::size_t length =
                    std::min<std::size_t>(space - at, random.between(1, random.chance(1, 4) ? 4096 : 300));
                ranges.emplace_back(at, length);
                at += length + random.below(1000);
            }
            for (std::size_t i = ranges.size(); i > 1; --i)
                std::swap(ranges[i - 1], ranges[random.below(static_cast<std::uint32_t>(i))]);
            const time_fs now = kernel_now();
            for (const auto& [at, length] : ranges) {
                std::vector<std::uint8_t> data = random_bytes(random, length);
                std::vector<std::uint8_t> enables;
                if (random.chance(1, 4)) {
                    enables.resize(random.between(1, 9));
                    for (std::uint8_t& e : enables)
                        e = random.chance(1, 2) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
                }
                const auto enabled = [&](std::size_t i) {
                    return enables.empty() || enables[i % enables.size()] != 0;
                };
                const time_fs when = now + random.below(1'000'000) * fs_per_ps;
                if (random.chance(1, 2)) {
                    for (std::size_t i = 0; i < length; ++i) {
                        if (enabled(i)) shadow[at + i] = data[i];
                    }
                    initiator.ask(false, base + at, std::move(data), when, enables);
                } else {
                    std::vector<std::uint8_t> expected = data;
                    for (std::size_t i = 0; i < length; ++i) {
                        if (enabled(i)) expected[i] = shadow[at + i];
                    }
                    reads.push_back(
                        {initiator.ask(true, base + at, std::move(data), when, enables), expected});
                }
            }
            initiator.wait_for_all();
            for (const Read& read : reads)
                wrong += initiator.all[read.number]->data != read.expected;
        }
    };
    Bench bench(body);
    bench.run();
    CHECK(wrong == 0);
    CHECK(bench.initiator.most_outstanding > 500);
    std::vector<std::uint8_t> found(space);
    bench.memory.read(base, found.data(), found.size());
    CHECK(found == shadow);
    CHECK(bench.memory.pages() <= space / 4096);
    CHECK(bench.engine.endpoint().statistics().malformed == 0);
    CHECK(bench.engine.endpoint().statistics().reads_timed_out == 0);
}

TEST_CASE("a read behind a write sees its bytes, and a write behind a read does not change it") {
    std::vector<std::size_t> reads;
    Bench bench([&](Initiator& initiator) {
        for (std::uint8_t i = 0; i < 100; ++i) {
            initiator.ask(false, 0x1FF0, std::vector<std::uint8_t>(100, i), 0);
            reads.push_back(initiator.ask(true, 0x1FF0, std::vector<std::uint8_t>(100), 0));
        }
    });
    bench.run();
    for (std::uint8_t i = 0; i < 100; ++i)
        CHECK(bench.initiator.all[reads[i]]->data == std::vector<std::uint8_t>(100, i));
}

TEST_CASE("a transaction is split as a DMA engine does") {
    check_split(true);
}

TEST_CASE("a transaction that may not be split is passed as it is") {
    check_split(false);
}

TEST_CASE("responses that end by a returned phase exclude each other and keep their order") {
    check_response_order(false);
}

TEST_CASE("responses that end by a call exclude each other and keep their order") {
    check_response_order(true);
}

TEST_CASE("what cannot be done is responded to as the standard wants it") {
    std::vector<tlm::tlm_response_status> found;
    std::vector<tlm::tlm_response_status> expected;
    time_fs lost_time = 0;
    Bench bench([&](Initiator& initiator) {
        std::uint8_t data[8192] = {};
        std::uint8_t enable[2] = {TLM_BYTE_ENABLED, 3};
        const auto send = [&](tlm::tlm_response_status status, auto change) {
            tlm::tlm_generic_payload p;
            p.set_command(tlm::TLM_READ_COMMAND);
            p.set_address(0x1000);
            p.set_data_ptr(data);
            p.set_data_length(16);
            p.set_streaming_width(16);
            p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            change(p);
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            initiator.socket->b_transport(p, delay);
            CHECK(delay == sc_core::SC_ZERO_TIME);
            CHECK_FALSE(p.is_dmi_allowed());
            expected.push_back(status);
            found.push_back(p.get_response_status());
        };
        using Payload = tlm::tlm_generic_payload;
        send(tlm::TLM_OK_RESPONSE, [](Payload&) {});
        send(tlm::TLM_OK_RESPONSE, [](Payload& p) { p.set_command(tlm::TLM_WRITE_COMMAND); });
        const time_fs start = kernel_now();
        send(tlm::TLM_OK_RESPONSE, [](Payload& p) { p.set_command(tlm::TLM_IGNORE_COMMAND); });
        send(tlm::TLM_COMMAND_ERROR_RESPONSE,
             [](Payload& p) { p.set_command(static_cast<tlm::tlm_command>(3)); });
        send(tlm::TLM_BURST_ERROR_RESPONSE, [](Payload& p) { p.set_data_length(0); });
        send(tlm::TLM_BURST_ERROR_RESPONSE, [](Payload& p) { p.set_streaming_width(8); });
        send(tlm::TLM_GENERIC_ERROR_RESPONSE, [](Payload& p) { p.set_data_ptr(nullptr); });
        send(tlm::TLM_ADDRESS_ERROR_RESPONSE, [](Payload& p) { p.set_address(~0ull - 14); });
        send(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, [&](Payload& p) {
            p.set_byte_enable_ptr(enable);
            p.set_byte_enable_length(2);
        });
        send(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, [&](Payload& p) { p.set_byte_enable_ptr(enable); });
        CHECK(kernel_now() == start);
        // The same without blocking.
        const std::size_t refused = initiator.ask(true, ~0ull, std::vector<std::uint8_t>(2), start);
        CHECK(initiator.all[refused]->responded == start);
        send(tlm::TLM_OK_RESPONSE, [](Payload& p) { p.set_address(~0ull - 15); });
        // A part of it is lost.
        const time_fs asked = kernel_now();
        send(tlm::TLM_GENERIC_ERROR_RESPONSE, [](Payload& p) {
            p.set_address(lost_page - 4096);
            p.set_data_length(8192);
            p.set_streaming_width(8192);
        });
        lost_time = kernel_now() - asked;
    });
    bench.run();
    CHECK(found == expected);
    CHECK(lost_time > 20 * fs_per_us);
    CHECK(lost_time < 22 * fs_per_us);
    CHECK(kernel_now() < 30 * fs_per_us);
    CHECK(bench.engine.endpoint().statistics().reads_timed_out == 8);
}

TEST_CASE("a debug access sees and changes the memory, and nothing happens in the endpoint") {
    Bench bench([&](Initiator& initiator) {
        std::vector<std::uint8_t> data(5000);
        std::iota(data.begin(), data.end(), std::uint8_t{1});
        tlm::tlm_generic_payload p;
        p.set_command(tlm::TLM_WRITE_COMMAND);
        p.set_address(0xABCDE);
        p.set_data_ptr(data.data());
        p.set_data_length(5000);
        CHECK(initiator.socket->transport_dbg(p) == 5000);
        std::vector<std::uint8_t> back(5000);
        p.set_command(tlm::TLM_READ_COMMAND);
        p.set_data_ptr(back.data());
        CHECK(initiator.socket->transport_dbg(p) == 5000);
        CHECK(back == data);
        p.set_address(~0ull - 9);
        CHECK(initiator.socket->transport_dbg(p) == 10);
        p.set_address(0);
        p.set_command(tlm::TLM_IGNORE_COMMAND);
        CHECK(initiator.socket->transport_dbg(p) == 0);
        tlm::tlm_dmi dmi;
        p.set_command(tlm::TLM_READ_COMMAND);
        CHECK_FALSE(initiator.socket->get_direct_mem_ptr(p, dmi));
    });
    bench.run();
    CHECK(kernel_now() == 0);
    CHECK(bench.engine.steps() == 0);
    CHECK(bench.engine.endpoint().statistics().reads == 0);
}

TEST_CASE(
    "bytes are in memory from the edge of the DMA clock behind their arrival on, and reads see them then") {
    Bench* running = nullptr;
    time_fs first_seen = 0;
    Bench bench([&](Initiator& initiator) {
        initiator.ask(false, 0x40, {0x5A}, 0);
        std::uint8_t byte = 0;
        while (byte == 0) {
            initiator.wait_until(kernel_now() + fs_per_ns);
            running->memory.read(0x40, &byte, 1);
        }
        first_seen = kernel_now();
        initiator.wait_for_all();
        // A program of the host that never rests.
        initiator.ask(true, 0x80, std::vector<std::uint8_t>(8), kernel_now());
        while (initiator.outstanding != 0) {
            const time_fs now = kernel_now();
            running->memory.write(0x80, reinterpret_cast<const std::uint8_t*>(&now), sizeof now);
            initiator.wait_until(now + fs_per_ns);
        }
    });
    running = &bench;
    bench.run();
    CHECK(bench.initiator.all[0]->responded == 5 * fs_per_ns);  // presented and moved in edge 0
    REQUIRE(bench.host.arrivals.size() == 2);
    const auto edge = [](time_fs t) { return (t / (5 * fs_per_ns) + 1) * (5 * fs_per_ns); };
    // Who does something at the very time of the edge may come first or last.
    const time_fs written = edge(bench.host.arrivals[0]);
    CHECK(first_seen >= written);
    CHECK(first_seen <= written + fs_per_ns);
    time_fs value = 0;
    std::memcpy(&value, bench.initiator.all[1]->data.data(), sizeof value);
    const time_fs seen = edge(bench.host.arrivals[1]);
    CHECK(value <= seen);
    CHECK(value >= seen - fs_per_ns);
    // Nothing is left that would keep the kernel going.
    CHECK(bench.engine.steps() < 100);
}
