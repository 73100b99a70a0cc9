// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/request.hpp>

#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <queue>
#include <systemc>
#include <tlm>
#include <vector>

namespace tlmetry::dma_sc {

class EndpointEngine;
class HostMemory;

/// A DMA port of an endpoint for a DMA engine in SystemC: reads and writes of real bytes through a TLM-2.0
/// target socket (base protocol) take the way of any other request of the endpoint, at the same times, to the
/// memory of its host. docs/dma-port.md tells every rule and response.
///
/// It is one of the sources of an EndpointEngine, which must exist before the simulation starts.
class DmaPort : public sc_core::sc_module, public endpoint::RequestSource {
public:
    struct Config {
        /// Cuts a transaction beyond MPS, MRRS or a 4 KiB boundary into requests that are not. Without it
        /// each transaction, of up to 4 KiB, is one request, which may be malformed.
        bool split = true;
    };

    tlm_utils::simple_target_socket<DmaPort> socket;

    DmaPort(const sc_core::sc_module_name& name, const Config& config);
    explicit DmaPort(const sc_core::sc_module_name& name) : DmaPort(name, Config()) {}

    /// Transactions that have not been responded to.
    std::uint32_t outstanding() const { return m_outstanding; }

    // RequestSource, for the endpoint.
    std::size_t fetch(endpoint::Request* out, std::size_t most, time_fs now) override;
    void read_done(std::uint64_t number, time_fs t) override;
    void read_lost(std::uint64_t number, time_fs t) override;

private:
    friend class EndpointEngine;

    /// A request: a transaction or a part of it.
    struct Piece {
        std::uint64_t address = 0;
        std::uint32_t offset = 0;  // in the data of its transaction
        std::uint32_t length = 0;
        std::uint32_t transaction = 0;
        time_fs arrival = 0;
        bool read = false;
        bool malformed = false;
        // Of writes:
        std::uint8_t moved_parts = 0;  // header and payload that have moved on UP
        cycle_t moved = 0;             // the later of both
        std::vector<std::uint8_t> data;
        std::vector<std::uint8_t> enables;  // one a byte; none: all
    };
    struct Transaction {
        tlm::tlm_generic_payload* payload = nullptr;
        sc_core::sc_event* done = nullptr;  // of a blocking one
        std::uint32_t pieces = 0;           // that have not ended
        bool lost = false;
        time_fs end = 0;
    };
    /// A request that the endpoint has taken.
    struct Taken {
        std::uint32_t piece = 0;
        bool read = false;
        bool ended = false;
    };
    struct EndedRead {
        std::uint64_t number = 0;
        time_fs t = 0;
        bool lost = false;
    };
    struct Response {
        time_fs at = 0;
        std::uint64_t number = 0;
        std::uint32_t transaction = 0;
        bool operator<(const Response& other) const {
            return at != other.at ? at > other.at : number > other.number;
        }
    };

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned int transport_dbg(tlm::tlm_generic_payload& trans);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);
    void end_of_elaboration() override;

    tlm::tlm_response_status check(const tlm::tlm_generic_payload& trans) const;
    std::uint32_t largest_piece(std::uint64_t address, bool read) const;
    void submit(tlm::tlm_generic_payload& trans, time_fs arrival, sc_core::sc_event* done);
    void piece_ended(std::uint32_t transaction, time_fs at, bool lost);
    void write_part_moved(std::uint64_t number, cycle_t moved);
    void end(std::uint64_t number);
    void respond();
    void close_response(time_fs at);

    // For the engine.
    void attach(EndpointEngine& engine, std::uint64_t mark);
    const Piece& piece(std::uint32_t number) const { return m_pieces[number]; }
    /// Of the first request that the endpoint has not taken; `never` if there is none.
    time_fs next_arrival() const { return m_waiting.empty() ? never : m_pieces[m_waiting.front()].arrival; }
    /// Not later than the arrival of the oldest request that the endpoint has taken; `never` if all have
    /// ended.
    time_fs oldest_arrival() const {
        return m_taken.empty() ? never : m_pieces[m_taken.front().piece].arrival;
    }
    std::uint32_t writes_waiting() const { return m_writes_waiting; }
    std::uint32_t reads_outstanding() const { return m_reads_outstanding; }
    void headers_moved(cycle_t moved, std::uint32_t items);
    void frame_moved(cycle_t moved);
    void reach_memory(std::uint32_t piece);
    /// Ends what the endpoint has told; returns how many reads had their completions.
    std::uint32_t end_reads();

    Config m_config;
    EndpointEngine* m_engine = nullptr;
    HostMemory* m_memory = nullptr;
    std::uint64_t m_mark = 0;  // bits of its addresses inside the endpoint
    std::uint32_t m_mps = 0;
    std::uint32_t m_mrrs = 0;

    std::vector<Piece> m_pieces;
    std::vector<std::uint32_t> m_free_pieces;
    std::vector<Transaction> m_transactions;
    std::vector<std::uint32_t> m_free_transactions;
    std::deque<std::uint32_t> m_waiting;  // pieces in the order of arrival
    SlidingQueue<Taken> m_taken;
    std::uint64_t m_first_taken = 0;  // number of the front
    std::uint64_t m_next_header = 0;  // request whose header moves next
    std::uint64_t m_next_frame = 0;   // request whose frame may move next
    std::vector<EndedRead> m_ended_reads;
    std::uint32_t m_outstanding = 0;
    std::uint32_t m_writes_waiting = 0;     // pieces that are taken and have not moved on UP
    std::uint32_t m_reads_outstanding = 0;  // pieces

    std::priority_queue<Response> m_responses;
    std::uint64_t m_response_count = 0;
    sc_core::sc_event m_respond;
    bool m_response_open = false;       // it has begun and not ended
    std::uint32_t m_open_response = 0;  // its transaction
    time_fs m_response_free = 0;        // the response before it has ended
};

}  // namespace tlmetry::dma_sc
