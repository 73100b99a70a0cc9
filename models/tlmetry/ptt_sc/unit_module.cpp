// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt_sc/unit_module.hpp"

#include <tlmetry/base/bytes.hpp>
#include <tlmetry/systemc/time.hpp>

#include <algorithm>

namespace tlmetry::ptt_sc {

namespace reg = ptt::reg;

namespace {

constexpr std::uint32_t word_bytes = 4;
constexpr std::uint32_t position_mask = (1u << reg::wr_sts_buffer) - 1;

std::uint32_t buffer_of(std::uint32_t position) {
    return position >> reg::wr_sts_buffer & (reg::buffers - 1);
}

}  // namespace

UnitModule::UnitModule(const sc_core::sc_module_name& name, card::Card& card, const Config& config)
    : sc_module(name),
      registers("registers"),
      memory("memory"),
      interrupt("interrupt"),
      m_card(card),
      m_topology(config.trace.topology),
      m_core(config.trace.core),
      m_quantum_fs(config.quantum_fs),
      m_tap(card),
      m_unit{ptt::TraceUnit(config.trace, [this](std::uint64_t address,
                                                 std::uint32_t bytes) { return memory_at(address, bytes); }),
             ptt::TuneUnit(card.tuning(0).levels,
                           [this](const ptt::TuneUnit::Levels& levels) { tune(levels); })} {
    check_fs_resolution(this->name());
    registers.register_b_transport(this, &UnitModule::b_transport);
    memory.register_invalidate_direct_mem_ptr(this, &UnitModule::invalidate);
    SC_HAS_PROCESS(UnitModule);
    SC_THREAD(run);
    SC_METHOD(drive);
    sensitive << m_look;
}

void UnitModule::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    catch_up(kernel_now() + to_fs(delay));
    trans.set_dmi_allowed(false);
    trans.set_response_status(serve(trans));
    m_look.notify(delay);
}

tlm::tlm_response_status UnitModule::serve(tlm::tlm_generic_payload& trans) {
    if (trans.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
    const sc_dt::uint64 address = trans.get_address();
    const std::uint32_t length = trans.get_data_length();
    if (trans.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (length == 0 || address % word_bytes != 0 || length % word_bytes != 0 ||
        trans.get_streaming_width() < length)
        return tlm::TLM_BURST_ERROR_RESPONSE;
    if (address >= reg::bytes || length > reg::bytes - address) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    const auto offset = static_cast<std::uint32_t>(address);
    for (std::uint32_t i = 0; i < length; i += word_bytes) {
        std::uint8_t* const data = trans.get_data_ptr() + i;
        if (trans.is_read())
            put_word(m_unit.read(offset + i), data);
        else
            write_word(offset + i, word_of(data));
    }
    return tlm::TLM_OK_RESPONSE;
}

/// All root ports of the core have these levels from now on: the card has just been advanced.
void UnitModule::tune(const ptt::TuneUnit::Levels& levels) {
    for (std::uint32_t e = 0; e < m_card.endpoints(); ++e)
        if (m_topology.core_of(e) == m_core) m_card.tune(m_now, e, {levels});
}

void UnitModule::write_word(std::uint32_t offset, std::uint32_t value) {
    const bool enabled = m_unit.trace.enabled();
    m_unit.write(offset, value);
    if (offset != reg::trace_ctrl) return;
    if ((value & reg::ctrl_reset) != 0) m_flushed = 0;
    if (!enabled && m_unit.trace.enabled()) m_enabled.notify(sc_core::SC_ZERO_TIME);
}

void UnitModule::invalidate(sc_dt::uint64, sc_dt::uint64) {
    // What has been written is there; pointers to it are asked for anew.
    m_flushed = m_unit.read(reg::trace_wr_sts);
    m_unit.trace.memory_changed();
}

/// Memory behind a bus address: the target's own, or a copy of it that flush() sends there.
std::uint8_t* UnitModule::memory_at(std::uint64_t address, std::uint32_t bytes) {
    Staged& staged = m_staged[buffer_of(m_unit.trace.read(reg::trace_wr_sts).value_or(0))];
    staged = {address, {}};
    tlm::tlm_generic_payload trans;
    trans.set_write();
    trans.set_address(address);
    tlm::tlm_dmi dmi;
    if (memory->get_direct_mem_ptr(trans, dmi) && dmi.is_write_allowed() &&
        dmi.get_start_address() <= address && dmi.get_end_address() - address >= bytes - 1)
        return dmi.get_dmi_ptr() + (address - dmi.get_start_address());
    staged.bytes.resize(bytes);
    return staged.bytes.data();
}

/// Lets the unit see everything before time `t`.
void UnitModule::catch_up(time_fs t) {
    m_now = std::max(m_now, t);
    m_card.advance(m_now);
    const ptt::LinkTap::Tlps tlps = m_tap.take_before(m_now);
    if (!m_unit.trace.enabled()) return;
    // In pieces that begin one buffer at most, so that none is written over before it has been sent.
    constexpr std::size_t record = ptt::record_bytes(ptt::Format::eight_dwords);
    const auto buffer_records =
        static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, m_unit.read(reg::trace_addr_size) / record));
    for (const endpoint::LinkTlp* first = tlps.begin; first != tlps.end;) {
        const endpoint::LinkTlp* const last = first + std::min(buffer_records, tlps.end - first);
        m_unit.trace.pass(first, last);
        first = last;
        flush();
    }
}

/// Sends what has been staged since the last time.
void UnitModule::flush() {
    const std::uint32_t position = m_unit.read(reg::trace_wr_sts);
    const std::uint32_t size = m_unit.read(reg::trace_addr_size);
    while (m_flushed != position) {
        const std::uint32_t buffer = buffer_of(m_flushed);
        const std::uint32_t from = m_flushed & position_mask;
        const bool last = buffer == buffer_of(position);
        const std::uint32_t to = last ? position & position_mask : size;
        const Staged& staged = m_staged[buffer];
        if (!staged.bytes.empty()) send(staged.bytes.data() + from, staged.address + from, to - from);
        m_flushed = last ? position : (buffer + 1) % reg::buffers << reg::wr_sts_buffer;
    }
}

void UnitModule::send(const std::uint8_t* data, std::uint64_t address, std::uint32_t bytes) {
    if (bytes == 0) return;
    tlm::tlm_generic_payload trans;
    trans.set_write();
    trans.set_address(address);
    trans.set_data_ptr(const_cast<std::uint8_t*>(data));  // a write leaves it as it is
    trans.set_data_length(bytes);
    trans.set_streaming_width(bytes);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay;
    memory->b_transport(trans, delay);
    if (trans.is_response_error())
        SC_REPORT_ERROR(name(), ("the ring of buffers: " + trans.get_response_string()).c_str());
}

void UnitModule::run() {
    for (;;) {
        if (!m_unit.trace.enabled()) wait(m_enabled);
        wait(to_sc_time(m_quantum_fs));
        catch_up(kernel_now());
        m_look.notify(sc_core::SC_ZERO_TIME);
    }
}

void UnitModule::drive() {
    const std::uint32_t full = m_unit.read(reg::trace_int_stat) & ~m_unit.read(reg::trace_int_mask);
    interrupt.write((full & reg::all_buffers) != 0);
}

}  // namespace tlmetry::ptt_sc
