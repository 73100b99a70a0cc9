// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/slices.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/text.hpp>

#include <algorithm>
#include <istream>
#include <ostream>

namespace tlmetry::explore {

void PointWriter::add(std::uint64_t index) {
    if (m_count != 0 && index != m_next) finish();
    if (m_first == m_next) m_first = m_next = index;
    ++m_next;
    ++m_count;
}

void PointWriter::finish() {
    if (m_first == m_next) return;
    m_out << m_first;
    if (m_next - m_first > 1) m_out << '-' << m_next - 1;
    m_out << '\n';
    m_first = m_next;
}

Points read_points(std::shared_ptr<std::istream> in, const std::string& name) {
    return [in = std::move(in), name, next = std::uint64_t{0},
            end = std::uint64_t{0}]() mutable -> std::optional<std::uint64_t> {
        if (next == end) {
            std::string line;
            if (!std::getline(*in, line)) return {};
            const std::size_t dash = std::min(line.find('-'), line.size());
            const auto first = parse_unsigned(line.substr(0, dash));
            const auto last = dash == line.size() ? first : parse_unsigned(line.substr(dash + 1));
            if (!first || !last || *last < *first)
                throw UserError(name + ": expected a number or a range of numbers, found " +
                                config::found(line));
            next = *first;
            end = *last + 1;
        }
        return next++;
    };
}

Points slice(Points points, std::uint64_t task, std::uint64_t tasks) {
    return [points = std::move(points), task, tasks,
            position = std::uint64_t{0}]() mutable -> std::optional<std::uint64_t> {
        for (;;) {
            const std::optional<std::uint64_t> index = points();
            if (!index) return {};
            // Without order, so that it meets no period of an axis.
            const std::uint64_t turn = (position / tasks * 0x9E37'79B9'7F4A'7C15) >> 32;
            const std::uint64_t owner = (position + turn) % tasks;
            ++position;
            if (owner == task) return index;
        }
    };
}

}  // namespace tlmetry::explore
