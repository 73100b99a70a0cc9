// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/mi/initiator.hpp"

#include <tlmetry/base/bytes.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/systemc/time.hpp>

#include <cinttypes>
#include <cstdio>
#include <string>

namespace tlmetry::mi {

namespace {

std::string describe(const tlm::tlm_generic_payload& trans) {
    char text[80];
    std::snprintf(text, sizeof text,
                  "MI %s of %u bytes at 0x%" PRIx64 " failed: ", trans.is_read() ? "read" : "write",
                  trans.get_data_length(), std::uint64_t{trans.get_address()});
    return text + trans.get_response_string();
}

}  // namespace

BusError::BusError(const tlm::tlm_generic_payload& trans)
    : std::runtime_error(describe(trans)),
      m_status(trans.get_response_status()),
      m_address(trans.get_address()) {}

void MiInitiator::Config::validate() const {
    if (quantum_fs < 0) {
        throw UserError("quantum of an MI initiator: expected a time of 0 or more, found " +
                        format_time(quantum_fs));
    }
}

MiInitiator::MiInitiator(const sc_core::sc_module_name& name, const Config& config)
    : sc_module(name), socket("socket"), m_quantum(to_sc_time(config.quantum_fs)) {
    config.validate();
    check_fs_resolution(this->name());
}

std::uint32_t MiInitiator::read32(std::uint64_t address) {
    std::uint8_t bytes[4];
    transfer(tlm::TLM_READ_COMMAND, address, bytes, sizeof bytes);
    return word_of(bytes);
}

void MiInitiator::write32(std::uint64_t address, std::uint32_t value) {
    std::uint8_t bytes[4];
    put_word(value, bytes);
    transfer(tlm::TLM_WRITE_COMMAND, address, bytes, sizeof bytes);
}

void MiInitiator::read_block(std::uint64_t address, void* data, std::uint32_t bytes) {
    transfer(tlm::TLM_READ_COMMAND, address, data, bytes);
}

void MiInitiator::write_block(std::uint64_t address, const void* data, std::uint32_t bytes,
                              const std::uint8_t* byte_enables) {
    // The payload's pointers are not const, but no target may change the data of a write.
    transfer(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(data), bytes, byte_enables);
}

std::uint32_t MiInitiator::debug_read(std::uint64_t address, void* data, std::uint32_t bytes) {
    set_payload(tlm::TLM_READ_COMMAND, address, data, bytes);
    return socket->transport_dbg(m_trans);
}

time_fs MiInitiator::now() const {
    return kernel_now() + to_fs(m_ahead);
}

void MiInitiator::sleep(time_fs duration) {
    run_ahead(m_ahead + to_sc_time(duration));
}

void MiInitiator::sync() {
    if (m_ahead == sc_core::SC_ZERO_TIME) return;
    sc_core::wait(m_ahead);
    m_ahead = sc_core::SC_ZERO_TIME;
}

void MiInitiator::transfer(tlm::tlm_command command, std::uint64_t address, void* data, std::uint32_t bytes,
                           const std::uint8_t* byte_enables) {
    if (bytes == 0) return;  // the payload has no empty transfers
    set_payload(command, address, data, bytes);
    m_trans.set_byte_enable_ptr(const_cast<std::uint8_t*>(byte_enables));
    m_trans.set_byte_enable_length(byte_enables == nullptr ? 0 : bytes);
    sc_core::sc_time delay = m_ahead;
    socket->b_transport(m_trans, delay);
    run_ahead(delay);
    if (!m_trans.is_response_ok()) throw BusError(m_trans);
}

void MiInitiator::set_payload(tlm::tlm_command command, std::uint64_t address, void* data,
                              std::uint32_t bytes) {
    m_trans.set_command(command);
    m_trans.set_address(address);
    m_trans.set_data_ptr(static_cast<unsigned char*>(data));
    m_trans.set_data_length(bytes);
    m_trans.set_streaming_width(bytes);
    m_trans.set_byte_enable_ptr(nullptr);
    m_trans.set_byte_enable_length(0);
    m_trans.set_dmi_allowed(false);
    m_trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

void MiInitiator::run_ahead(const sc_core::sc_time& ahead) {
    m_ahead = ahead;
    if (m_ahead >= m_quantum) sync();
}

}  // namespace tlmetry::mi
