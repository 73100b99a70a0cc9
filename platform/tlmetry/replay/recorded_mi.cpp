// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/replay/recorded_mi.hpp"

#include <tlmetry/base/error.hpp>

namespace tlmetry::replay {

bool rises(const wave::VcdReader& reader, PinHandles::Handle clock) {
    if (reader.now(clock).value[0] == 0) return false;
    const wave::Bits before = reader.before(clock);
    return (before.value[0] | before.unknown[0]) == 0;
}

RecordedMi::RecordedMi(const wave::VcdReader& reader, const PinHandles& handles, Sample sample)
    : m_reader(reader),
      m_sample(sample),
      m_reset(handles.find("mi_reset")),
      m_rd(handles.find("mi_rd")),
      m_wr(handles.find("mi_wr")),
      m_addr(handles.find("mi_addr")),
      m_dwr(handles.find("mi_dwr")),
      m_drdy(handles.find("mi_drdy")),
      m_drd(handles.find("mi_drd")) {
    const auto require = [&](bool there, const char* needed, const char* beside) {
        if (!there) {
            throw UserError(reader.header().source + ": expected the pin " + needed + " beside " + beside +
                            ", found no such signal");
        }
    };
    if (m_drdy || m_drd) require(m_rd.has_value(), "mi_rd", "mi_drd and mi_drdy");
    for (const char* access : {"mi_rd", "mi_wr"}) {
        if (!handles.find(access)) continue;
        require(handles.find("mi_clk").has_value(), "mi_clk", access);
        require(m_addr.has_value(), "mi_addr", access);
    }
    if (m_wr) require(m_dwr.has_value(), "mi_dwr", "mi_wr");
}

std::uint32_t RecordedMi::input(const std::optional<Handle>& pin) const {
    if (!pin) return 0;
    const wave::Bits bits = m_sample == Sample::pre ? m_reader.before(*pin) : m_reader.now(*pin);
    return static_cast<std::uint32_t>(bits.value[0]);
}

telemetry::MiInputs RecordedMi::inputs() const {
    telemetry::MiInputs inputs;
    inputs.reset = input(m_reset) != 0;
    inputs.read = input(m_rd) != 0;
    inputs.write = input(m_wr) != 0;
    if (inputs.read || inputs.write) inputs.address = input(m_addr);
    if (inputs.write) inputs.data = input(m_dwr);
    return inputs;
}

RecordedAnswer RecordedMi::answer() const {
    RecordedAnswer answer;
    const wave::Bits drdy = m_reader.before(*m_drdy);
    answer.known = drdy.unknown[0] == 0;
    answer.valid = drdy.value[0] != 0;
    if (!answer.valid) return answer;
    const wave::Bits drd = m_reader.before(*m_drd);
    answer.data = static_cast<std::uint32_t>(drd.value[0]);
    answer.known_bits = ~static_cast<std::uint32_t>(drd.unknown[0]);
    return answer;
}

}  // namespace tlmetry::replay
