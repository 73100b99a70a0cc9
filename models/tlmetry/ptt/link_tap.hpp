// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/card.hpp>
#include <tlmetry/endpoint/link_tlp.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tlmetry::ptt {

using endpoint::LinkTlp;

/// Every TLP on the links of a card, in the order of time: a listener in front of the host for what goes
/// there, and on the endpoints for the rest.
class LinkTap : public endpoint::HostModel {
public:
    /// The card must not be advanced after this object's end, unless release() has been called.
    explicit LinkTap(card::Card& card);
    LinkTap(const LinkTap&) = delete;
    LinkTap& operator=(const LinkTap&) = delete;

    /// Listens no longer.
    void release();

    /// Everything before time `t`, up to which the card has been advanced, that has not been taken yet. It
    /// stays until the next call.
    struct Tlps {
        const LinkTlp* begin;
        const LinkTlp* end;
    };
    Tlps take_before(time_fs t);

    // What the host is asked.
    std::size_t serve(std::uint32_t number, const endpoint::Arrival* first, const endpoint::Arrival* last,
                      endpoint::Answer* to_reads) override;
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
    /// Some TLPs of one link, in the order of time.
    struct Queue {
        std::vector<LinkTlp> tlps;
        std::size_t taken = 0;
    };

    enum Which : std::size_t { requests, outbound, answers };
    static constexpr std::size_t queues = 3;
    Queue& queue(std::uint32_t endpoint, Which which) { return m_queues[queues * endpoint + which]; }

    card::Card& m_card;
    endpoint::HostModel& m_host;
    std::vector<Queue> m_queues;  // of the endpoints
    std::vector<Tlps> m_runs;     // each in the order of time
    std::vector<LinkTlp> m_merged;
    std::vector<LinkTlp> m_merging;
};

}  // namespace tlmetry::ptt
