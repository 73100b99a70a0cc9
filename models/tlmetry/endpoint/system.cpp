// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/system.hpp"

#include <algorithm>

namespace tlmetry::endpoint {

std::size_t HostModel::serve(std::uint32_t endpoint, const Arrival* first, const Arrival* last,
                             Answer* answers) {
    std::size_t count = 0;
    for (const Arrival* arrival = first; arrival != last; ++arrival) {
        if (arrival->malformed) {
            // The root port drops it.
            if (arrival->read) answers[count++] = {arrival->tag, never};
            dropped(endpoint, *arrival);
        } else if (arrival->read) {
            answers[count++] = {arrival->tag, read(endpoint, *arrival)};
        } else {
            write(endpoint, *arrival);
        }
    }
    return count;
}

System::System(std::vector<Endpoint*> endpoints, HostModel& host)
    : m_endpoints(std::move(endpoints)), m_host(&host), m_turn(never) {
    for (const Endpoint* endpoint : m_endpoints)
        m_turn = std::min(m_turn, endpoint->horizon_fs());
}

void System::advance(time_fs t) {
    const bool sums = m_host->takes_sums(m_now, t);
    while (m_now < t) {
        // What arrives from `t` on may still get lost.
        time_fs known = t;
        for (const Endpoint* endpoint : m_endpoints) {
            // Who takes sums takes requests in any order.
            if (!sums || endpoint->holds_requests()) known = std::min(known, endpoint->next_arrival(m_now));
        }
        serve_host(known);
        // What comes down in this turn was asked for before it, so it is known; and with it all that is
        // returned to the grants of this turn.
        const time_fs end = std::min(t, m_now + m_turn);
        for (std::size_t e = 0; e < m_endpoints.size(); ++e) {
            m_endpoints[e]->turn(end, t, sums);
            serve_passed(e);
        }
        m_now = end;
    }
    serve_host(t);
}

/// Lets the host see what arrives before `before`, in the order of time; endpoints in their order at equal
/// times.
void System::serve_host(time_fs before) {
    const auto front = [this](std::size_t e) {
        const SlidingQueue<Arrival>& requests = m_endpoints[e]->requests();
        return requests.empty() ? never : requests.front().at;
    };
    for (Endpoint* endpoint : m_endpoints)
        if (endpoint->holds_requests()) endpoint->receive(before);
    if (m_host->is_in_any_order(before)) {
        for (std::size_t e = 0; e < m_endpoints.size(); ++e) {
            while (front(e) < before)
                serve(e, before);
        }
        return;
    }
    for (;;) {
        time_fs first = never;
        std::size_t from = 0;
        for (std::size_t e = 0; e < m_endpoints.size(); ++e) {
            if (front(e) >= first) continue;
            first = front(e);
            from = e;
        }
        if (first >= before) return;
        // As many as come before anything of the others.
        time_fs until = before;
        for (std::size_t e = 0; e < m_endpoints.size(); ++e) {
            if (e != from) until = std::min(until, front(e) + (from < e ? 1 : 0));
        }
        serve(from, until);
    }
}

/// Tells the host of requests by their sum.
void System::serve_passed(std::size_t number) {
    Endpoint& endpoint = *m_endpoints[number];
    Endpoint::Passed& passed = endpoint.passed;
    if (passed.sum.writes == 0 && passed.reads.empty()) return;
    const std::size_t reads = passed.reads.size();
    if (m_answers.size() < reads) m_answers.resize(reads);
    m_host->serve_sum(static_cast<std::uint32_t>(number), passed.sum, passed.reads.begin(), reads,
                      m_answers.data());
    for (std::size_t i = 0; i < reads; ++i)
        endpoint.answer(m_answers[i].tag, m_answers[i].ready);
    passed.sum = {};
    passed.reads.clear();
}

/// Lets the host see what arrives from one endpoint before `before`.
void System::serve(std::size_t number, time_fs before) {
    Endpoint& endpoint = *m_endpoints[number];
    const auto arrived = [before](const Arrival& arrival) { return arrival.at < before; };
    SlidingQueue<Arrival>& requests = endpoint.requests();
    const Arrival* const first = requests.begin();
    const Arrival* last = requests.end();
    if (endpoint.has_credits()) {
        // The host is asked about one at a time.
        last = first + 1;
    } else if (!arrived(last[-1])) {
        last = std::partition_point(first, last, arrived);
    }
    endpoint.arrived(first, last);
    const auto count = static_cast<std::size_t>(last - first);
    if (m_answers.size() < count) m_answers.resize(count);
    const std::size_t answers =
        m_host->serve(static_cast<std::uint32_t>(number), first, last, m_answers.data());
    for (std::size_t i = 0; i < answers; ++i)
        endpoint.answer(m_answers[i].tag, m_answers[i].ready);
    if (endpoint.has_credits())
        endpoint.credits_back(
            first->malformed ? first->at : m_host->freed(static_cast<std::uint32_t>(number), *first), *first);
    requests.pop(count);
}

}  // namespace tlmetry::endpoint
