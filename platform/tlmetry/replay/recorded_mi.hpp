// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/replay/pins.hpp>
#include <tlmetry/telemetry/mi_pins.hpp>
#include <tlmetry/wave/vcd_reader.hpp>

#include <cstdint>
#include <optional>

namespace tlmetry::replay {

/// Which value of a pin an edge samples when both change at one time stamp.
enum class Sample {
    pre,   ///< the one before: pins are driven by registers of the same clock
    post,  ///< the one after: a bench drives pins right at the edge
};

/// What a master finds on the outputs of the component at a rising edge of MI_CLK: what stood there before
/// it.
struct RecordedAnswer {
    bool known = false;  ///< DRDY is 0 or 1
    bool valid = false;  ///< DRDY
    std::uint32_t data = 0;
    std::uint32_t known_bits = 0;  ///< of the data
};

/// Whether a recording's clock rises in the step in which the reader stands. The first 1 after an unknown
/// value is no edge.
bool rises(const wave::VcdReader& reader, PinHandles::Handle clock);

/// The MI bus in a recording, at the rising edges of its clock.
class RecordedMi {
public:
    /// Throws UserError for a bus without its clock, address or data.
    RecordedMi(const wave::VcdReader& reader, const PinHandles& handles, Sample sample);

    /// The recording holds accesses.
    bool has_traffic() const { return m_rd || m_wr; }
    /// The recording holds what the component answered.
    bool has_answers() const { return m_rd && m_drdy && m_drd; }

    // Of the step in which the reader stands, which has a rising edge of MI_CLK.
    telemetry::MiInputs inputs() const;
    RecordedAnswer answer() const;

private:
    using Handle = PinHandles::Handle;
    std::uint32_t input(const std::optional<Handle>& pin) const;

    const wave::VcdReader& m_reader;
    Sample m_sample;
    std::optional<Handle> m_reset, m_rd, m_wr, m_addr, m_dwr, m_drdy, m_drd;
};

}  // namespace tlmetry::replay
