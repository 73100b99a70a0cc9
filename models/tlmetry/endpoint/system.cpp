// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/system.hpp"

#include <algorithm>

namespace tlmetry::endpoint {

System::System(std::vector<Endpoint*> endpoints, HostModel& host)
    : m_endpoints(std::move(endpoints)), m_host(host), m_turn(never) {
    for (const Endpoint* endpoint : m_endpoints)
        m_turn = std::min(m_turn, endpoint->horizon_fs());
}

void System::advance(time_fs t) {
    while (m_now < t) {
        // What arrives from `t` on may still get lost.
        time_fs known = t;
        for (const Endpoint* endpoint : m_endpoints)
            known = std::min(known, endpoint->next_arrival(m_now));
        serve_host(known);
        // What comes down in this turn was asked for before it, so it is known; and with it all that is
        // returned to the grants of this turn.
        const time_fs end = std::min(t, m_now + m_turn);
        for (Endpoint* endpoint : m_endpoints)
            endpoint->turn(end);
        m_now = end;
    }
    serve_host(t);
}

/// Lets the host see what arrives before `before`, in the order of time; endpoints in their order at equal
/// times.
void System::serve_host(time_fs before) {
    for (;;) {
        time_fs first = before;
        std::size_t from = m_endpoints.size();
        for (std::size_t e = 0; e < m_endpoints.size(); ++e) {
            const RingQueue<Arrival>& arrivals = m_endpoints[e]->arrivals;
            if (!arrivals.empty() && arrivals.front().at < first) {
                first = arrivals.front().at;
                from = e;
            }
        }
        if (from == m_endpoints.size()) return;
        Endpoint& endpoint = *m_endpoints[from];
        const Arrival& arrival = endpoint.arrivals.front();
        const auto number = static_cast<std::uint32_t>(from);
        if (arrival.malformed) {
            // The root port drops it.
            if (arrival.read) endpoint.answer(arrival.tag, never);
        } else if (arrival.read) {
            endpoint.answer(arrival.tag, m_host.read(number, arrival));
        } else {
            m_host.write(number, arrival);
        }
        if (endpoint.has_credits()) {
            const time_fs freed = arrival.malformed ? arrival.at : m_host.freed(number, arrival);
            endpoint.credits_back(freed, arrival);
        }
        endpoint.arrivals.pop();
    }
}

}  // namespace tlmetry::endpoint
