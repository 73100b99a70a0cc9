// SPDX-License-Identifier: BSD-3-Clause
#include "telemetry_sc/pin_signals.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/systemc/time.hpp>

#include <catch2/catch.hpp>

#include <systemc>

using namespace tlmetry;
using telemetry::PinAdapter;
using tlmetry::testing::PinSignals;

namespace {

/// One endpoint with clocks whose first edges come at 10 ns (MI), 5 ns and 2.5 ns.
struct Bench {
    static sc_core::sc_time ns(double t) { return {t, sc_core::SC_NS}; }

    explicit Bench(const telemetry::Config& config = {})
        : signals(config),
          mi_clk("mi_clk", ns(10), 0.5, ns(10)),
          dma_clk("dma_clk", ns(5), 0.5, ns(5)),
          pcie_clk("pcie_clk", ns(2.5), 0.5, ns(2.5)),
          adapter("adapter", config) {
        adapter.mi_clk(mi_clk);
        adapter.dma_clk(dma_clk);
        adapter.pcie_clk[0](pcie_clk);
        signals.bind(adapter);
    }

    /// To just behind MI edge `edge`, counted from 0.
    void run_behind_edge(int edge) { sc_core::sc_start(ns(10 * (edge + 1) + 1) - sc_core::sc_time_stamp()); }

    PinSignals signals;
    sc_core::sc_clock mi_clk, dma_clk, pcie_clk;
    PinAdapter adapter;
};

}  // namespace

TEST_CASE("a read sampled at an edge is answered behind the next one, for one cycle") {
    Bench b;
    b.run_behind_edge(3);
    b.signals.mi_rd.write(true);
    b.signals.mi_addr.write(regs::magic);
    b.run_behind_edge(4);
    CHECK(b.signals.mi_ardy.read());
    CHECK_FALSE(b.signals.mi_drdy.read());
    b.signals.mi_rd.write(false);
    b.run_behind_edge(5);
    CHECK_FALSE(b.signals.mi_ardy.read());
    CHECK(b.signals.mi_drdy.read());
    CHECK(b.signals.mi_drd.read() == regs::magic_value);
    b.run_behind_edge(6);
    CHECK_FALSE(b.signals.mi_drdy.read());
}

TEST_CASE("MI_RESET discards a read that has been sampled") {
    Bench b;
    b.run_behind_edge(3);
    b.signals.mi_rd.write(true);
    b.run_behind_edge(4);
    b.signals.mi_rd.write(false);
    b.signals.mi_reset.write(true);
    b.run_behind_edge(5);
    CHECK_FALSE(b.signals.mi_drdy.read());
}

TEST_CASE("MI_RESET does not withdraw a DRDY before the next edge") {
    Bench b;
    b.run_behind_edge(3);
    b.signals.mi_rd.write(true);
    b.run_behind_edge(4);
    b.signals.mi_rd.write(false);
    b.run_behind_edge(5);
    b.signals.mi_reset.write(true);
    sc_core::sc_start(Bench::ns(2));
    CHECK(b.signals.mi_drdy.read());
    b.run_behind_edge(6);
    CHECK_FALSE(b.signals.mi_drdy.read());
}

TEST_CASE("a reset pin that is high from the start holds its probe") {
    telemetry::Config config;
    config.drain_period = 256;
    Bench b(config);
    b.signals.pcie[0].reset.write(true);
    b.signals.mi_reset.write(true);
    b.run_behind_edge(2);
    b.signals.mi_reset.write(false);
    b.run_behind_edge(1000);
    CHECK(b.adapter.core().counted(0) == 0);
    b.signals.pcie[0].reset.write(false);
    b.run_behind_edge(1100);
    CHECK(b.adapter.core().counted(0) > 0);
}

TEST_CASE("a clock may change its frequency and stop: what counts are its edges") {
    PinSignals signals{telemetry::Config{}};
    sc_core::sc_clock mi_clk("mi_clk", Bench::ns(10));
    sc_core::sc_signal<bool> dma_clk, pcie_clk;
    PinAdapter adapter("adapter", telemetry::Config{});
    adapter.mi_clk(mi_clk);
    adapter.dma_clk(dma_clk);
    adapter.pcie_clk[0](pcie_clk);
    signals.bind(adapter);
    const auto elapsed_after = [&](int edges, double period_ns) {
        for (int i = 0; i < edges; ++i) {
            pcie_clk.write(true);
            sc_core::sc_start(Bench::ns(period_ns / 2));
            pcie_clk.write(false);
            sc_core::sc_start(Bench::ns(period_ns / 2));
        }
        adapter.core().advance_to(kernel_now() + 1);
        return adapter.core().counted(0);
    };
    const std::uint64_t before = elapsed_after(5000, 2.5);
    CHECK(elapsed_after(3000, 7.3) == before + 3000);
    sc_core::sc_start(Bench::ns(100'000));
    CHECK(elapsed_after(9000, 1.9) == before + 12'000);
}

TEST_CASE("a vector that does not fit into 64 bits is refused") {
    telemetry::Config config;
    config.dma_ports = 8;  // 16 buses of 2 regions with 3 bits each
    CHECK_THROWS_AS(PinAdapter("adapter", config), UserError);
}
