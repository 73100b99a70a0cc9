// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/link_tap.hpp"

#include <algorithm>

namespace tlmetry::ptt {

namespace {

/// As std::merge, but without a branch on which one is next, which is as good as random.
LinkTlp* merge(LinkTap::Tlps a, LinkTap::Tlps b, LinkTlp* to) {
    while (a.begin != a.end && b.begin != b.end) {
        const bool second = b.begin->at < a.begin->at;
        *to++ = *(second ? b.begin : a.begin);
        a.begin += !second;
        b.begin += second;
    }
    to = std::copy(a.begin, a.end, to);
    return std::copy(b.begin, b.end, to);
}

}  // namespace

LinkTap::LinkTap(card::Card& card)
    : m_card(card), m_host(card.host_model()), m_queues(queues * card.endpoints()) {
    card.listen(*this);
    for (std::uint32_t e = 0; e < card.endpoints(); ++e) {
        endpoint::Endpoint& endpoint = card.endpoint_to_watch(e);
        endpoint.watch_sent(&queue(e, outbound).tlps, static_cast<std::uint16_t>(e));
        endpoint.watch_answers(&queue(e, answers).tlps);
        endpoint.watch_received(&queue(e, requests).tlps);
    }
}

void LinkTap::release() {
    m_card.listen(m_host);
    for (std::uint32_t e = 0; e < m_card.endpoints(); ++e) {
        endpoint::Endpoint& endpoint = m_card.endpoint_to_watch(e);
        endpoint.watch_sent(nullptr, 0);
        endpoint.watch_answers(nullptr);
        endpoint.watch_received(nullptr);
    }
}

LinkTap::Tlps LinkTap::take_before(time_fs t) {
    m_runs.clear();
    std::size_t all = 0;
    for (Queue& queue : m_queues) {
        queue.tlps.erase(queue.tlps.begin(), queue.tlps.begin() + static_cast<std::ptrdiff_t>(queue.taken));
        const auto end = std::partition_point(queue.tlps.begin(), queue.tlps.end(),
                                              [t](const LinkTlp& tlp) { return tlp.at < t; });
        queue.taken = static_cast<std::size_t>(end - queue.tlps.begin());
        if (queue.taken == 0) continue;
        all += queue.taken;
        m_runs.push_back({queue.tlps.data(), queue.tlps.data() + queue.taken});
    }
    if (m_runs.empty()) return {nullptr, nullptr};
    // Pairs of them become one, until there is one.
    while (m_runs.size() != 1) {
        if (m_merging.size() < all) m_merging.resize(all);
        LinkTlp* to = m_merging.data();
        for (std::size_t r = 0; r < m_runs.size(); r += 2) {
            LinkTlp* const begin = to;
            const Tlps second = r + 1 == m_runs.size() ? Tlps{nullptr, nullptr} : m_runs[r + 1];
            to = merge(m_runs[r], second, to);
            m_runs[r / 2] = {begin, to};
        }
        m_runs.resize((m_runs.size() + 1) / 2);
        m_merged.swap(m_merging);
    }
    return m_runs.front();
}

std::size_t LinkTap::serve(std::uint32_t number, const endpoint::Arrival* first,
                           const endpoint::Arrival* last, endpoint::Answer* to_reads) {
    // The endpoint tells of requests that wait in its root port when they arrive there.
    if (!m_card.endpoint(number).holds_requests()) {
        std::vector<LinkTlp>& tlps = queue(number, requests).tlps;
        for (const endpoint::Arrival* arrival = first; arrival != last; ++arrival)
            tlps.push_back(LinkTlp::of(*arrival, static_cast<std::uint16_t>(number)));
    }
    return m_host.serve(number, first, last, to_reads);
}

}  // namespace tlmetry::ptt
