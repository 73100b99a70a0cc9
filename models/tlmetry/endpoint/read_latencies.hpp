// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/latency_histogram.hpp>
#include <tlmetry/base/time.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tlmetry::endpoint {

/// How long reads take from their header at the DMA port to their last completion there, and where.
class ReadLatencies {
public:
    enum Stage : std::size_t {
        crossing,   ///< header presented on UP -> at the tag manager
        waiting,    ///< -> granted
        going,      ///< -> at the host: header transform, RQ, link
        host,       ///< -> first data ready
        returning,  ///< -> last completion, header and payload, at the DMA port: link, RC, storage FIFO, DOWN
        whole,      ///< the sum of these
    };
    static constexpr std::size_t stages = 6;

    explicit ReadLatencies(std::uint32_t tags) : m_reads(tags) {}

    /// Forgets all, and counts reads from now on whose header is presented at `from` or later.
    void start(time_fs from) {
        for (LatencyHistogram& histogram : m_histograms)
            histogram.clear();
        m_from = from;
    }

    // What becomes of the read with a tag.
    void granted(std::uint32_t tag, time_fs presented, time_fs at_manager, time_fs granted) {
        m_reads[tag] = {presented, at_manager, granted, 0};
    }
    void answered(std::uint32_t tag, time_fs ready) { m_reads[tag].ready = ready; }
    void done(std::uint32_t tag, time_fs at_host, time_fs at_port) {
        const Read& read = m_reads[tag];
        if (read.presented < m_from) return;
        m_histograms[crossing].add(read.at_manager - read.presented);
        m_histograms[waiting].add(read.granted - read.at_manager);
        m_histograms[going].add(at_host - read.granted);
        m_histograms[host].add(read.ready - at_host);
        m_histograms[returning].add(at_port - read.ready);
        m_histograms[whole].add(at_port - read.presented);
    }

    const LatencyHistogram& of(Stage stage) const { return m_histograms[stage]; }

private:
    struct Read {
        time_fs presented = 0;
        time_fs at_manager = 0;
        time_fs granted = 0;
        time_fs ready = 0;
    };
    std::vector<Read> m_reads;  // by tag
    std::array<LatencyHistogram, stages> m_histograms;
    time_fs m_from = 0;
};

}  // namespace tlmetry::endpoint
