// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/ptt/trace_reader.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace tlmetry::trace {

/// Which TLPs of a trace are wanted.
struct Filter {
    std::array<bool, tlp::categories> categories{true, true, true};
    std::vector<std::uint16_t> requesters;  ///< none: all of them
    std::uint64_t from = 0;                 ///< in ticks: the first time that is wanted
    std::uint64_t to = std::numeric_limits<std::uint64_t>::max();  ///< and the first one that is not

    bool accepts(const ptt::TracedTlp& tlp) const {
        return categories[static_cast<unsigned>(tlp.header.category())] && tlp.time >= from &&
               tlp.time < to &&
               (requesters.empty() ||
                std::find(requesters.begin(), requesters.end(), tlp.header.requester) != requesters.end());
    }
};

}  // namespace tlmetry::trace
