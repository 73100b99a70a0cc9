// SPDX-License-Identifier: BSD-3-Clause
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "tlmetry/telemetry_sc/pin_adapter.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/systemc/time.hpp>

#include <string>

namespace tlmetry::telemetry {

namespace {

// Edges of each clock, roughly, between two times at which the core counts what it was told: few enough for
// what is pending to stay in the cache.
constexpr std::uint32_t edges_between = 64;

// Edges whose times the core may still ask for.
constexpr cycle_t kept_edges = 65536;

void check_width(const std::string& port, std::uint64_t width) {
    if (width <= 64) return;
    throw UserError("pins of the telemetry component: expected " + port + " of at most 64 bits, found " +
                    std::to_string(width));
}

const Config& checked(const Config& config) {
    config.validate();
    const Layout layout(config);
    const auto check = [](const std::string& side, const ProbeShape& probe, std::uint64_t eof_pos_width) {
        const std::uint64_t regions = std::uint64_t{probe.buses} * probe.regions;
        check_width(side + "_mfb_sof", regions);
        check_width(side + "_mfb_eof_pos", regions * eof_pos_width);
    };
    check("pcie", layout.pcie, config.pcie_eof_pos_width);
    check("dma", layout.dma, config.dma_eof_pos_width);
    return config;
}

Clocks unrecorded(std::uint32_t endpoints) {
    return {{}, {}, std::vector<ClockDomain>(endpoints)};
}

}  // namespace

PinAdapter::PinAdapter(const sc_core::sc_module_name& name, const Config& generics)
    : sc_module(name),
      pcie_clk("pcie_clk", checked(generics).pcie_endpoints),
      pcie_reset("pcie_reset", generics.pcie_endpoints),
      pcie_mfb_sof("pcie_mfb_sof", generics.pcie_endpoints),
      pcie_mfb_eof("pcie_mfb_eof", generics.pcie_endpoints),
      pcie_mfb_eof_pos("pcie_mfb_eof_pos", generics.pcie_endpoints),
      pcie_mfb_src_rdy("pcie_mfb_src_rdy", generics.pcie_endpoints),
      pcie_mfb_dst_rdy("pcie_mfb_dst_rdy", generics.pcie_endpoints),
      pcie_ptc_brake("pcie_ptc_brake", generics.pcie_endpoints),
      pcie_stfifo_free("pcie_stfifo_free", generics.pcie_endpoints),
      pcie_tag_free("pcie_tag_free", generics.pcie_endpoints),
      pcie_mps("pcie_mps", generics.pcie_endpoints),
      pcie_mrrs("pcie_mrrs", generics.pcie_endpoints),
      pcie_ext_tag_en("pcie_ext_tag_en", generics.pcie_endpoints),
      pcie_10b_tag_req_en("pcie_10b_tag_req_en", generics.pcie_endpoints),
      pcie_rcb_size("pcie_rcb_size", generics.pcie_endpoints),
      pcie_link_up("pcie_link_up", generics.pcie_endpoints),
      dma_mfb_sof("dma_mfb_sof", generics.pcie_endpoints),
      dma_mfb_eof("dma_mfb_eof", generics.pcie_endpoints),
      dma_mfb_eof_pos("dma_mfb_eof_pos", generics.pcie_endpoints),
      dma_mfb_src_rdy("dma_mfb_src_rdy", generics.pcie_endpoints),
      dma_mfb_dst_rdy("dma_mfb_dst_rdy", generics.pcie_endpoints),
      dma_mvb_vld("dma_mvb_vld", generics.pcie_endpoints),
      dma_mvb_src_rdy("dma_mvb_src_rdy", generics.pcie_endpoints),
      dma_mvb_dst_rdy("dma_mvb_dst_rdy", generics.pcie_endpoints),
      m_clocks(unrecorded(generics.pcie_endpoints)),
      m_core(generics, m_clocks),
      m_mi(m_core) {
    check_fs_resolution(this->name());
    for (std::uint32_t e = 0; e < generics.pcie_endpoints; ++e) {
        m_pcie.push_back({{{m_core, e, true}, {}, {}, {}, {}, {}}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}});
        m_dma.push_back({{{m_core, e, false}, {}, {}, {}, {}, {}}, {}, {}, {}});
        m_core.status(e).hold(0, {});  // from here on only changes are told
    }
    make_processes();
}

void PinAdapter::make_processes() {
    const auto at_edges = [](BitIn& clock, const std::string& process_name, auto method) {
        sc_core::sc_spawn_options options;
        options.spawn_method();
        options.set_sensitivity(&clock.pos());
        options.dont_initialize();
        sc_core::sc_spawn(method, process_name.c_str(), &options);
    };
    at_edges(mi_clk, "mi_edge", [this] { mi_edge(); });
    at_edges(dma_clk, "dma_edge", [this] { dma_edge(); });
    for (std::uint32_t e = 0; e < m_pcie.size(); ++e) {
        at_edges(pcie_clk[e], "pcie_edge_" + std::to_string(e), [this, e] { pcie_edge(e); });
    }
    sc_core::sc_spawn_options resets;
    resets.spawn_method();
    resets.set_sensitivity(&mi_reset);
    resets.set_sensitivity(&dma_reset);
    for (BitIn& reset : pcie_reset)
        resets.set_sensitivity(&reset);
    sc_core::sc_spawn([this] { follow_resets(); }, "follow_resets", &resets);
    sc_core::sc_spawn_options accesses;
    accesses.spawn_method();
    accesses.set_sensitivity(&mi_rd);
    accesses.set_sensitivity(&mi_wr);
    sc_core::sc_spawn([this] { show_ardy(); }, "show_ardy", &accesses);
}

// Signals keep their value in one place, as tracing relies on too: looking there each cycle is cheaper than
// asking each channel.
void PinAdapter::start_of_simulation() {
    m_mi_reset.bind(mi_reset);
    m_dma_reset.bind(dma_reset);
    for (std::uint32_t e = 0; e < m_pcie.size(); ++e) {
        PcieProbe& pcie = m_pcie[e];
        pcie.mfb.sof.bind(pcie_mfb_sof[e]);
        pcie.mfb.eof.bind(pcie_mfb_eof[e]);
        pcie.mfb.eof_pos.bind(pcie_mfb_eof_pos[e]);
        pcie.mfb.src_rdy.bind(pcie_mfb_src_rdy[e]);
        pcie.mfb.dst_rdy.bind(pcie_mfb_dst_rdy[e]);
        pcie.reset.bind(pcie_reset[e]);
        pcie.brake.bind(pcie_ptc_brake[e]);
        pcie.stfifo_free.bind(pcie_stfifo_free[e]);
        pcie.tag_free.bind(pcie_tag_free[e]);
        pcie.mps.bind(pcie_mps[e]);
        pcie.mrrs.bind(pcie_mrrs[e]);
        pcie.ext_tag_en.bind(pcie_ext_tag_en[e]);
        pcie.tag_10b_req_en.bind(pcie_10b_tag_req_en[e]);
        pcie.rcb_size.bind(pcie_rcb_size[e]);
        pcie.link_up.bind(pcie_link_up[e]);
        DmaProbe& dma = m_dma[e];
        dma.mfb.sof.bind(dma_mfb_sof[e]);
        dma.mfb.eof.bind(dma_mfb_eof[e]);
        dma.mfb.eof_pos.bind(dma_mfb_eof_pos[e]);
        dma.mfb.src_rdy.bind(dma_mfb_src_rdy[e]);
        dma.mfb.dst_rdy.bind(dma_mfb_dst_rdy[e]);
        dma.mvb_vld.bind(dma_mvb_vld[e]);
        dma.mvb_src_rdy.bind(dma_mvb_src_rdy[e]);
        dma.mvb_dst_rdy.bind(dma_mvb_dst_rdy[e]);
    }
}

void PinAdapter::Mfb::sample(cycle_t edge) {
    bool changed = sof.update();
    changed |= eof.update();
    changed |= eof_pos.update();
    changed |= src_rdy.update();
    changed |= dst_rdy.update();
    if (changed) {
        pins.tell_mfb(edge, {&sof.last(), &eof.last(), &eof_pos.last(), &src_rdy.last(), &dst_rdy.last()});
    }
}

void PinAdapter::pcie_edge(std::uint32_t endpoint) {
    follow_resets();
    PcieProbe& probe = m_pcie[endpoint];
    const cycle_t edge = probe.edges++;
    m_clocks.pcie[endpoint].append(kernel_now());
    probe.mfb.sample(edge);
    if (probe.brake.update()) {
        constexpr std::uint64_t all = (1u << brake_pins) - 1;
        m_core.pcie_probe(endpoint).brakes().hold(edge,
                                                  {static_cast<std::uint32_t>(probe.brake.last() & all)});
    }
    sample_status(endpoint, edge);
    count_step();
}

void PinAdapter::sample_status(std::uint32_t endpoint, cycle_t edge) {
    PcieProbe& p = m_pcie[endpoint];
    bool changed = p.tag_free.update();
    changed |= p.stfifo_free.update();
    changed |= p.mps.update();
    changed |= p.mrrs.update();
    changed |= p.ext_tag_en.update();
    changed |= p.tag_10b_req_en.update();
    changed |= p.rcb_size.update();
    changed |= p.link_up.update();
    if (!changed) return;
    const auto bits = [](const Vector& pin, std::uint32_t width) {
        return static_cast<std::uint32_t>(pin_bits(&pin.last(), 0, width));
    };
    StatusPins pins;
    pins.free_tags = bits(p.tag_free, 11);
    pins.free_words = bits(p.stfifo_free, 16);
    pins.settings = settings_of_pins(bits(p.mps, 3), bits(p.mrrs, 3), p.ext_tag_en.last(),
                                     p.tag_10b_req_en.last(), p.rcb_size.last(), p.link_up.last());
    m_core.status(endpoint).hold(edge, pins);
}

void PinAdapter::dma_edge() {
    follow_resets();
    const cycle_t edge = m_dma_edges++;
    m_clocks.dma.append(kernel_now());
    for (DmaProbe& probe : m_dma) {
        probe.mfb.sample(edge);
        bool changed = probe.mvb_vld.update();
        changed |= probe.mvb_src_rdy.update();
        changed |= probe.mvb_dst_rdy.update();
        if (changed) {
            probe.mfb.pins.tell_mvb(
                edge, {&probe.mvb_vld.last(), &probe.mvb_src_rdy.last(), &probe.mvb_dst_rdy.last()});
        }
    }
    count_step();
}

void PinAdapter::mi_edge() {
    follow_resets();
    const cycle_t edge = m_mi_edges++;
    m_clocks.mi.append(kernel_now());
    m_mi.edge(edge, {mi_reset->read(), mi_rd->read(), mi_wr->read(), mi_addr->read(), mi_dwr->read(),
                     static_cast<std::uint8_t>(mi_be->read() & 0xF)});
    const auto& answer = m_mi.answer();
    mi_drdy->write(answer.has_value());
    if (answer) mi_drd->write(answer->data);
    count_step();
}

void PinAdapter::show_ardy() {
    mi_ardy->write(mi_rd->read() || mi_wr->read());
}

// Resets act when their signal changes, and of a change and a clock edge in one delta cycle the change comes
// first, in whichever order the kernel runs the processes.
void PinAdapter::follow_resets() {
    const time_fs now = kernel_now();
    if (m_mi_reset.update()) m_core.set_mi_reset(now, m_mi_reset.last());
    if (m_dma_reset.update()) m_core.set_dma_reset(now, m_dma_reset.last());
    for (std::uint32_t e = 0; e < m_pcie.size(); ++e) {
        if (m_pcie[e].reset.update()) m_core.set_pcie_reset(now, e, m_pcie[e].reset.last());
    }
}

/// Now and then counts what was told and forgets old edges, so that memory stays constant.
void PinAdapter::count_step() {
    if (++m_steps < edges_between * (m_pcie.size() + 2)) return;
    m_steps = 0;
    m_core.advance_to(kernel_now());
    m_clocks.mi.forget_before(m_mi_edges - kept_edges);
    m_clocks.dma.forget_before(m_dma_edges - kept_edges);
    for (std::uint32_t e = 0; e < m_pcie.size(); ++e)
        m_clocks.pcie[e].forget_before(m_pcie[e].edges - kept_edges);
}

}  // namespace tlmetry::telemetry
