// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/endpoint.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tlmetry::reference_tables {

/// So many rounds of the same requests, all of them there from the start: a source that saturates.
class RoundsOfRequests : public endpoint::RequestSource {
public:
    RoundsOfRequests(std::vector<endpoint::Request> round, std::uint64_t rounds)
        : m_round(std::move(round)), m_left(rounds) {}

    std::size_t fetch(endpoint::Request* out, std::size_t most, time_fs) override {
        std::size_t count = 0;
        while (count < most && m_left != 0) {
            out[count++] = m_round[m_next];
            if (++m_next == m_round.size()) {
                m_next = 0;
                --m_left;
            }
        }
        return count;
    }
    void read_done(std::uint64_t, time_fs t) override { reads_done.push_back(t); }

    std::vector<time_fs> reads_done;  ///< when the last completion of each read was at the DMA port

private:
    std::vector<endpoint::Request> m_round;
    std::uint64_t m_left;
    std::size_t m_next = 0;
};

/// One endpoint with one DMA port, its source, and a host that answers whatever it is asked, always after the
/// same time: a read across a 4 KiB boundary as well, as the hosts of the measured tables did.
class Simulation {
public:
    Simulation(const endpoint::Config& config, time_fs pcie_period_fs, time_fs dma_period_fs,
               RoundsOfRequests source);
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /// Decides everything whose time is before `t`.
    void advance(time_fs t);
    time_fs now() const { return m_now; }
    /// Forgets what happened on the buses and in the tag manager.
    void forget_logs();

    endpoint::Endpoint& endpoint() { return m_endpoint; }
    const RoundsOfRequests& source() const { return m_source; }
    /// When reads and writes arrived at the host, also some that arrive at now() and later.
    const std::vector<time_fs>& reads() const { return m_reads; }
    const std::vector<time_fs>& writes() const { return m_writes; }

private:
    RoundsOfRequests m_source;
    endpoint::Endpoint m_endpoint;
    std::vector<time_fs> m_reads;
    std::vector<time_fs> m_writes;
    time_fs m_now = 0;
};

}  // namespace tlmetry::reference_tables
