// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/generator/request_stream.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tlmetry::generator {

namespace {

/// The configuration after its check, before anything is made of it.
const Config& checked(const Config& config, std::string_view name) {
    config.validate(std::string(name));
    return config;
}

/// No operation of up to `largest` bytes crosses a boundary of a page: all begin in the same place of a block
/// of the alignment.
bool stay_in_page(const Config& config, std::uint32_t largest) {
    const std::uint64_t block = std::min<std::uint64_t>(config.alignment_bytes, page_bytes);
    return config.offset_bytes % block + largest <= block;
}

/// Most bytes of a dword that lie before an operation.
std::uint32_t begin_in_dword(const Config& config) {
    const std::uint64_t stride = config.pattern == Pattern::stride ? config.stride_bytes : 0;
    const std::uint64_t places = config.base_address | config.offset_bytes | config.alignment_bytes | stride;
    return places % 4 == 0 ? 0 : 3;
}

/// Adds the shapes of one direction, which together weigh `share`.
void add_shapes(std::vector<ShapeTable::Weighted>& shapes, const Config& config, bool read, double share) {
    if (share == 0) return;
    const std::vector<SizeBand> bands = (read ? config.read_size : config.write_size).bands("size");
    double total = 0;
    for (const SizeBand& band : bands)
        total += band.weight;
    for (std::uint8_t flags = 0; flags < 4; ++flags) {
        const auto part = [&](std::uint8_t bit, std::uint32_t ppm) {
            return static_cast<double>((flags & bit) != 0 ? ppm : million - ppm) / million;
        };
        const double weight = share / total * part(flag::no_snoop, config.no_snoop_ppm) *
                              part(flag::relaxed_ordering, config.relaxed_ordering_ppm);
        if (weight == 0) continue;
        for (const SizeBand& band : bands)
            shapes.push_back({{band.base, band.step, band.count, read, flags}, weight * band.weight});
    }
}

}  // namespace

RequestStream::RequestStream(const Config& config, std::uint64_t seed, std::string_view name)
    : m_split(config.split),
      m_limits{config.mps_bytes, config.mrrs_bytes},
      m_start(config.start_fs),
      m_stop(config.stop_fs),
      m_state{WordStream(seed, name), AddressWalk(checked(config, name)), Pace(config)} {
    m_state.requests_left = config.max_requests == 0 ? ~std::uint64_t{0} : config.max_requests;
    if (config.trace_file.empty()) {
        make_tables(config);
        next_operation<false>(m_state);
    } else {
        m_trace = std::make_unique<TraceReader>(config.trace_file,
                                                m_split ? max_operation_bytes : max_unsplit_bytes);
        next_operation<true>(m_state);
    }
    cut(m_state.operation, m_front);
}

void RequestStream::make_tables(const Config& config) {
    std::vector<ShapeTable::Weighted> shapes;
    if (config.mix == Mix::random) {
        add_shapes(shapes, config, true, config.read_ppm);
        add_shapes(shapes, config, false, million - config.read_ppm);
        m_shapes[0] = ShapeTable(shapes);
        m_group_operations = {~std::uint64_t{0}, 0};
    } else {
        m_group_operations = {config.writes_per_group, config.reads_per_group};
        for (const bool read : {false, true}) {
            shapes.clear();
            add_shapes(shapes, config, read, static_cast<double>(m_group_operations[read ? 1 : 0]));
            m_shapes[read ? 1 : 0] = ShapeTable(shapes);
        }
    }
    m_state.group_left = m_group_operations[0];
    for (const ShapeTable& table : m_shapes) {
        for (const Shape& shape : table.shapes()) {
            std::uint32_t& largest = m_largest[shape.read ? 1 : 0];
            largest = std::max(largest, shape.largest());
        }
    }
    m_steady = config.mix == Mix::random && config.burst_requests == 0;
    m_in_page = stay_in_page(config, std::max(m_largest[0], m_largest[1]));
    m_in_dword = begin_in_dword(config);
}

/// Every operation is one request, and nothing but its shape, its place and its time is to be found.
bool RequestStream::plain() const {
    return m_steady && (!m_split || (m_in_page && m_largest[0] + m_in_dword <= m_limits[0] &&
                                     m_largest[1] + m_in_dword <= m_limits[1]));
}

void RequestStream::pop() {
    if (empty()) return;
    m_trace ? pass<true>(m_state, m_front.length) : pass<false>(m_state, m_front.length);
    if (--m_state.requests_left == 0) m_state.operation.arrival = never;
    cut(m_state.operation, m_front);
}

std::size_t RequestStream::fill(Request* out, std::size_t count, time_fs before) {
    if (m_trace) return fill_from<true>(out, count, before);
    if (!plain()) return fill_from<false>(out, count, before);
    if (m_state.pace.equal()) {
        return m_state.addresses.random() ? fill_plain<true, true>(out, count, before)
                                          : fill_plain<true, false>(out, count, before);
    }
    return m_state.addresses.random() ? fill_plain<false, true>(out, count, before)
                                      : fill_plain<false, false>(out, count, before);
}

template <bool replay>
std::size_t RequestStream::fill_from(Request* out, std::size_t count, time_fs before) {
    if (m_state.operation.arrival >= before) return 0;
    State state = m_state;
    const std::size_t most = std::min<std::uint64_t>(count, state.requests_left);
    std::size_t filled = 0;
    for (; filled < most && state.operation.arrival < before; ++filled) {
        const std::uint32_t bytes = cut(state.operation, out[filled]);
        pass<replay>(state, bytes);
    }
    state.requests_left -= filled;
    if (state.requests_left == 0) state.operation.arrival = never;
    m_state = state;
    cut(state.operation, m_front);
    return filled;
}

/// The short way of plain() streams, with equal() distances or not, and random() places or not.
template <bool equal, bool random>
std::size_t RequestStream::fill_plain(Request* out, std::size_t count, time_fs before) {
    if (m_state.operation.arrival >= before || count == 0) return 0;
    State state = m_state;
    Operation operation = state.operation;
    const ShapeTable& shapes = m_shapes[0];
    const auto place = [&state](std::uint32_t bytes, std::uint64_t bits) {
        return random ? state.addresses.next_random(bytes, bits) : state.addresses.next_in_row(bytes);
    };
    const time_fs end = std::min(before, m_stop);
    Request* const last = out + std::min<std::uint64_t>(count, state.requests_left);
    Request* next = out;
    do {
        put(operation, operation.left, flag::last, *next++);
        if (equal) {
            state.pace.pass_equal();
        } else {
            state.pace.pass(operation.left, state.random, m_exponential);
        }
        operation = draw(state, shapes, place);
    } while (next != last && operation.arrival < end);
    const auto filled = static_cast<std::size_t>(next - out);
    state.operations += filled;
    state.requests_left -= filled;
    if (operation.arrival >= m_stop || state.requests_left == 0) operation.arrival = never;
    state.operation = operation;
    m_state = state;
    cut(operation, m_front);
    return filled;
}

void RequestStream::set_limits(std::uint32_t mps_bytes, std::uint32_t mrrs_bytes) {
    Config config;
    config.mps_bytes = mps_bytes;
    config.mrrs_bytes = mrrs_bytes;
    config.validate();
    m_limits = {mps_bytes, mrrs_bytes};
    cut(m_state.operation, m_front);
}

/// Goes on behind a request of `bytes` bytes.
template <bool replay>
inline void RequestStream::pass(State& state, std::uint32_t bytes) {
    state.pace.request(bytes, state.random, m_exponential);
    state.operation.address += bytes;
    state.operation.left -= bytes;
    if (state.operation.left != 0) return;
    ++state.operations;
    next_operation<replay>(state);
}

template <bool replay>
inline void RequestStream::next_operation(State& state) {
    if (replay) {
        read_operation(state.operation);
    } else {
        draw_operation(state);
    }
    if (state.operation.arrival >= m_stop) state.operation.arrival = never;
}

inline void RequestStream::draw_operation(State& state) const {
    state.pace.end_operation();
    while (state.group_left == 0) {
        state.group ^= 1;
        state.group_left = m_group_operations[state.group];
    }
    --state.group_left;
    state.operation = draw(state, m_shapes[state.group], [&state](std::uint32_t bytes, std::uint64_t random) {
        return state.addresses.next(bytes, random);
    });
}

/// The next operation, of one of these shapes and at a place that is found for its bytes with 64 random bits.
template <class Place>
inline RequestStream::Operation RequestStream::draw(State& state, const ShapeTable& shapes,
                                                    const Place& place) {
    // The upper half of one random word chooses the shape, the lower half the size; mixed again, it chooses
    // the address.
    const std::uint64_t bits = state.random.next();
    const std::uint64_t mixed = (bits ^ bits >> 32) * 0x9E37'79B9'7F4A'7C15;
    const Shape& shape = shapes.draw(static_cast<std::uint32_t>(bits >> 32));
    const std::uint32_t bytes = shape.bytes(static_cast<std::uint32_t>(bits));
    return {state.pace.now(), place(bytes, mixed), bytes, shape.read, shape.flags};
}

void RequestStream::read_operation(Operation& operation) {
    TraceEntry entry;
    if (m_trace->next(entry)) {
        operation = {std::min(m_start + entry.time, never), entry.address, entry.length, entry.read,
                     entry.flags};
    } else {
        operation.arrival = never;
    }
}

/// Makes a request of the first `bytes` bytes of what is left of an operation.
inline void RequestStream::put(const Operation& operation, std::uint32_t bytes, std::uint8_t last,
                               Request& request) {
    // One by one: copying a request just made of these would wait for the stores to reach memory.
    request.arrival = operation.arrival;
    request.address = operation.address;
    request.length = bytes;
    request.read = operation.read;
    request.flags = static_cast<std::uint8_t>(operation.flags | last);
}

/// Makes a request of the beginning of what is left of an operation. Returns its bytes.
inline std::uint32_t RequestStream::cut(const Operation& operation, Request& request) const {
    std::uint32_t bytes = operation.left;
    if (m_split) {
        const auto to_boundary =
            page_bytes - static_cast<std::uint32_t>(operation.address & (page_bytes - 1));
        // A limit counts whole dwords.
        const std::uint32_t limit =
            m_limits[operation.read ? 1 : 0] - static_cast<std::uint32_t>(operation.address & 3);
        bytes = std::min({bytes, to_boundary, limit});
    }
    put(operation, bytes, bytes == operation.left ? flag::last : 0, request);
    return bytes;
}

}  // namespace tlmetry::generator
