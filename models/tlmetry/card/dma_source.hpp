// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/request.hpp>
#include <tlmetry/generator/request_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tlmetry::card {

/// What a DMA engine asks of its port: the requests of a stream, and how software closes the loop.
///
/// With a limit of operations under way the next one starts when there is room. A read operation ends with
/// its last completion at the port, a write operation when its last request starts; its room opens gap + gap
/// per byte * its bytes later.
class DmaSource : public endpoint::RequestSource {
public:
    /// Throws UserError like RequestStream.
    DmaSource(const generator::Config& config, std::uint64_t seed, std::string_view name);

    std::size_t fetch(endpoint::Request* out, std::size_t most, time_fs now) override;
    bool is_open() const override { return m_open; }
    void read_done(std::uint64_t number, time_fs t) override;

    struct Statistics {
        std::uint64_t requests = 0;    ///< that the port has fetched
        std::uint64_t operations = 0;  ///< whose last request the port has fetched
    };
    Statistics statistics() const { return {m_requests, m_stream.operations()}; }

private:
    /// A read operation that has started.
    struct Operation {
        std::uint64_t first = 0;     // number of its first request
        std::uint32_t requests = 0;  // not done; one more while it is not known whether there are more
        std::uint32_t bytes = 0;
    };

    std::size_t fetch_closed(endpoint::Request* out, std::size_t most, time_fs now);
    bool start_operation(const endpoint::Request& front, std::uint64_t number, time_fs now);
    void taken(const endpoint::Request& request);
    void make_room(time_fs t, std::uint32_t bytes);

    generator::RequestStream m_stream;
    std::uint64_t m_requests = 0;  // that have been fetched

    // The closed loop.
    bool m_closed;
    bool m_open;  // and a mistake in a trace is told no earlier than it has to be
    bool m_request_by_request;
    time_fs m_gap_fs;
    time_fs m_gap_fs_per_byte;
    std::vector<time_fs> m_room;       // a heap, the earliest first: when operations may start
    std::vector<Operation> m_reading;  // in the order of their requests
    bool m_inside = false;             // the next request is of an operation that has started
    time_fs m_start = 0;               // of the operation
    std::uint32_t m_bytes = 0;         // of the operation so far
};

}  // namespace tlmetry::card
