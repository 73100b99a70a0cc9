// SPDX-License-Identifier: BSD-3-Clause
// Compiled for processors with AVX-512, and called on them only: no function of it but send() may be seen
// elsewhere, nor may it use any that others compile too.
#include "tlmetry/endpoint/link_lanes.hpp"

#include <tlmetry/base/lanes.hpp>

namespace tlmetry::endpoint::link_lanes {

namespace {

constexpr std::int64_t long_ago = -(std::int64_t{1} << 62);

}  // namespace

// With s(i) the time that everything up to TLP i takes, and r(i) when it is ready, it is through at
//   s(i) + max(free, max over j <= i of (r(j) - s(j) + what TLP j takes)).
// A DLLP only makes s longer: when it is due the TLP behind it has long to go until it is ready.
bool send(Row& row) {
    const std::int64_t dllp_time = row.dllp_bytes * row.byte_time;
    const std::int64_t moves_start = row.moves.start - row.from;
    const time_fs* due = row.due;
    time_fs free = row.free;
    Lanes late{};
    for (std::size_t i = 0; i < row.count; i += lane_count) {
        const std::int64_t left = static_cast<std::int64_t>(row.count - i);
        const Lanes valid = Lanes{0, 1, 2, 3, 4, 5, 6, 7} < left;
        const Lanes offered = load_lanes(row.offered + i) * row.offers.period + row.offers.start;
        const Lanes ready = load_lanes(row.moved + i) * row.moves.period + moves_start;
        const Lanes time = valid & (load_lanes(row.bytes + i) * row.byte_time);
        // DLLPs before each of them.
        const std::size_t last = left < 8 ? row.count - 1 : i + 7;
        const time_fs last_offered = row.offered[last] * row.offers.period + row.offers.start;
        Lanes dllps{};
        std::int64_t all_dllps = 0;
        for (; *due <= last_offered; ++due, ++all_dllps)
            dllps -= offered >= *due;
        late |= valid & ((ready - (offered - row.from)) << row.fraction_bits <= all_dllps * dllp_time);

        const Lanes sum = sums_of(time) + dllps * dllp_time;
        const Lanes latest =
            maxima_of(valid ? (ready << row.fraction_bits) + time - sum : lanes_of(long_ago));
        const Lanes through = sum + max_of(latest, lanes_of(free));
        store_lanes(row.at_host + i, (through >> row.fraction_bits) + (row.from + row.to_host));
        free = through[last - i];
    }
    row.dllps = static_cast<std::size_t>(due - row.due);
    row.free = free;
    for (std::size_t lane = 0; lane < lane_count; ++lane)
        if (late[lane] != 0) return false;
    return true;
}

}  // namespace tlmetry::endpoint::link_lanes
