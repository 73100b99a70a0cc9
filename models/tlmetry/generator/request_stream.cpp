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
    : m_random(seed, name),
      m_group_operations{},
      m_addresses(checked(config, name)),
      m_pace(config),
      m_split(config.split),
      m_limits{config.mps_bytes, config.mrrs_bytes},
      m_start(config.start_fs),
      m_stop(config.stop_fs),
      m_requests_left(config.max_requests == 0 ? ~std::uint64_t{0} : config.max_requests) {
    if (config.trace_file.empty()) {
        make_tables(config);
    } else {
        m_trace = std::make_unique<TraceReader>(config.trace_file,
                                                m_split ? max_operation_bytes : max_unsplit_bytes);
    }
    next_operation();
    cut();
}

void RequestStream::make_tables(const Config& config) {
    std::vector<ShapeTable::Weighted> shapes;
    if (config.mix == Mix::random) {
        add_shapes(shapes, config, true, config.read_ppm);
        add_shapes(shapes, config, false, million - config.read_ppm);
        m_shapes[0] = ShapeTable(shapes);
        return;
    }
    m_group_operations = {config.writes_per_group, config.reads_per_group};
    for (const bool read : {false, true}) {
        shapes.clear();
        add_shapes(shapes, config, read, m_group_operations[read ? 1 : 0]);
        m_shapes[read ? 1 : 0] = ShapeTable(shapes);
    }
    m_group = m_group_operations[0] != 0 ? 0 : 1;
    m_group_left = m_group_operations[m_group];
}

void RequestStream::pop() {
    if (!empty()) advance();
}

std::size_t RequestStream::fill(Request* out, std::size_t count) {
    std::size_t filled = 0;
    for (; filled < count && !empty(); ++filled) {
        out[filled] = m_front;
        advance();
    }
    return filled;
}

void RequestStream::set_limits(std::uint32_t mps_bytes, std::uint32_t mrrs_bytes) {
    Config config;
    config.mps_bytes = mps_bytes;
    config.mrrs_bytes = mrrs_bytes;
    config.validate();
    m_limits = {mps_bytes, mrrs_bytes};
    if (!empty()) cut();
}

/// Takes the front away and makes the next one.
inline void RequestStream::advance() {
    m_pace.request(m_front.length, m_random);
    m_operation.address += m_front.length;
    m_operation.left -= m_front.length;
    if (--m_requests_left == 0) {
        m_front.arrival = never;
        return;
    }
    if (m_operation.left == 0) next_operation();
    cut();
}

inline void RequestStream::next_operation() {
    if (m_trace) {
        read_operation();
    } else {
        draw_operation();
    }
    if (m_operation.arrival >= m_stop) m_operation.arrival = never;
}

inline void RequestStream::draw_operation() {
    m_pace.end_operation();
    if (m_group_operations[m_group] != 0) {
        if (m_group_left == 0) {
            if (m_group_operations[m_group ^ 1] != 0) m_group ^= 1;
            m_group_left = m_group_operations[m_group];
        }
        --m_group_left;
    }
    // The upper half of one random word chooses the shape, the lower half the size.
    const std::uint64_t bits = m_random.next();
    const Shape& shape = m_shapes[m_group].draw(static_cast<std::uint32_t>(bits >> 32));
    m_operation.read = shape.read;
    m_operation.flags = shape.flags;
    m_operation.left = shape.bytes(static_cast<std::uint32_t>(bits));
    m_operation.address = m_addresses.next(m_operation.left, m_random);
    m_operation.arrival = m_pace.now();
}

void RequestStream::read_operation() {
    TraceEntry entry;
    if (!m_trace->next(entry)) {
        m_operation.arrival = never;
        return;
    }
    m_operation = {std::min(m_start + entry.time, never), entry.address, entry.length, entry.read,
                   entry.flags};
}

/// Makes the front from the beginning of what is left of the operation.
inline void RequestStream::cut() {
    std::uint32_t length = m_operation.left;
    if (m_split) {
        const auto to_boundary =
            page_bytes - static_cast<std::uint32_t>(m_operation.address & (page_bytes - 1));
        length = std::min({length, to_boundary, m_limits[m_operation.read ? 1 : 0]});
    }
    m_front.arrival = m_operation.arrival;
    m_front.address = m_operation.address;
    m_front.length = static_cast<std::uint16_t>(length);
    m_front.read = m_operation.read;
    m_front.flags =
        static_cast<std::uint8_t>(m_operation.flags | (length == m_operation.left ? flag::last : 0));
}

}  // namespace tlmetry::generator
