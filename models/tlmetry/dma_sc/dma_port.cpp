// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/dma_sc/dma_port.hpp"

#include <tlmetry/dma_sc/endpoint_engine.hpp>
#include <tlmetry/dma_sc/host_memory.hpp>
#include <tlmetry/systemc/time.hpp>

#include <algorithm>
#include <stdexcept>

namespace tlmetry::dma_sc {

namespace {

constexpr std::uint32_t page_bytes = 4096;

template <class T>
std::uint32_t from_pool(std::vector<T>& items, std::vector<std::uint32_t>& free) {
    if (free.empty()) {
        items.emplace_back();
        return static_cast<std::uint32_t>(items.size() - 1);
    }
    const std::uint32_t item = free.back();
    free.pop_back();
    return item;
}

/// Calls `visit(first, count)` for all runs of enabled bytes among `length` bytes from `offset` on.
template <class Visit>
void enabled_runs(const std::uint8_t* enables, std::size_t period, std::size_t offset, std::size_t length,
                  Visit visit) {
    if (period == 0) {
        visit(std::size_t{0}, length);
        return;
    }
    const auto enabled = [&](std::size_t i) { return enables[(offset + i) % period] == TLM_BYTE_ENABLED; };
    for (std::size_t i = 0; i < length;) {
        const std::size_t first = i;
        while (i < length && enabled(i))
            ++i;
        if (i != first) visit(first, i - first);
        while (i < length && !enabled(i))
            ++i;
    }
}

std::size_t enable_period(const tlm::tlm_generic_payload& trans) {
    return trans.get_byte_enable_ptr() == nullptr ? 0 : trans.get_byte_enable_length();
}

}  // namespace

DmaPort::DmaPort(const sc_core::sc_module_name& name, const Config& config)
    : sc_module(name), socket("socket"), m_config(config) {
    check_fs_resolution(this->name());
    socket.register_nb_transport_fw(this, &DmaPort::nb_transport_fw);
    socket.register_b_transport(this, &DmaPort::b_transport);
    socket.register_transport_dbg(this, &DmaPort::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &DmaPort::get_direct_mem_ptr);
    SC_HAS_PROCESS(DmaPort);
    SC_METHOD(respond);
    sensitive << m_respond;
    dont_initialize();
}

void DmaPort::attach(EndpointEngine& engine, std::uint64_t mark) {
    m_engine = &engine;
    m_memory = &engine.m_memory;
    m_mark = mark;
    m_mps = engine.m_endpoint.config().ptc.mps_bytes;
    m_mrrs = engine.m_endpoint.config().ptc.mrrs_bytes;
}

void DmaPort::end_of_elaboration() {
    if (m_engine == nullptr) SC_REPORT_ERROR(name(), "the port is no source of an EndpointEngine");
}

// Transactions.

tlm::tlm_response_status DmaPort::check(const tlm::tlm_generic_payload& trans) const {
    if (!trans.is_read() && !trans.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
    const std::uint32_t length = trans.get_data_length();
    if (length == 0 || trans.get_streaming_width() < length || (!m_config.split && length > page_bytes))
        return tlm::TLM_BURST_ERROR_RESPONSE;
    if (trans.get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    if (trans.get_address() + (length - 1) < trans.get_address()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    const unsigned char* enables = trans.get_byte_enable_ptr();
    if (enables != nullptr &&
        (trans.get_byte_enable_length() == 0 ||
         std::any_of(enables, enables + std::min(trans.get_byte_enable_length(), length),
                     [](unsigned char e) { return e != TLM_BYTE_ENABLED && e != TLM_BYTE_DISABLED; })))
        return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_sync_enum DmaPort::nb_transport_fw(tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                            sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
        trans.set_dmi_allowed(false);
        if (trans.get_command() == tlm::TLM_IGNORE_COMMAND) {
            trans.set_response_status(tlm::TLM_OK_RESPONSE);
            return tlm::TLM_COMPLETED;
        }
        const tlm::tlm_response_status status = check(trans);
        if (status != tlm::TLM_OK_RESPONSE) {
            trans.set_response_status(status);
            return tlm::TLM_COMPLETED;
        }
        if (!trans.has_mm()) {
            SC_REPORT_ERROR(name(), "a transaction of nb_transport_fw needs a memory manager");
            return tlm::TLM_COMPLETED;
        }
        trans.acquire();
        submit(trans, kernel_now() + to_fs(delay), nullptr);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    if (phase == tlm::END_RESP && m_response_open && m_transactions[m_open_response].payload == &trans) {
        close_response(kernel_now() + to_fs(delay));
        return tlm::TLM_COMPLETED;
    }
    SC_REPORT_ERROR(name(), "the phase is not one that the base protocol allows here");
    return tlm::TLM_ACCEPTED;
}

void DmaPort::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    trans.set_dmi_allowed(false);
    if (trans.get_command() == tlm::TLM_IGNORE_COMMAND) {
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        return;
    }
    const tlm::tlm_response_status status = check(trans);
    if (status != tlm::TLM_OK_RESPONSE) {
        trans.set_response_status(status);
        return;
    }
    sc_core::sc_event done;
    submit(trans, kernel_now() + to_fs(delay), &done);
    sc_core::wait(done);
    --m_outstanding;
    m_engine->reach_memory(kernel_now());
    delay = sc_core::SC_ZERO_TIME;
}

unsigned int DmaPort::transport_dbg(tlm::tlm_generic_payload& trans) {
    if ((!trans.is_read() && !trans.is_write()) || trans.get_data_ptr() == nullptr) return 0;
    const std::uint64_t address = trans.get_address();
    unsigned int length = trans.get_data_length();
    if (address != 0) length = static_cast<unsigned int>(std::min<std::uint64_t>(length, 0 - address));
    if (trans.is_read()) {
        m_memory->read(address, trans.get_data_ptr(), length);
    } else {
        m_memory->write(address, trans.get_data_ptr(), length);
    }
    return length;
}

bool DmaPort::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.init();  // no access for the whole range
    return false;
}

/// Longest request from `address` on that is not malformed.
std::uint32_t DmaPort::largest_piece(std::uint64_t address, bool read) const {
    // MPS and MRRS hold for whole dwords from the first one touched.
    const std::uint32_t most = (read ? m_mrrs : m_mps) - static_cast<std::uint32_t>(address % 4);
    return std::min(most, page_bytes - static_cast<std::uint32_t>(address % page_bytes));
}

void DmaPort::submit(tlm::tlm_generic_payload& trans, time_fs arrival, sc_core::sc_event* done) {
    const std::uint32_t transaction = from_pool(m_transactions, m_free_transactions);
    m_transactions[transaction] = {&trans, done, 0, false, 0};
    ++m_outstanding;
    const bool read = trans.is_read();
    const std::uint32_t length = trans.get_data_length();
    const auto behind =
        std::upper_bound(m_waiting.begin(), m_waiting.end(), arrival,
                         [this](time_fs t, std::uint32_t waiting) { return t < m_pieces[waiting].arrival; });
    auto place = static_cast<std::size_t>(behind - m_waiting.begin());
    for (std::uint32_t offset = 0; offset < length;) {
        const std::uint64_t address = trans.get_address() + offset;
        const std::uint32_t most = largest_piece(address, read);
        const std::uint32_t bytes = m_config.split ? std::min(most, length - offset) : length;
        const std::uint32_t number = from_pool(m_pieces, m_free_pieces);
        Piece& piece = m_pieces[number];
        piece.address = address;
        piece.offset = offset;
        piece.length = bytes;
        piece.transaction = transaction;
        piece.arrival = arrival;
        piece.read = read;
        piece.malformed = bytes > most;
        piece.moved_parts = 0;
        piece.moved = 0;
        if (read) {
            ++m_reads_outstanding;
        } else {
            // The initiator may use its buffers again long before they are in memory.
            const unsigned char* data = trans.get_data_ptr() + offset;
            piece.data.assign(data, data + bytes);
            piece.enables.clear();
            const std::size_t period = enable_period(trans);
            for (std::uint32_t i = 0; period != 0 && i < bytes; ++i)
                piece.enables.push_back(trans.get_byte_enable_ptr()[(offset + i) % period]);
        }
        m_engine->submitted(piece);
        m_waiting.insert(m_waiting.begin() + static_cast<std::ptrdiff_t>(place++), number);
        ++m_transactions[transaction].pieces;
        offset += bytes;
    }
}

// What the endpoint takes and tells.

std::size_t DmaPort::fetch(endpoint::Request* out, std::size_t most, time_fs) {
    // Others may still arrive at the time of the kernel, and in front of what arrives later.
    const time_fs now = kernel_now();
    std::size_t count = 0;
    for (; count < most && next_arrival() < now; ++count) {
        const std::uint32_t number = m_waiting.front();
        const Piece& piece = m_pieces[number];
        m_waiting.pop_front();
        m_taken.push({number, piece.read, false});
        m_writes_waiting += !piece.read;
        endpoint::Request& request = out[count];
        request.arrival = piece.arrival;
        request.address = m_mark | std::uint64_t{number} * page_bytes | piece.address % page_bytes;
        request.length = piece.length;
        request.read = piece.read;
        request.flags = 0;
    }
    return count;
}

void DmaPort::read_done(std::uint64_t number, time_fs t) {
    m_ended_reads.push_back({number, t, false});
}

void DmaPort::read_lost(std::uint64_t number, time_fs t) {
    // The port learns of it with its next edge.
    const endpoint::Edges& dma = m_engine->m_endpoint.dma();
    m_ended_reads.push_back({number, dma.time_of(dma.first_after(t)), true});
}

void DmaPort::headers_moved(cycle_t moved, std::uint32_t items) {
    for (; items != 0; --items)
        write_part_moved(m_next_header++, moved);
}

void DmaPort::frame_moved(cycle_t moved) {
    // What is not there any more was a read.
    m_next_frame = std::max(m_next_frame, m_first_taken);
    while (m_taken[m_next_frame - m_first_taken].read)
        ++m_next_frame;
    write_part_moved(m_next_frame++, moved);
}

/// The header of a request or the whole payload of a write has moved on UP in D cycle `moved`.
void DmaPort::write_part_moved(std::uint64_t number, cycle_t moved) {
    const Taken& taken = m_taken[number - m_first_taken];
    if (taken.read) return;
    Piece& piece = m_pieces[taken.piece];
    piece.moved = std::max(piece.moved, moved);
    if (++piece.moved_parts != 2) return;
    --m_writes_waiting;
    piece_ended(piece.transaction, m_engine->m_endpoint.dma().time_of(piece.moved + 1), false);
    if (piece.malformed) m_free_pieces.push_back(taken.piece);  // the root port drops it
    end(number);
}

std::uint32_t DmaPort::end_reads() {
    std::uint32_t completed = 0;
    for (const EndedRead& ended : m_ended_reads) {
        const std::uint32_t piece = m_taken[ended.number - m_first_taken].piece;
        --m_reads_outstanding;
        completed += !ended.lost;
        piece_ended(m_pieces[piece].transaction, ended.t, ended.lost);
        m_free_pieces.push_back(piece);
        end(ended.number);
    }
    m_ended_reads.clear();
    return completed;
}

void DmaPort::end(std::uint64_t number) {
    m_taken[number - m_first_taken].ended = true;
    for (; !m_taken.empty() && m_taken.front().ended; ++m_first_taken)
        m_taken.pop();
}

void DmaPort::reach_memory(std::uint32_t number) {
    const Piece& piece = m_pieces[number];
    if (piece.read) {
        const tlm::tlm_generic_payload& trans = *m_transactions[piece.transaction].payload;
        enabled_runs(trans.get_byte_enable_ptr(), enable_period(trans), piece.offset, piece.length,
                     [&](std::size_t first, std::size_t count) {
                         m_memory->read(piece.address + first, trans.get_data_ptr() + piece.offset + first,
                                        count);
                     });
        return;
    }
    enabled_runs(piece.enables.data(), piece.enables.size(), 0, piece.length,
                 [&](std::size_t first, std::size_t count) {
                     m_memory->write(piece.address + first, piece.data.data() + first, count);
                 });
    m_free_pieces.push_back(number);
}

// Responses.

void DmaPort::piece_ended(std::uint32_t number, time_fs at, bool lost) {
    Transaction& transaction = m_transactions[number];
    transaction.end = std::max(transaction.end, at);
    transaction.lost = transaction.lost || lost;
    if (--transaction.pieces != 0) return;
    const time_fs now = kernel_now();
    if (transaction.end < now) throw std::logic_error("a response of a DMA port is late");
    transaction.payload->set_response_status(transaction.lost ? tlm::TLM_GENERIC_ERROR_RESPONSE
                                                              : tlm::TLM_OK_RESPONSE);
    if (transaction.done != nullptr) {
        transaction.done->notify(to_sc_time(transaction.end - now));
        m_free_transactions.push_back(number);
        return;
    }
    m_responses.push({transaction.end, m_response_count++, number});
    m_respond.notify(to_sc_time(transaction.end - now));
}

void DmaPort::respond() {
    const time_fs now = kernel_now();
    m_engine->reach_memory(now);
    while (!m_responses.empty() && !m_response_open) {
        const Response response = m_responses.top();
        const time_fs at = std::max(response.at, m_response_free);
        if (at > now) {
            m_respond.notify(to_sc_time(at - now));
            return;
        }
        m_responses.pop();
        m_response_open = true;
        m_open_response = response.transaction;
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        const tlm::tlm_sync_enum sync =
            socket->nb_transport_bw(*m_transactions[response.transaction].payload, phase, delay);
        if (sync == tlm::TLM_COMPLETED || (sync == tlm::TLM_UPDATED && phase == tlm::END_RESP))
            close_response(now + to_fs(delay));
    }
}

void DmaPort::close_response(time_fs at) {
    m_transactions[m_open_response].payload->release();
    m_free_transactions.push_back(m_open_response);
    --m_outstanding;
    m_response_open = false;
    m_response_free = at;
    if (!m_responses.empty()) m_respond.notify(to_sc_time(std::max(at, m_responses.top().at) - kernel_now()));
}

}  // namespace tlmetry::dma_sc
