// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/mi/device.hpp>
#include <tlmetry/mi/port.hpp>

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <systemc>
#include <tlm>
#include <utility>

namespace tlmetry::mi {

/// Puts a device onto the MI bus: a TLM-2.0 target (base protocol, 32 bit, data in address order) that turns
/// transactions into MI accesses. See README.md beside this file for every rule and response.
///
/// An access presented at time t is sampled at the first MI edge at t or later; one access a cycle, in order
/// of arrival. b_transport never waits: it returns the time until the master has its answer in `delay`, two
/// edges after the one that sampled a read, one after the one that sampled a write.
class MiTarget : public sc_core::sc_module {
public:
    struct Config {
        std::uint64_t size_bytes = 0x10000;  ///< address range of the device

        /// Throws UserError unless the size is a multiple of 4 from 4 to 2^32.
        void validate() const;
    };

    tlm_utils::simple_target_socket<MiTarget> socket;

    /// `clock` is the MI clock; it and the device must outlive the target.
    MiTarget(const sc_core::sc_module_name& name, const Config& config, const ClockDomain& clock,
             MiDevice& device);

    /// What turns its transactions into accesses; nobody else may make accesses there.
    MiPort& port() { return m_port; }
    const MiPort& port() const { return m_port; }

    /// Calls `watch` with each access that the device has served, behind those given before.
    void on_access(std::function<void(const MiAccess& access)> watch) { m_port.on_access(std::move(watch)); }

    /// MI accesses served so far.
    std::uint64_t accesses() const { return m_port.accesses(); }

    /// Transactions that arrived out of order: meant for an earlier edge than a transaction served before
    /// them, as initiators that run ahead of the kernel's time may cause. They are served after it.
    std::uint64_t late_accesses() const { return m_port.late_accesses(); }

private:
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned int transport_dbg(tlm::tlm_generic_payload& trans);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);

    tlm::tlm_response_status serve(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);

    MiPort m_port;
};

}  // namespace tlmetry::mi
