// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// The transmitter of a root port a second time, literally: every instant one after the other, on a link that
/// sends a byte in each.
namespace tlmetry::test {

struct LiteralPacket {
    std::size_t kind = 0;
    std::int64_t at = 0;
    std::int64_t bytes = 0;
    std::int64_t released = -1;
    std::int64_t sent = -1;
};

/// Weights of three kinds and a watermark, from a time on.
struct LiteralLevels {
    std::int64_t from = 0;
    std::int64_t weight[3] = {1, 1, 1};
    std::int64_t watermark = 0;
};

struct LiteralTx {
    std::int64_t timeout = 0;
    std::int64_t batch_time = 0;
    std::vector<LiteralLevels> levels;   // in order, the first from 0 on
    std::vector<LiteralPacket> packets;  // in the order in which they come

    void run(std::int64_t until);
};

}  // namespace tlmetry::test
