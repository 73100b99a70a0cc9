// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/generator/address_walk.hpp>
#include <tlmetry/generator/config.hpp>
#include <tlmetry/generator/pace.hpp>
#include <tlmetry/generator/request.hpp>
#include <tlmetry/generator/shape_table.hpp>
#include <tlmetry/generator/trace_reader.hpp>
#include <tlmetry/generator/word_stream.hpp>

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

    /// Goes on to the next request. Throws UserError when the trace file has a mistake there; the stream is
    /// of no use afterwards.
    void pop();

    /// Moves the next requests that arrive before `before` to `out`, at most `count`. Returns how many. The
    /// fastest way, from some ten requests on. Throws like pop().
    std::size_t fill(Request* out, std::size_t count, time_fs before = never);

    /// Operations whose last request has been passed.
    std::uint64_t operations() const { return m_state.operations; }

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
    /// All that changes from request to request. A block works on a copy, which the compiler need not keep in
    /// memory in step with the requests it stores.
    struct State {
        WordStream random;
        AddressWalk addresses;
        Pace pace;
        std::uint32_t group = 0;       // which table the operations come from
        std::uint64_t group_left = 0;  // how many
        Operation operation{};
        std::uint64_t requests_left = 0;
        std::uint64_t operations = 0;  // that are over
    };

    void make_tables(const Config& config);
    bool plain() const;
    template <bool equal, bool random>
    std::size_t fill_plain(Request* out, std::size_t count, time_fs before);
    template <bool replay>
    std::size_t fill_from(Request* out, std::size_t count, time_fs before);
    template <bool replay>
    void pass(State& state, std::uint32_t bytes);
    template <bool replay>
    void next_operation(State& state);
    void draw_operation(State& state) const;
    template <class Place>
    static Operation draw(State& state, const ShapeTable& shapes, const Place& place);
    void read_operation(Operation& operation);
    static void put(const Operation& operation, std::uint32_t bytes, std::uint8_t last, Request& request);
    std::uint32_t cut(const Operation& operation, Request& request) const;

    std::array<ShapeTable, 2> m_shapes;  // of one group each; a random mix is one group without end
    std::array<std::uint64_t, 2> m_group_operations{};
    ExponentialTable m_exponential;
    std::unique_ptr<TraceReader> m_trace;

    bool m_split;
    std::array<std::uint32_t, 2> m_limits;  // of writes, of reads
    time_fs m_start;
    time_fs m_stop;
    bool m_steady = false;                     // made from one table without pauses
    bool m_in_page = false;                    // no operation crosses a boundary of 4 KiB
    std::uint32_t m_in_dword = 0;              // most bytes of a dword before an operation
    std::array<std::uint32_t, 2> m_largest{};  // operation: write, read
    State m_state;
    Request m_front;
};

}  // namespace tlmetry::generator
