// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/replay/pins.hpp>
#include <tlmetry/wave/vcd_reader.hpp>

#include <cstdint>
#include <optional>

namespace tlmetry::replay {

/// Which value of a pin an edge samples when both change at one time stamp.
enum class Sample {
    pre,   ///< the one before: pins are driven by registers of the same clock
    post,  ///< the one after: a bench drives pins right at the edge
};

/// What a rising edge of MI_CLK finds on the pins of the bus.
struct MiSample {
    bool reset = false;
    bool read = false;
    bool write = false;
    std::uint32_t address = 0;
    std::uint32_t data = 0;  ///< to be written

    // Outputs of the component: what stood there before the edge.
    bool answer_known = false;  ///< DRDY is 0 or 1
    bool answer = false;
    std::uint32_t answer_data = 0;
    std::uint32_t answer_known_bits = 0;
};

/// The pins of the MI bus in a recording, seen edge by edge.
class MiPins {
public:
    /// Throws UserError for a bus without its clock, address or data.
    MiPins(const wave::VcdReader& reader, const PinHandles& handles, Sample sample);

    /// The recording holds accesses.
    bool has_traffic() const { return m_rd || m_wr; }
    /// The recording holds what the component answered.
    bool has_answers() const { return m_rd && m_drdy && m_drd; }

    /// Of the step in which the reader stands, which has a rising edge of MI_CLK.
    MiSample sample() const;

private:
    using Handle = PinHandles::Handle;
    std::uint32_t input(const std::optional<Handle>& pin) const;

    const wave::VcdReader& m_reader;
    Sample m_sample;
    std::optional<Handle> m_reset, m_rd, m_wr, m_addr, m_dwr, m_drdy, m_drd;
};

/// A read passes two registers: sampled at one edge, answered (DRDY, DRD) from the next edge on, so that a
/// master finds the answer at the one after.
template <class Read>
class AnswerPipeline {
public:
    /// What a master finds at this edge; call it once an edge, then put() what the edge samples.
    const std::optional<Read>& answer() const { return m_answer; }
    void put(bool reset, const std::optional<Read>& read) {
        m_answer = reset ? std::nullopt : m_sampled;
        m_sampled = reset ? std::nullopt : read;
    }

private:
    std::optional<Read> m_sampled;
    std::optional<Read> m_answer;
};

}  // namespace tlmetry::replay
