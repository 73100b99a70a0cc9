// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/ptt/registers.hpp>
#include <tlmetry/ptt/trace_config.hpp>
#include <tlmetry/ptt_driver/unit_bus.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace tlmetry::ptt {

/// A buffer in host memory that the unit can write to.
struct DmaBuffer {
    std::uint64_t bus_address = 0;
    std::uint8_t* data = nullptr;
};

/// Driver of the trace half: it sets the unit to a configuration, and hands over what the ring of buffers
/// holds, each buffer once and in order, however many have become full at a time.
class TraceDriver {
public:
    static constexpr unsigned buffers = reg::buffers;
    static constexpr std::uint32_t buffer_bytes = 4 << 20;  ///< usual size of each
    /// Takes the memory of a buffer with data that the unit has written, and gives other memory in its place,
    /// or the same when it needs the data no longer.
    using Sink = std::function<std::uint8_t*(std::uint8_t* data, std::size_t bytes)>;

    /// The buffers have `bytes` each, a multiple of the largest record.
    TraceDriver(UnitBus& bus, const std::array<DmaBuffer, buffers>& memory, std::uint32_t bytes);

    /// Begins a trace. Throws UserError when the unit is not idle or not reset in time.
    void start(const TraceConfig& config);
    /// Hands over all full buffers; to be called at each interrupt, or often enough.
    void serve(const Sink& sink);
    /// Ends the trace and hands over the rest.
    void stop(const Sink& sink);

    struct Statistics {
        std::uint64_t bytes = 0;
        std::uint64_t buffers = 0;
        std::uint64_t lost_bytes = 0;  ///< written over before they could be handed over
        std::uint64_t overruns = 0;    ///< times that happened
    };
    const Statistics& statistics() const { return m_statistics; }

    /// The memory that is behind a bus address now; null: none of the buffers begins there.
    std::uint8_t* memory_at(std::uint64_t bus_address) const;

private:
    void hand_over(unsigned buffer, std::size_t bytes, const Sink& sink);

    UnitBus& m_bus;
    std::array<DmaBuffer, buffers> m_memory;
    std::uint32_t m_bytes;
    std::uint32_t m_overwritten = 0;  // buffers, as far as is known
    Statistics m_statistics;
};

}  // namespace tlmetry::ptt
