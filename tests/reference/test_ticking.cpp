// SPDX-License-Identifier: BSD-3-Clause
// The timing of the reference model in pairs: not yet at n-1, there at n.
#include "reference/ticking_telemetry.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

using tlmetry::testing::BusPins;
using tlmetry::testing::TickingConfig;
using tlmetry::testing::TickingFifo;
using tlmetry::testing::TickingTelemetry;

namespace {

constexpr std::uint32_t drain = 64;
constexpr std::uint32_t groups = 4;              // 31 channels of the PCIe probe
constexpr std::uint32_t first_tick = drain - 2;  // T, counted from R: the first edge without reset

TickingConfig short_drain() {
    TickingConfig config;
    config.drain_period = drain;
    return config;
}

/// One endpoint out of reset: the next PCIe edge is R (edge 0).
struct Bench {
    TickingTelemetry block;
    std::uint32_t next_pcie_edge = 0;

    explicit Bench(const TickingConfig& config = short_drain()) : block(config) {
        block.pcie[0].tag_free = 100;  // of 256: the third band
        block.mi.reset = block.dma_reset = block.pcie[0].reset = false;
        block.resets_changed();
        for (int i = 0; i < 3; ++i)
            block.edges(true, true, 1);
    }

    void mi(std::uint32_t count = 1) {
        while (count-- > 0)
            block.edges(true, false, 0);
    }
    void pcie(std::uint32_t count = 1) {
        while (count-- > 0) {
            block.edges(false, false, 1);
            ++next_pcie_edge;
        }
    }
    /// All PCIe edges up to and including this one.
    void pcie_to(std::uint32_t edge) { pcie(edge + 1 - next_pcie_edge); }

    void write(std::uint32_t address, std::uint32_t value) {
        block.mi.wr = true;
        block.mi.addr = address;
        block.mi.dwr = value;
        mi();
        block.mi.wr = false;
    }
    /// Holds RD on one address: after each further edge DRD answers the edge before.
    void start_reads(std::uint32_t address) {
        block.mi.rd = true;
        block.mi.addr = address;
    }
    std::uint64_t counter(std::uint32_t channel) const { return block.probe(0).counter(channel); }
    BusPins& rq() { return block.pcie[0].bus[0]; }
};

constexpr std::uint32_t command = 0x20;
constexpr std::uint32_t status = 0x24;

struct FifoBench {
    TickingFifo fifo{16};
    void write(std::uint32_t count, bool enable) {
        while (count-- > 0) {
            fifo.evaluate_write(enable, {1, 2});
            fifo.clock_write();
        }
    }
    void read(std::uint32_t count, bool enable) {
        while (count-- > 0) {
            fifo.evaluate_read(enable);
            fifo.clock_read();
        }
    }
};

}  // namespace

TEST_CASE("a pin sampled at k is counted after k+2 and a band after k+3") {
    Bench bench;
    bench.pcie(5);
    bench.block.pcie[0].brake = 1;
    const std::uint32_t brake_channel = 17;
    const std::uint32_t tags_rest_band = 17 + 6 + 3;
    const std::uint64_t rest_before = bench.counter(tags_rest_band);
    bench.block.pcie[0].tag_free = 200;
    bench.pcie();  // k
    bench.block.pcie[0].brake = 0;
    bench.pcie();
    CHECK(bench.counter(brake_channel) == 0);
    bench.pcie();
    CHECK(bench.counter(brake_channel) == 1);
    CHECK(bench.counter(tags_rest_band) == rest_before);
    bench.pcie();
    CHECK(bench.counter(tags_rest_band) == rest_before + 1);
}

TEST_CASE("ticks come at R + drain period - 2 and then every drain period") {
    Bench bench;
    for (std::uint32_t tick = first_tick; tick < 4 * drain; tick += drain) {
        bench.pcie_to(tick - 1);
        CHECK_FALSE(bench.block.probe(0).tick());
        bench.pcie_to(tick);
        CHECK(bench.block.probe(0).tick());
    }
}

TEST_CASE("MI_RESET holds a probe until the third edge of its clock") {
    Bench bench;
    bench.block.mi.reset = true;
    bench.block.resets_changed();
    bench.block.mi.reset = false;
    bench.block.resets_changed();
    bench.pcie(3);
    bench.pcie(2);
    CHECK(bench.counter(0) == 1);  // steps from the first edge on, counts from the second
    bench.pcie(first_tick - 2);
    CHECK_FALSE(bench.block.probe(0).tick());
    bench.pcie();
    CHECK(bench.block.probe(0).tick());
}

TEST_CASE("slot s is captured at T + 2 + s times groups+1 and restarts from the step of that cycle") {
    Bench bench;
    bench.rq().src_rdy = true;  // channel 2: stalled cycles
    for (const std::uint32_t channel : {0U, 2U}) {
        const std::uint32_t edge = first_tick + 2 + channel * (groups + 1);
        bench.pcie_to(edge - 1);
        CHECK(bench.counter(channel) > 60);
        bench.pcie_to(edge);
        CHECK(bench.counter(channel) == 1);
    }
}

TEST_CASE("a drain leaves slot by slot and within a slot group by group") {
    Bench bench;
    bench.block.record_deltas();
    bench.rq().src_rdy = true;
    bench.pcie_to(first_tick + 50);
    bench.mi(200);
    const auto& deltas = bench.block.deltas;
    REQUIRE(deltas.size() == 31);
    std::size_t next = 0;
    for (std::uint32_t slot = 0; slot < 8; ++slot) {
        for (std::uint32_t channel = slot; channel < 31; channel += 8) {
            CHECK(deltas[next].stream == 0);
            CHECK(deltas[next++].channel == channel);
        }
    }
    CHECK(deltas[0].value == drain - 1);
    CHECK(deltas[8].value == drain - 2 + 2 * (groups + 1));  // channel 2: stalled, sampled from R on
}

TEST_CASE("a delta written at w is valid 6 MI edges after w+1 and stored at the 10th") {
    const bool coincident = GENERATE(false, true);
    Bench bench;
    const auto live_word = [&bench] { return bench.block.live(0); };
    bench.write(0x28, 1);
    bench.pcie_to(first_tick + 4);  // w of channel 0
    if (coincident) {
        bench.block.edges(true, false, 1);  // the MI edge of w+1 itself does not count
    } else {
        bench.pcie();
    }
    bench.mi(5);
    CHECK_FALSE(bench.block.probe(0).valid());
    bench.mi();
    CHECK(bench.block.probe(0).valid());
    bench.mi(3);
    CHECK(live_word() == 0);
    bench.start_reads(0x8000);
    bench.mi();  // 10th
    CHECK(live_word() == drain - 1);
    bench.mi();
    CHECK(bench.block.mi_drd() == 0);  // read at the edge of the write: the old value
    bench.mi();
    CHECK(bench.block.mi_drd() == drain - 1);
}

TEST_CASE("the FIFO is full until the fourth edge and holds depth + 2 and reopens 5 edges after r+1") {
    FifoBench bench;
    bench.fifo.set_reset(false);
    bench.write(3, false);
    CHECK(bench.fifo.full());
    bench.write(1, false);
    CHECK_FALSE(bench.fifo.full());
    bench.read(3, false);

    bench.write(1, true);  // the first two words, one behind the other, fill the output registers
    for (std::uint32_t word = 2; word <= 18; ++word) {
        CHECK_FALSE(bench.fifo.full());
        bench.write(1, true);
        bench.write(8, false);
        bench.read(8, false);
        bench.write(8, false);
    }
    CHECK(bench.fifo.full());

    bench.read(1, true);  // r
    bench.write(8, false);
    CHECK(bench.fifo.full());
    bench.read(1, false);  // r+1
    bench.write(4, false);
    CHECK(bench.fifo.full());
    bench.write(1, false);
    CHECK_FALSE(bench.fifo.full());
}

TEST_CASE("a lost delta shows at the 3rd MI edge and clearing takes 3 probe edges and 2 MI edges") {
    Bench bench;
    while (!bench.block.probe(0).lost())
        bench.pcie();  // E: nobody reads the FIFO
    bench.start_reads(status);
    bench.mi(3);
    CHECK((bench.block.mi_drd() & 2) == 0);
    bench.mi();
    CHECK((bench.block.mi_drd() & 2) == 2);
    bench.block.mi.rd = false;

    while (!bench.block.probe(0).tick())
        bench.pcie();
    bench.pcie(8 * (groups + 1) + 4);  // the sweep is over: no further write
    bench.write(command, 4);
    bench.pcie(2);
    CHECK(bench.block.probe(0).lost());
    bench.pcie();
    CHECK_FALSE(bench.block.probe(0).lost());
    bench.start_reads(status);
    bench.mi(3);
    CHECK((bench.block.mi_drd() & 2) == 2);
    bench.mi();
    CHECK((bench.block.mi_drd() & 2) == 0);
}

TEST_CASE("DRDY follows RD by one edge and BUSY the command by two") {
    Bench bench;
    bench.start_reads(0);
    bench.mi();
    CHECK_FALSE(bench.block.mi_drdy());
    bench.mi();
    CHECK(bench.block.mi_drdy());
    CHECK(bench.block.mi_drd() == 0x50544C4D);
    bench.block.mi.rd = false;

    bench.write(command, 1);  // w
    bench.start_reads(status);
    bench.mi(2);
    CHECK(bench.block.mi_drd() == 0);  // read at w+1
    bench.mi();
    CHECK(bench.block.mi_drd() == 1);  // read at w+2
}

TEST_CASE("a snapshot copies entry i at e + 2i + 2 and takes 2 cycles an entry") {
    TickingConfig config = short_drain();
    config.memory_ones = true;
    Bench bench(config);
    bench.pcie_to(first_tick + 50);
    bench.mi(200);
    const std::uint64_t before = bench.block.snapshot(3);
    REQUIRE(bench.block.live(0) != before);

    bench.write(command, 1);
    bench.mi(2);  // w+2 = e
    bench.mi(1);
    CHECK(bench.block.snapshot(0) == before);
    bench.mi(1);
    CHECK(bench.block.snapshot(0) == bench.block.live(0));
    const std::uint32_t last = 17 + 6 + 2;
    REQUIRE(bench.block.live(last) != before);
    bench.mi(2 * last - 1);
    CHECK(bench.block.snapshot(last) == before);
    bench.mi();
    CHECK(bench.block.snapshot(last) == bench.block.live(last));
    bench.mi(2 * bench.block.entries() - (2 * last + 2) - 1);
    CHECK(bench.block.busy());
    bench.mi();
    CHECK_FALSE(bench.block.busy());
}

TEST_CASE("a clear zeroes word a at e + a + 1 in both copies") {
    TickingConfig config = short_drain();
    config.memory_ones = true;
    Bench bench(config);
    const std::uint32_t entries = bench.block.entries();
    bench.write(command, 2);
    bench.mi(2);  // e
    bench.mi(5);
    CHECK(bench.block.live(5) != 0);
    bench.mi();
    CHECK(bench.block.live(5) == 0);
    bench.mi(entries - 6);
    CHECK(bench.block.snapshot(0) != 0);
    bench.mi();
    CHECK(bench.block.snapshot(0) == 0);
    bench.mi(entries - 2);
    CHECK(bench.block.busy());
    bench.mi();
    CHECK_FALSE(bench.block.busy());
}

TEST_CASE("the status word is taken at T+1 and arrives 5 MI edges after T+2") {
    Bench bench;
    std::uint32_t& tags = bench.block.pcie[0].tag_free;
    const auto value = [&bench] { return bench.block.status(0).tags_register(); };
    bench.mi();
    CHECK(value() == 0x07FF0000);
    bench.pcie_to(first_tick - 1);
    tags = 50;
    bench.pcie();  // T: the last sample of the window
    tags = 20;
    bench.pcie();  // T+1: "now", and the first sample of the next window
    tags = 80;
    bench.pcie();  // T+2
    bench.mi(4);
    CHECK(value() == 0x07FF0000);
    bench.mi();  // u
    CHECK(value() == (50U << 16 | 20U));

    bench.write(command, 8);  // w
    CHECK(value() == (50U << 16 | 20U));
    bench.mi();
    CHECK(value() == (0x07FFU << 16 | 20U));

    bench.pcie_to(first_tick + drain + 2);
    bench.mi(5);
    CHECK(value() == (20U << 16 | 80U));
}

TEST_CASE("the status source is ready 4 edges after the acknowledge left") {
    const std::uint32_t edges_before_tick = GENERATE(3U, 4U);
    Bench bench;
    std::uint32_t& words = bench.block.pcie[0].stfifo_free;
    words = 10;
    bench.pcie_to(first_tick + 2);
    words = 11;
    bench.mi(5);  // u
    bench.pcie_to(first_tick + drain - edges_before_tick);
    bench.mi();  // u+1
    bench.pcie_to(first_tick + drain + 2);
    bench.mi(5);
    const bool ready_in_time = edges_before_tick == 4;
    CHECK((bench.block.status(0).stfifo_register() & 0xFFFF) == (ready_in_time ? 11 : 10));
}

TEST_CASE("an MVB transfer at the last edge under reset counts and an MFB one does not") {
    Bench bench;
    BusPins& up = bench.block.dma[0].bus[0];
    bench.block.dma_reset = true;
    bench.block.resets_changed();
    up.src_rdy = up.dst_rdy = up.mvb_src_rdy = up.mvb_dst_rdy = true;
    up.mvb_vld = 3;
    bench.block.edges(false, true, 0);
    bench.block.dma_reset = false;
    bench.block.resets_changed();
    up.src_rdy = up.mvb_src_rdy = false;
    for (int i = 0; i < 3; ++i)
        bench.block.edges(false, true, 0);
    CHECK(bench.block.probe(1).counter(1) == 0);
    CHECK(bench.block.probe(1).counter(1 + 3) == 2);
}

TEST_CASE("a frame left open counts on padded regions unless the documentation is followed") {
    TickingConfig config = short_drain();
    config.pcie_rq_mfb_regions = 1;
    config.padding_documented = GENERATE(false, true);
    Bench bench(config);
    bench.rq().sof = 1;
    bench.rq().src_rdy = bench.rq().dst_rdy = true;
    bench.pcie();
    bench.rq().src_rdy = false;
    bench.pcie(2);
    CHECK(bench.counter(1 + 6 + 0) == 1);
    CHECK(bench.counter(1 + 6 + 1) == (config.padding_documented ? 0 : 1));
    CHECK(bench.counter(1 + 5) == (config.padding_documented ? 8 : 16));
}
