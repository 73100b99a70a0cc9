// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/plan.hpp>

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>

namespace tlmetry::explore {

/// Writes indices of points as ranges, a line each: `7` or `0-99`.
class PointWriter {
public:
    explicit PointWriter(std::ostream& out) : m_out(out) {}
    void add(std::uint64_t index);
    /// Writes what is left.
    void finish();

    /// How many have been added.
    std::uint64_t count() const { return m_count; }

private:
    std::ostream& m_out;
    std::uint64_t m_first = 0;  // of the range that is going on
    std::uint64_t m_next = 0;   // behind its last one
    std::uint64_t m_count = 0;
};

/// What a PointWriter has written. `name` begins the error message for a line that is none of it: UserError.
Points read_points(std::shared_ptr<std::istream> in, const std::string& name);

/// The points of one of so many tasks. Each has the same number of them, one more or less, and none of them
/// has the cheap ones: its points are spread over the whole and stand, of each so many, at another place.
Points slice(Points points, std::uint64_t task, std::uint64_t tasks);

}  // namespace tlmetry::explore
