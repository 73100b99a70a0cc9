// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/link_tap.hpp"

namespace tlmetry::ptt {

LinkTap::LinkTap(card::Card& card)
    : m_card(card), m_host(card.host_model()), m_queues(std::size_t{2} * card.endpoints()) {
    card.listen(*this);
    for (std::uint32_t e = 0; e < card.endpoints(); ++e)
        card.endpoint_to_watch(e).watch_sent(&m_queues[2 * e + 1].tlps, static_cast<std::uint16_t>(e));
}

void LinkTap::release() {
    m_card.listen(m_host);
    for (std::uint32_t e = 0; e < m_card.endpoints(); ++e)
        m_card.endpoint_to_watch(e).watch_sent(nullptr, 0);
}

std::size_t LinkTap::serve(std::uint32_t endpoint, const endpoint::Arrival* first,
                           const endpoint::Arrival* last, endpoint::Answer* answers) {
    std::vector<LinkTlp>& tlps = m_queues[std::size_t{2} * endpoint].tlps;
    for (const endpoint::Arrival* arrival = first; arrival != last; ++arrival) {
        LinkTlp& tlp = tlps.emplace_back();
        tlp.at = arrival->at;
        tlp.address = arrival->address;
        tlp.length = arrival->length;
        tlp.tag = arrival->tag;
        tlp.endpoint = static_cast<std::uint16_t>(endpoint);
        tlp.kind = arrival->read ? LinkTlp::Kind::read : LinkTlp::Kind::write;
        tlp.inbound = true;
        tlp.flags = arrival->flags & 3;
    }
    return m_host.serve(endpoint, first, last, answers);
}

}  // namespace tlmetry::ptt
