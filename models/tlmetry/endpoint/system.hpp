// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/endpoint.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tlmetry::endpoint {

/// When the first data of a read is ready; `never`: the host does not answer it.
struct Answer {
    std::uint32_t tag = 0;
    time_fs ready = 0;
};

/// What is behind the root ports: it is asked in the order in which requests arrive, from all endpoints.
class HostModel {
public:
    virtual ~HostModel() = default;
    /// Takes [first, last), which arrive one after the other from one endpoint, and answers the reads among
    /// them into `answers`, in order; returns their number. Malformed requests are dropped. This asks read()
    /// and write(), in whose place others may take many at once.
    virtual std::size_t serve(std::uint32_t endpoint, const Arrival* first, const Arrival* last,
                              Answer* answers);
    /// Well-formed requests that arrive before `before` may be told by their sum(), those of one endpoint
    /// after those of another. All requests before `from` have been told.
    virtual bool takes_sums(time_fs from, time_fs before) const {
        static_cast<void>(from), static_cast<void>(before);
        return false;
    }
    /// The same as serve() for requests with that sum, `count` reads among them.
    virtual void serve_sum(std::uint32_t endpoint, const RequestSum& sum, const ReadArrival* reads,
                           std::size_t count, Answer* answers) {
        static_cast<void>(endpoint), static_cast<void>(sum), static_cast<void>(reads);
        static_cast<void>(count), static_cast<void>(answers);
    }
    /// What arrives before `before` may be handed over one endpoint after the other.
    virtual bool is_in_any_order(time_fs before) const {
        static_cast<void>(before);
        return false;
    }
    /// When the first data of a read is ready: not before its arrival + Host::least_latency_fs.
    virtual time_fs read(std::uint32_t endpoint, const Arrival& arrival) = 0;
    virtual void write(std::uint32_t endpoint, const Arrival& arrival) = 0;
    /// A malformed one has been dropped.
    virtual void dropped(std::uint32_t endpoint, const Arrival& arrival) {
        static_cast<void>(endpoint), static_cast<void>(arrival);
    }
    /// When that request, which was the last one asked about, leaves the receive buffer, so that its credits
    /// are free: not before its arrival. Asked for where credits are finite.
    virtual time_fs freed(std::uint32_t endpoint, const Arrival& arrival) {
        static_cast<void>(endpoint);
        return arrival.at;
    }
};

/// All endpoints of a card and their host.
class System {
public:
    /// Endpoints and host must live as long as this.
    System(std::vector<Endpoint*> endpoints, HostModel& host);

    /// Decides everything whose time is before `t`; the host has seen what arrives before it.
    void advance(time_fs t);
    time_fs now() const { return m_now; }

    /// Another host, or one that listens in front of it, takes its place; it must live as long as this.
    void set_host(HostModel& host) { m_host = &host; }

private:
    void serve_host(time_fs before);
    void serve(std::size_t number, time_fs before);
    void serve_passed(std::size_t number);

    std::vector<Endpoint*> m_endpoints;
    HostModel* m_host;
    std::vector<Answer> m_answers;
    time_fs m_turn;
    time_fs m_now = 0;
};

}  // namespace tlmetry::endpoint
