// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/mi/target.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/mi/split.hpp>
#include <tlmetry/systemc/time.hpp>

#include <algorithm>
#include <string>

namespace tlmetry::mi {

namespace {

// Edges from the one that samples an access to the one at which the master goes on: it samples a read's DRDY
// two edges later; a write has its ARDY in the same cycle, so that the next access may follow in the next
// one.
constexpr cycle_t read_edges = 2;
constexpr cycle_t write_edges = 1;

constexpr std::uint64_t max_size_bytes = std::uint64_t{1} << 32;

constexpr std::uint8_t whole_word = 0xF;

std::uint32_t gather(const unsigned char* data, const WordAccess& a) {
    data += a.offset;
    if (a.enables == whole_word) {
        return std::uint32_t{data[0]} | std::uint32_t{data[1]} << 8 | std::uint32_t{data[2]} << 16 |
               std::uint32_t{data[3]} << 24;
    }
    std::uint32_t word = 0;
    for (std::uint32_t i = 0; i < a.count; ++i) {
        const std::uint32_t lane = a.lane + i;
        if ((a.enables >> lane & 1U) != 0) word |= std::uint32_t{data[i]} << (8 * lane);
    }
    return word;
}

void scatter(std::uint32_t word, const WordAccess& a, unsigned char* data) {
    data += a.offset;
    if (a.enables == whole_word) {
        data[0] = static_cast<unsigned char>(word);
        data[1] = static_cast<unsigned char>(word >> 8);
        data[2] = static_cast<unsigned char>(word >> 16);
        data[3] = static_cast<unsigned char>(word >> 24);
        return;
    }
    for (std::uint32_t i = 0; i < a.count; ++i) {
        const std::uint32_t lane = a.lane + i;
        if ((a.enables >> lane & 1U) != 0) data[i] = static_cast<unsigned char>(word >> (8 * lane));
    }
}

bool legal_enables(const Transfer& t) {
    if (t.enables == nullptr) return true;
    if (t.enable_length == 0) return false;
    return std::all_of(t.enables, t.enables + std::min(t.enable_length, t.length),
                       [](std::uint8_t e) { return e == TLM_BYTE_DISABLED || e == TLM_BYTE_ENABLED; });
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
    : sc_module(name), socket("socket"), m_config(config), m_clock(clock), m_device(device) {
    m_config.validate();
    check_fs_resolution(this->name());
    socket.register_b_transport(this, &MiTarget::b_transport);
    socket.register_transport_dbg(this, &MiTarget::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &MiTarget::get_direct_mem_ptr);
}

bool MiTarget::in_range(std::uint64_t address, std::uint64_t bytes) const {
    // Written so that no sum can wrap round at 2^64.
    return address < m_config.size_bytes && bytes <= m_config.size_bytes - address;
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
    if (transfer.length == 0) return tlm::TLM_OK_RESPONSE;
    if (transfer.streaming_width == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (trans.get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    if (!in_range(transfer.address, transfer.span())) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (!legal_enables(transfer)) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;

    cycle_t accesses = 0;
    split(transfer, [&](const WordAccess&) { ++accesses; });
    if (accesses == 0) return tlm::TLM_OK_RESPONSE;

    const bool is_read = command == tlm::TLM_READ_COMMAND;
    const time_fs now = kernel_now();
    const cycle_t requested = m_clock.first_at_or_after(now + to_fs(delay));
    cycle_t edge = std::max(requested, m_free_edge);
    const time_fs answered = m_clock.time_of(edge + accesses - 1 + (is_read ? read_edges : write_edges));
    if (answered >= never) return tlm::TLM_GENERIC_ERROR_RESPONSE;  // the clock stops before it could answer

    if (requested < m_latest_requested) ++m_late;
    m_latest_requested = std::max(m_latest_requested, requested);
    m_accesses += static_cast<std::uint64_t>(accesses);
    m_free_edge = edge + accesses;

    unsigned char* data = trans.get_data_ptr();
    split(transfer, [&](const WordAccess& a) {
        const auto address = static_cast<std::uint32_t>(a.address);
        const std::uint32_t word = is_read ? m_device.read(edge, address) : gather(data, a);
        if (is_read) {
            scatter(word, a, data);
        } else {
            m_device.write(edge, address, word, a.enables);
        }
        if (m_watch) m_watch({edge, !is_read, address, word, a.enables});
        ++edge;
    });
    delay = to_sc_time(answered - now);
    return tlm::TLM_OK_RESPONSE;
}

unsigned int MiTarget::transport_dbg(tlm::tlm_generic_payload& trans) {
    const std::uint64_t address = trans.get_address();
    // A debug write would have side effects: the interface of a device has none to offer.
    if (!trans.is_read() || trans.get_data_ptr() == nullptr || address >= m_config.size_bytes) return 0;
    const std::uint64_t room = m_config.size_bytes - address;
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(trans.get_data_length(), room));
    const time_fs now = kernel_now();
    split(Transfer{address, bytes, bytes, nullptr, 0}, [&](const WordAccess& a) {
        scatter(m_device.peek(now, static_cast<std::uint32_t>(a.address)), a, trans.get_data_ptr());
    });
    return bytes;
}

bool MiTarget::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.init();  // no access for the whole range
    return false;
}

}  // namespace tlmetry::mi
