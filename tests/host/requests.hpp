// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/host/root_complex.hpp>

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

namespace tlmetry::host {

inline constexpr time_fs ns = fs_per_ns;

inline endpoint::Arrival read_at(time_fs t, std::uint64_t address = 0, std::uint32_t length = 64) {
    endpoint::Arrival arrival;
    arrival.at = t;
    arrival.address = address;
    arrival.length = length;
    arrival.read = true;
    return arrival;
}

inline endpoint::Arrival write_at(time_fs t, std::uint64_t address = 0, std::uint32_t length = 64,
                                  std::uint8_t flags = 0) {
    endpoint::Arrival arrival = read_at(t, address, length);
    arrival.read = false;
    arrival.flags = flags;
    return arrival;
}

/// Constant latency and nothing else.
inline Config plain(time_fs latency_fs) {
    Config config;
    config.latency_fs = latency_fs;
    return config;
}

/// Sources that keep a number of requests under way, or send one every `period` whatever happens.
class Sources {
public:
    explicit Sources(RootComplex& host) : m_host(host) {}

    void keep(std::uint32_t endpoint, bool read, std::uint32_t length, int outstanding) {
        m_done.push_back(0);
        for (int i = 0; i < outstanding; ++i)
            m_next.push({0, m_sources.size(), 0});
        m_sources.push_back({endpoint, read, length, 0});
    }
    void every(time_fs period, std::uint32_t endpoint, bool read, std::uint32_t length) {
        m_done.push_back(0);
        m_next.push({0, m_sources.size(), 0});
        m_sources.push_back({endpoint, read, length, period});
    }

    /// Everything that arrives before `end`. Only what is done at `warm` or later counts.
    void run(time_fs end, time_fs warm = 0) {
        while (std::get<0>(m_next.top()) < end) {
            const auto [t, s, address] = m_next.top();
            m_next.pop();
            const Source& source = m_sources[s];
            time_fs done = 0;
            if (source.read) {
                m_host.read(source.endpoint, read_at(t, address, source.length));
                done = m_host.line_ready((source.length - 1) / line_bytes);
            } else {
                m_host.write(source.endpoint, write_at(t, address, source.length));
                done = m_host.last_commit(source.endpoint);
            }
            if (done >= warm && done < end) m_done[s] += source.length;
            m_next.push({source.period != 0 ? t + source.period : done, s, address + source.length});
        }
    }

    /// Bytes of requests of a source, in the order in which they were added, that counted in the run.
    std::uint64_t done(std::size_t source) const { return m_done[source]; }

private:
    struct Source {
        std::uint32_t endpoint;
        bool read;
        std::uint32_t length;
        time_fs period;
    };
    using Next = std::tuple<time_fs, std::size_t, std::uint64_t>;

    RootComplex& m_host;
    std::vector<Source> m_sources;
    std::vector<std::uint64_t> m_done;
    std::priority_queue<Next, std::vector<Next>, std::greater<>> m_next;
};

/// Bytes in a time as a rate.
inline double rate(std::uint64_t bytes, time_fs t) {
    return static_cast<double>(bytes) * static_cast<double>(fs_per_s) / static_cast<double>(t);
}

}  // namespace tlmetry::host
