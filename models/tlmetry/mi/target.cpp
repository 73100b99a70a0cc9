// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/mi/target.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/mi/split.hpp>
#include <tlmetry/systemc/time.hpp>

#include <algorithm>
#include <string>

namespace tlmetry::mi {

namespace {

constexpr std::uint64_t max_size_bytes = std::uint64_t{1} << 32;

tlm::tlm_response_status response(MiPort::Outcome outcome) {
    switch (outcome) {
        case MiPort::Outcome::served:
            return tlm::TLM_OK_RESPONSE;
        case MiPort::Outcome::address_error:
            return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        case MiPort::Outcome::burst_error:
            return tlm::TLM_BURST_ERROR_RESPONSE;
        case MiPort::Outcome::byte_enable_error:
            return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        default:
            return tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
}

}  // namespace

void MiTarget::Config::validate() const {
    if (size_bytes == 0 || size_bytes % word_bytes != 0 || size_bytes > max_size_bytes) {
        throw UserError("size of an MI device: expected a multiple of 4 from 4 to 2^32 bytes, found " +
                        std::to_string(size_bytes));
    }
}

MiTarget::MiTarget(const sc_core::sc_module_name& name, const Config& config, const ClockDomain& clock,
                   MiDevice& device)
    : sc_module(name), socket("socket"), m_port(clock, device, config.size_bytes) {
    config.validate();
    check_fs_resolution(this->name());
    socket.register_b_transport(this, &MiTarget::b_transport);
    socket.register_transport_dbg(this, &MiTarget::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &MiTarget::get_direct_mem_ptr);
}

void MiTarget::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    trans.set_dmi_allowed(false);
    trans.set_response_status(serve(trans, delay));
}

tlm::tlm_response_status MiTarget::serve(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const tlm::tlm_command command = trans.get_command();
    if (command == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
    if (command != tlm::TLM_READ_COMMAND && command != tlm::TLM_WRITE_COMMAND) {
        return tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    const Transfer transfer{trans.get_address(), trans.get_data_length(), trans.get_streaming_width(),
                            trans.get_byte_enable_ptr(), trans.get_byte_enable_length()};
    unsigned char* data = trans.get_data_ptr();
    if (data == nullptr && transfer.length != 0) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    const time_fs kernel = kernel_now();
    const time_fs now = kernel + to_fs(delay);
    const MiPort::Served served = command == tlm::TLM_READ_COMMAND ? m_port.read(now, transfer, data)
                                                                   : m_port.write(now, transfer, data);
    delay = to_sc_time(served.until - kernel);
    return response(served.outcome);
}

unsigned int MiTarget::transport_dbg(tlm::tlm_generic_payload& trans) {
    const std::uint64_t address = trans.get_address();
    // A debug write would have side effects: the interface of a device has none to offer.
    if (!trans.is_read() || trans.get_data_ptr() == nullptr || address >= m_port.size_bytes()) return 0;
    const std::uint64_t room = m_port.size_bytes() - address;
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(trans.get_data_length(), room));
    m_port.peek(kernel_now(), address, trans.get_data_ptr(), bytes);
    return bytes;
}

bool MiTarget::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.init();  // no access for the whole range
    return false;
}

}  // namespace tlmetry::mi
