// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/arrival.hpp>
#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/returns.hpp>

#include <algorithm>
#include <cstdint>

namespace tlmetry::endpoint {

/// Flow-control credits of one kind as the transmitter knows them; a capacity of 0 has no end.
class Credits {
public:
    explicit Credits(std::uint32_t capacity) : m_capacity(capacity) {}

    /// When the transmitter has so many; `never` while that is not known.
    time_fs when(std::uint32_t credits) {
        return m_capacity == 0 ? 0 : m_back.when_room(m_capacity, m_taken, bounded(credits));
    }
    void take(std::uint32_t credits) { m_taken += bounded(credits); }
    /// The transmitter knows at time `at` that they are back, not before what came back earlier.
    void give(time_fs at, std::uint32_t credits) {
        if (m_capacity == 0) return;
        m_last = std::max(m_last, at);
        m_back.give(m_last, bounded(credits));
    }
    /// All are there.
    void restart() {
        m_back = Returns();
        m_taken = 0;
        m_last = 0;
    }

private:
    /// A malformed TLP may be larger than any buffer.
    std::uint32_t bounded(std::uint32_t credits) const { return std::min(credits, m_capacity); }

    std::uint32_t m_capacity;
    std::uint64_t m_taken = 0;
    Returns m_back;
    time_fs m_last = 0;
};

/// The receive buffer of a root port, as the transmitter of the endpoint knows it.
class HostCredits {
public:
    explicit HostCredits(const Link& link)
        : m_posted_headers(link.posted_headers),
          m_posted_data(link.posted_data),
          m_nonposted_headers(link.nonposted_headers) {}

    /// When the request can have what it needs; `never` while that is not known.
    time_fs when(const Arrival& request) {
        if (request.read) return m_nonposted_headers.when(1);
        return std::max(m_posted_headers.when(1), m_posted_data.when(data(request)));
    }
    void take(const Arrival& request) {
        if (request.read) {
            m_nonposted_headers.take(1);
        } else {
            m_posted_headers.take(1);
            m_posted_data.take(data(request));
        }
    }
    /// The transmitter knows at time `at` that the request has left the buffer.
    void give(time_fs at, const Arrival& request) {
        if (request.read) {
            m_nonposted_headers.give(at, 1);
        } else {
            m_posted_headers.give(at, 1);
            m_posted_data.give(at, data(request));
        }
    }
    void restart() {
        m_posted_headers.restart();
        m_posted_data.restart();
        m_nonposted_headers.restart();
    }

private:
    /// For all dwords that the payload touches.
    static std::uint32_t data(const Arrival& write) {
        const auto in_dword = static_cast<std::uint32_t>(write.address & 3);
        return (in_dword + write.length + credit_bytes - 1) / credit_bytes;
    }

    Credits m_posted_headers;
    Credits m_posted_data;
    Credits m_nonposted_headers;
};

}  // namespace tlmetry::endpoint
