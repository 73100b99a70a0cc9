// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/card/topology.hpp>
#include <tlmetry/endpoint/edges.hpp>
#include <tlmetry/endpoint/link_tlp.hpp>
#include <tlmetry/ptt/link_headers.hpp>
#include <tlmetry/ptt/registers.hpp>
#include <tlmetry/ptt/trace_filter.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

namespace tlmetry::ptt {

/// The trace half of the tune and trace unit of one core of a root complex: it writes the headers of TLPs
/// that it is set to into a ring of four buffers in host memory, whether or not somebody reads them.
class TraceUnit {
public:
    struct Config {
        card::Topology topology;
        std::uint32_t core = 0;
        time_fs tick_fs = fs_per_ns;  ///< of the time of records, at least 2
    };
    /// Where the unit writes to: `bytes` from a bus address on, null for none.
    using Memory = std::function<std::uint8_t*(std::uint64_t address, std::uint32_t bytes)>;

    TraceUnit(const Config& config, Memory memory);

    /// Calls `interrupt` whenever a buffer becomes full whose interrupt is not masked.
    void on_interrupt(std::function<void(time_fs at)> interrupt) { m_interrupt = std::move(interrupt); }

    /// Nothing for a register of another part of the unit.
    std::optional<std::uint32_t> read(std::uint32_t offset) const;
    void write(std::uint32_t offset, std::uint32_t value);

    /// The memory behind bus addresses is another one now.
    void memory_changed() { point_to_buffer(); }

    /// It is enabled: without that nothing needs to be told.
    bool enabled() const { return (m_ctrl & reg::ctrl_enable) != 0; }
    /// The next TLPs in the order of time.
    void pass(const LinkTlp* first, const LinkTlp* last);

    struct Statistics {
        std::uint64_t seen = 0;
        std::uint64_t traced = 0;
        std::uint64_t full_buffers = 0;
        std::uint64_t overwritten_buffers = 0;  ///< full ones, before they were cleared
        std::uint64_t unwritable = 0;           ///< records that had no memory to go to
    };
    const Statistics& statistics() const { return m_statistics; }

private:
    void restart();
    void point_to_buffer();
    template <Format format>
    void pass_all(const LinkTlp* first, const LinkTlp* last);
    void next_buffer(time_fs at);

    const Config m_config;
    const LinkHeaders m_headers;
    const endpoint::Divisor m_ticks;
    Memory m_memory;
    std::function<void(time_fs)> m_interrupt;
    std::uint32_t m_size = 0;
    std::array<std::uint64_t, reg::buffers> m_bases{};
    std::uint32_t m_ctrl = 0;
    TraceFilter m_filter;
    std::uint32_t m_int_stat = 0;
    std::uint32_t m_int_mask = 0;
    std::uint32_t m_buffer = 0;
    std::uint32_t m_bytes = 0;
    std::uint8_t* m_to = nullptr;  // the current buffer
    std::uint32_t m_overwritten = 0;
    Statistics m_statistics;
};

}  // namespace tlmetry::ptt
