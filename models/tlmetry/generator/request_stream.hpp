// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/random.hpp>
#include <tlmetry/generator/address_walk.hpp>
#include <tlmetry/generator/config.hpp>
#include <tlmetry/generator/pace.hpp>
#include <tlmetry/generator/request.hpp>
#include <tlmetry/generator/shape_table.hpp>
#include <tlmetry/generator/trace_reader.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace tlmetry::generator {

/// The requests of one DMA port in order. The sequence follows from the configuration, the seed and the name
/// alone, however it is fetched.
class RequestStream {
public:
    /// Throws UserError like Config::validate(), which names parameters after `name`, or when the trace file
    /// cannot be opened or begins with a mistake.
    RequestStream(const Config& config, std::uint64_t seed, std::string_view name);

    /// No request is left.
    bool empty() const { return m_front.arrival == never; }

    /// The next request; after the last one it arrives at `never`.
    const Request& front() const { return m_front; }

    /// Goes on to the next request. Throws UserError when the trace file has a mistake there.
    void pop();

    /// Moves the next requests to `out`, at most `count`. Returns how many; fewer than `count` at the end of
    /// the stream only. Throws like pop().
    std::size_t fill(Request* out, std::size_t count);

    /// From front() on requests respect other limits, as when the host changes MPS or MRRS. No effect without
    /// splitting. Throws UserError unless both are powers of two from 128 to 4096.
    void set_limits(std::uint32_t mps_bytes, std::uint32_t mrrs_bytes);

private:
    struct Operation {
        time_fs arrival = 0;
        std::uint64_t address = 0;  // of what is left
        std::uint32_t left = 0;     // bytes
        bool read = false;
        std::uint8_t flags = 0;
    };

    void make_tables(const Config& config);
    void advance();
    void draw_operation();
    void read_operation();
    void next_operation();
    void cut();

    Random m_random;
    std::array<ShapeTable, 2> m_shapes;               // of one group each; a random mix is one group
    std::array<std::uint32_t, 2> m_group_operations;  // in a group; 0: no end
    std::uint32_t m_group = 0;
    std::uint32_t m_group_left = 0;
    AddressWalk m_addresses;
    Pace m_pace;
    std::unique_ptr<TraceReader> m_trace;

    bool m_split;
    std::array<std::uint32_t, 2> m_limits;  // of writes, of reads
    time_fs m_start;
    time_fs m_stop;
    std::uint64_t m_requests_left;
    Operation m_operation;
    Request m_front;
};

}  // namespace tlmetry::generator
