// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/mi/bus.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/systemc/time.hpp>

#include <algorithm>
#include <string>

namespace tlmetry::mi {

namespace {

constexpr std::uint32_t max_latency_cycles = 1'000'000;

sc_core::sc_time latency(const MiBus::Latency& l, const ClockDomain& clock) {
    return to_sc_time(l.fs + l.cycles * clock.period_fs());
}

void validate_latency(const char* which, const MiBus::Latency& l) {
    if (l.fs < 0 || l.fs > fs_per_s) {
        throw UserError(std::string("MI bus: expected a ") + which + " latency from 0s to 1s, found " +
                        format_time(l.fs));
    }
    if (l.cycles > max_latency_cycles) {
        throw UserError(std::string("MI bus: expected a ") + which + " latency of at most " +
                        std::to_string(max_latency_cycles) + " cycles, found " + std::to_string(l.cycles));
    }
}

const MiBus::Config& validated(const MiBus::Config& config) {
    config.validate();
    return config;
}

}  // namespace

void MiBus::Config::validate() const {
    validate_latency("request", request);
    validate_latency("completion", completion);
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const Range& r = devices[i];
        const std::uint64_t last = r.base + (r.size - 1);
        const std::string found = std::to_string(r.size) + " bytes at address " + std::to_string(r.base);
        if (r.size == 0 || last < r.base) {
            throw UserError("MI bus: expected a range of addresses that ends below 2^64, found " + found);
        }
        for (std::size_t j = 0; j < devices.size(); ++j) {
            if (i != j && devices[j].base >= r.base && devices[j].base <= last) {
                throw UserError(
                    "MI bus: expected devices at addresses of their own, found another one within the " +
                    found);
            }
        }
    }
}

MiBus::MiBus(const sc_core::sc_module_name& name, const Config& config, const ClockDomain& clock)
    : sc_module(name),
      initiators("initiators", validated(config).initiators),
      devices("devices", config.devices.size()),
      m_ranges(config.devices),
      m_posted_writes(config.posted_writes),
      m_request_latency(latency(config.request, clock)),
      m_completion_latency(latency(config.completion, clock)) {
    check_fs_resolution(this->name());
    for (auto& socket : initiators) {
        socket.register_b_transport(this, &MiBus::b_transport);
        socket.register_transport_dbg(this, &MiBus::transport_dbg);
        socket.register_get_direct_mem_ptr(this, &MiBus::get_direct_mem_ptr);
    }
}

std::size_t MiBus::find(std::uint64_t address) const {
    std::size_t i = 0;
    while (i < m_ranges.size() && address - m_ranges[i].base >= m_ranges[i].size) {
        ++i;
    }
    return i;
}

void MiBus::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    trans.set_dmi_allowed(false);
    const bool is_write = trans.is_write();
    const std::uint32_t length = trans.get_data_length();
    if (length == 0 && (is_write || trans.is_read())) {
        trans.set_response_status(
            tlm::TLM_OK_RESPONSE);  // nothing to transfer, so the address does not matter
        return;
    }
    const std::uint64_t address = trans.get_address();
    const std::uint64_t span = std::min(length, trans.get_streaming_width());
    const std::size_t device = find(address);
    if (device == m_ranges.size() || span > m_ranges[device].size - (address - m_ranges[device].base)) {
        ++m_unmapped;
        trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    trans.set_address(address - m_ranges[device].base);
    delay += m_request_latency;
    devices[device]->b_transport(trans, delay);
    trans.set_address(address);
    if (is_write && m_posted_writes) {
        // A device that has waited itself may leave less than the latency.
        delay -= std::min(delay, m_request_latency);
    } else {
        delay += m_completion_latency;
    }
}

unsigned int MiBus::transport_dbg(tlm::tlm_generic_payload& trans) {
    const std::uint64_t address = trans.get_address();
    const std::size_t device = find(address);
    if (device == m_ranges.size()) return 0;
    const std::uint64_t offset = address - m_ranges[device].base;
    const std::uint64_t room = m_ranges[device].size - offset;
    const std::uint32_t length = trans.get_data_length();
    trans.set_address(offset);
    trans.set_data_length(static_cast<std::uint32_t>(std::min<std::uint64_t>(length, room)));
    const unsigned int bytes = devices[device]->transport_dbg(trans);
    trans.set_address(address);
    trans.set_data_length(length);
    return bytes;
}

bool MiBus::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.init();  // no access for the whole range
    return false;
}

}  // namespace tlmetry::mi
