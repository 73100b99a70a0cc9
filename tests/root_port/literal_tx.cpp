// SPDX-License-Identifier: BSD-3-Clause
#include "root_port/literal_tx.hpp"

#include <algorithm>

namespace tlmetry::test {

void LiteralTx::run(std::int64_t until) {
    constexpr std::size_t kinds = 3;
    std::int64_t link_free = 0;
    std::int64_t last_batch[kinds] = {-batch_time, -batch_time, -batch_time};
    std::vector<LiteralPacket*> in_buffer[kinds];
    std::vector<LiteralPacket*> for_link[kinds];
    // Quarters of bytes per weight that each kind has had, and where the one sent last began.
    std::int64_t had[kinds] = {};
    std::int64_t last_began = 0;
    std::size_t next = 0;
    for (std::int64_t t = 0; t < until; ++t) {
        const LiteralLevels* now = &levels.front();
        for (const LiteralLevels& l : levels) {
            if (l.from <= t) now = &l;
        }
        for (; next < packets.size() && packets[next].at == t; ++next)
            in_buffer[packets[next].kind].push_back(&packets[next]);
        const bool idle = for_link[0].empty() && for_link[1].empty() && for_link[2].empty() && link_free <= t;
        for (std::size_t k = 0; k < kinds; ++k) {
            const bool wanted = !for_link[k].empty();
            for (;;) {
                std::int64_t bytes = 0;
                for (const LiteralPacket* p : in_buffer[k])
                    bytes += p->bytes;
                if (in_buffer[k].empty() || t < last_batch[k] + batch_time) break;
                if (bytes < now->watermark && t < in_buffer[k].front()->at + timeout) break;
                std::int64_t taken = 0;
                do {
                    LiteralPacket* const p = in_buffer[k].front();
                    in_buffer[k].erase(in_buffer[k].begin());
                    for_link[k].push_back(p);
                    p->released = t;
                    taken += p->bytes;
                } while (taken < now->watermark && !in_buffer[k].empty());
                last_batch[k] = t;
            }
            if (wanted || for_link[k].empty()) continue;
            if (idle) last_began = std::max({last_began, had[0], had[1], had[2]});
            had[k] = std::max(had[k], last_began);
        }
        if (t < link_free) continue;
        std::size_t best = kinds;
        for (std::size_t k = 0; k < kinds; ++k) {
            if (!for_link[k].empty() && (best == kinds || had[k] < had[best])) best = k;
        }
        if (best == kinds) continue;
        LiteralPacket* const sent = for_link[best].front();
        for_link[best].erase(for_link[best].begin());
        sent->sent = t;
        last_began = had[best];
        had[best] += sent->bytes * 4 / now->weight[best];
        link_free = t + sent->bytes;
    }
}

}  // namespace tlmetry::test
