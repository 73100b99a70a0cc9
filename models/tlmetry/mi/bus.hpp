// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

namespace tlmetry::mi {

/// The way from software to the devices on MI: decodes addresses (a device sees them from its own start) and
/// adds the latency of the path (PCIe, bridges). Requests take the same time whatever they are, so they reach
/// a device in the order in which they were issued. Never waits; TLM-2.0 base protocol. See README.md beside
/// this file.
class MiBus : public sc_core::sc_module {
public:
    /// A time plus a number of MI cycles.
    struct Latency {
        time_fs fs = 0;
        std::uint32_t cycles = 0;
    };

    /// The bytes [base, base + size).
    struct Range {
        std::uint64_t base = 0;
        std::uint64_t size = 0;
    };

    struct Config {
        Latency request;     ///< from the issue of an access until it is presented to the device
        Latency completion;  ///< from the device's answer until the initiator has it
        /// The initiator of a write goes on as soon as the path has taken it, at the pace of the device but
        /// without its latency. Otherwise it waits for the completion, as that of a read does.
        bool posted_writes = true;

        std::uint32_t initiators = 1;                 ///< number of initiators
        std::vector<Range> devices = {{0, 0x10000}};  ///< addresses of each device

        /// Throws UserError for a negative or senseless latency, and for ranges that are empty, wrap round or
        /// overlap.
        void validate() const;
    };

    sc_core::sc_vector<tlm_utils::simple_target_socket<MiBus>> initiators;  ///< bind initiator i to element i
    sc_core::sc_vector<tlm_utils::simple_initiator_socket<MiBus>> devices;  ///< element i leads to range i

    /// `clock` is the MI clock; cycles of a latency are counted in its period.
    MiBus(const sc_core::sc_module_name& name, const Config& config, const ClockDomain& clock);

    /// Transactions refused because no device is mapped at their addresses.
    std::uint64_t unmapped_accesses() const { return m_unmapped; }

private:
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned int transport_dbg(tlm::tlm_generic_payload& trans);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);

    /// Index of the device at an address, or the number of devices.
    std::size_t find(std::uint64_t address) const;

    const std::vector<Range> m_ranges;
    const bool m_posted_writes;
    const sc_core::sc_time m_request_latency;
    const sc_core::sc_time m_completion_latency;
    std::uint64_t m_unmapped = 0;
};

}  // namespace tlmetry::mi
