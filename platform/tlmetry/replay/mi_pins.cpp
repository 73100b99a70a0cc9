// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/replay/mi_pins.hpp"

#include <tlmetry/base/error.hpp>

namespace tlmetry::replay {

MiPins::MiPins(const wave::VcdReader& reader, const PinHandles& handles, Sample sample)
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

std::uint32_t MiPins::input(const std::optional<Handle>& pin) const {
    if (!pin) return 0;
    const wave::Bits bits = m_sample == Sample::pre ? m_reader.before(*pin) : m_reader.now(*pin);
    return static_cast<std::uint32_t>(bits.value[0]);
}

MiSample MiPins::sample() const {
    MiSample result;
    result.reset = input(m_reset) != 0;
    result.read = input(m_rd) != 0;
    result.write = input(m_wr) != 0;
    if (result.read || result.write) result.address = input(m_addr);
    if (result.write) result.data = input(m_dwr);
    if (!has_answers()) return result;
    const wave::Bits drdy = m_reader.before(*m_drdy);
    result.answer_known = drdy.unknown[0] == 0;
    result.answer = drdy.value[0] != 0;
    if (!result.answer) return result;
    const wave::Bits drd = m_reader.before(*m_drd);
    result.answer_data = static_cast<std::uint32_t>(drd.value[0]);
    result.answer_known_bits = ~static_cast<std::uint32_t>(drd.unknown[0]);
    return result;
}

}  // namespace tlmetry::replay
