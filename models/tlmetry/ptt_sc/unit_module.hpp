// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/card/card.hpp>
#include <tlmetry/ptt/link_tap.hpp>
#include <tlmetry/ptt/unit.hpp>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

namespace tlmetry::ptt_sc {

/// The tune and trace unit of one core of a root complex, with the ports of its PCI function.
///
///     software -> registers (BAR 2) -> unit -> memory (the ring of buffers)
///                                        |
///                                    interrupt
///
/// It listens to the links of a card and goes with the time of the kernel in steps of the quantum while it
/// traces, and up to the time of each access to its registers. So records and registers are exact; the
/// interrupt rises up to a quantum late.
class UnitModule : public sc_core::sc_module {
public:
    struct Config {
        ptt::TraceUnit::Config trace;
        time_fs quantum_fs = fs_per_us;
    };

    /// Base protocol, 32 bits: aligned words of reg::bytes. b_transport takes no time.
    tlm_utils::simple_target_socket<UnitModule> registers;
    /// Writes to the buffers: through DMI where it is given, else in transactions without delay.
    tlm_utils::simple_initiator_socket<UnitModule> memory;
    /// High while a buffer is full whose interrupt is not masked.
    sc_core::sc_out<bool> interrupt;

    /// The card must live as long as this; nobody else may listen to its links meanwhile.
    UnitModule(const sc_core::sc_module_name& name, card::Card& card, const Config& config);

    const ptt::Unit& unit() const { return m_unit; }

private:
    /// What records of a buffer go to where the memory gives no DMI.
    struct Staged {
        std::uint64_t address = 0;
        std::vector<std::uint8_t> bytes;
    };

    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    tlm::tlm_response_status serve(tlm::tlm_generic_payload& trans);
    void invalidate(sc_dt::uint64 start, sc_dt::uint64 end);
    std::uint8_t* memory_at(std::uint64_t address, std::uint32_t bytes);
    void tune(const ptt::TuneUnit::Levels& levels);
    void write_word(std::uint32_t offset, std::uint32_t value);
    void catch_up(time_fs t);
    void flush();
    void send(const std::uint8_t* data, std::uint64_t address, std::uint32_t bytes);
    void run();
    void drive();

    card::Card& m_card;
    const card::Topology m_topology;
    const std::uint32_t m_core;
    const time_fs m_quantum_fs;
    time_fs m_now = 0;  // the card has been advanced so far
    ptt::LinkTap m_tap;
    ptt::Unit m_unit;
    std::array<Staged, ptt::reg::buffers> m_staged;  // without bytes: DMI
    std::uint32_t m_flushed = 0;  // the position, as in TRACE_WR_STS, up to which all is sent
    sc_core::sc_event m_enabled;
    sc_core::sc_event m_look;
};

}  // namespace tlmetry::ptt_sc
