// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/card.hpp>
#include <tlmetry/endpoint/link_tlp.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tlmetry::ptt {

using endpoint::LinkTlp;

/// Every TLP on the links of a card, in the order of time: a listener in front of the host for what goes
/// there, and on the endpoints for what comes back.
class LinkTap : public endpoint::HostModel {
public:
    /// The card must not be advanced after this object's end, unless release() has been called.
    explicit LinkTap(card::Card& card);
    LinkTap(const LinkTap&) = delete;
    LinkTap& operator=(const LinkTap&) = delete;

    /// Listens no longer.
    void release();

    /// Calls `take` with everything before time `t`, up to which the card has been advanced: some TLPs, one
    /// behind the other, at a time.
    template <class Take>
    void pass(time_fs t, const Take& take) {
        for (;;) {
            Queue* first = nullptr;
            time_fs others = t;  // the first of all the others
            for (Queue& queue : m_queues) {
                const time_fs at = queue.front_at();
                if (at >= t) continue;
                if (first == nullptr || at < first->front_at()) {
                    if (first != nullptr) others = std::min(others, first->front_at());
                    first = &queue;
                } else {
                    others = std::min(others, at);
                }
            }
            if (first == nullptr) break;
            const std::size_t begin = first->next;
            do
                ++first->next;
            while (first->front_at() < others);
            take(first->tlps.data() + begin, first->tlps.data() + first->next);
        }
        for (Queue& queue : m_queues)
            queue.forget_passed();
    }

    // What the host is asked.
    std::size_t serve(std::uint32_t endpoint, const endpoint::Arrival* first, const endpoint::Arrival* last,
                      endpoint::Answer* answers) override;
    bool is_in_any_order(time_fs before) const override { return m_host.is_in_any_order(before); }
    time_fs read(std::uint32_t endpoint, const endpoint::Arrival& arrival) override {
        return m_host.read(endpoint, arrival);
    }
    void write(std::uint32_t endpoint, const endpoint::Arrival& arrival) override {
        m_host.write(endpoint, arrival);
    }
    void dropped(std::uint32_t endpoint, const endpoint::Arrival& arrival) override {
        m_host.dropped(endpoint, arrival);
    }
    time_fs freed(std::uint32_t endpoint, const endpoint::Arrival& arrival) override {
        return m_host.freed(endpoint, arrival);
    }

private:
    /// One direction of one link.
    struct Queue {
        std::vector<LinkTlp> tlps;
        std::size_t next = 0;

        time_fs front_at() const { return next == tlps.size() ? never : tlps[next].at; }
        void forget_passed() {
            tlps.erase(tlps.begin(), tlps.begin() + static_cast<std::ptrdiff_t>(next));
            next = 0;
        }
    };

    card::Card& m_card;
    endpoint::HostModel& m_host;
    std::vector<Queue> m_queues;  // of the endpoints: inbound and outbound
};

}  // namespace tlmetry::ptt
