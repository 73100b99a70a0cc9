// SPDX-License-Identifier: BSD-3-Clause
// Clock cycles per second of one endpoint's two probes behind signals: the pin adapter against the same
// clocks, methods and signals without it.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "measure.hpp"
#include "telemetry_sc/child_process.hpp"
#include "telemetry_sc/pin_signals.hpp"

#include <tlmetry/base/random.hpp>
#include <tlmetry/systemc/time.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>

using namespace tlmetry;
using tlmetry::testing::PinSignals;

namespace {

constexpr int rounds = 7;
constexpr time_fs pcie_period = 2'500'000;
constexpr std::int64_t pcie_cycles = 400'000;

enum class Load {
    buses,  ///< a new word on every bus in every cycle, levels move, settings stand still
    all,    ///< the settings move in every cycle, too
};

/// Drives all signals with values that are ready to be written, so that the yardstick is as fast as it can
/// be.
class Driver : public sc_core::sc_module {
public:
    Driver(const sc_core::sc_module_name& name, bool with_adapter, Load load)
        : sc_module(name),
          m_signals(telemetry::Config{}),
          m_mi("mi_clk", to_sc_time(10 * fs_per_ns)),
          m_dma("dma_clk", to_sc_time(5 * fs_per_ns)),
          m_pcie("pcie_clk", to_sc_time(pcie_period)) {
        Random random(1, "bench");
        for (auto& value : m_values)
            value = random.next();
        m_settings_move = load == Load::all;
        SC_HAS_PROCESS(Driver);
        SC_METHOD(drive_pcie);
        sensitive << m_pcie.posedge_event();
        dont_initialize();
        SC_METHOD(drive_dma);
        sensitive << m_dma.posedge_event();
        dont_initialize();
        if (!with_adapter) return;
        m_adapter = std::make_unique<telemetry::PinAdapter>("adapter", telemetry::Config{});
        m_adapter->mi_clk(m_mi);
        m_adapter->dma_clk(m_dma);
        m_adapter->pcie_clk[0](m_pcie);
        m_signals.bind(*m_adapter);
    }

private:
    std::uint64_t next(std::uint64_t mask) { return m_values[m_next++ % m_values.size()] & mask; }

    void drive_mfb(PinSignals::Mfb& mfb) {
        mfb.sof.write(next(0xF));
        mfb.eof.write(next(0xF));
        mfb.eof_pos.write(next(0xFFF));
        // Three cycles of four move a word.
        mfb.src_rdy.write(next(3) | next(3));
        mfb.dst_rdy.write(next(3) | next(3));
    }
    void drive_pcie() {
        PinSignals::Pcie& p = m_signals.pcie[0];
        drive_mfb(p.mfb);
        p.brake.write(next(0x3F));
        p.stfifo_free.write(next(0x3FF));
        p.tag_free.write(next(0xFF));
        const std::uint64_t settings = m_settings_move ? next(7) : 1;
        p.mps.write(settings), p.mrrs.write(settings);
        p.ext_tag_en.write((settings & 1) != 0), p.tag_10b_req_en.write((settings & 1) != 0);
        p.rcb_size.write((settings & 1) != 0), p.link_up.write((settings & 1) != 0);
    }
    void drive_dma() {
        PinSignals::Dma& d = m_signals.dma[0];
        drive_mfb(d.mfb);
        d.mvb_vld.write(next(0xF));
        d.mvb_src_rdy.write(next(3) | next(3));
        d.mvb_dst_rdy.write(next(3) | next(3));
    }

    PinSignals m_signals;
    sc_core::sc_clock m_mi, m_dma, m_pcie;
    std::unique_ptr<telemetry::PinAdapter> m_adapter;
    std::array<std::uint64_t, 1021> m_values{};
    std::size_t m_next = 0;
    bool m_settings_move = false;
};

/// Seconds of processor time that the cycles take.
double seconds(bool with_adapter, Load load) {
    double found = 0;
    const bool done = testing::in_child_process(
        [&] {
            Driver driver("driver", with_adapter, load);
            const sc_core::sc_time part = to_sc_time(pcie_cycles * pcie_period);
            sc_core::sc_start(part / 10);  // warm up
            const double start = bench::cpu_seconds();
            sc_core::sc_start(part);
            return bench::cpu_seconds() - start;
        },
        found);
    if (!done) throw std::runtime_error("a measurement ended early");
    return found;
}

void measure(const std::string& name, Load load) {
    // In turns, so that both see the same machine.
    double without = 1e300;
    double with = 1e300;
    for (int round = 0; round < rounds; ++round) {
        without = std::min(without, seconds(false, load));
        with = std::min(with, seconds(true, load));
    }
    const auto rate = [](double s) { return static_cast<double>(pcie_cycles) / s * 1e-6; };
    bench::result(("pins, " + name + ": PCIe cycles without the adapter").c_str(), rate(without), "M/s");
    bench::result(("pins, " + name + ": PCIe cycles with the adapter").c_str(), rate(with), "M/s");
    bench::result(("pins, " + name + ": time with / without").c_str(), with / without, "");
}

}  // namespace

int sc_main(int, char*[]) {
    use_fs_resolution();
    measure("new words on all buses", Load::buses);
    measure("all signals move", Load::all);
    return 0;
}
