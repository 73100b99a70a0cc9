// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/faults.hpp"

#include <tlmetry/regs/telemetry_registers.hpp>

namespace tlmetry::device {

namespace {

constexpr std::uint32_t million = 1'000'000;

}  // namespace

std::uint32_t FaultyDevice::read(cycle_t edge, std::uint32_t address) {
    std::uint32_t word = m_device.read(edge, address);
    if ((address & regs::counter_window) == 0) {
        const std::uint32_t offset = address % regs::registers_end;
        if (offset == regs::magic && m_faults.bad_magic) word = ~word;
        if (offset == regs::version && m_faults.wrong_version) word += regs::fields::version::major.make(1);
        if (offset == regs::status && m_faults.stuck_busy) word |= regs::fields::status::busy.mask();
    }
    if (m_faults.bit_errors_ppm != 0 && m_random.chance(m_faults.bit_errors_ppm, million))
        word ^= 1U << m_random.below(32);
    if (m_faults.all_ones_ppm != 0 && m_random.chance(m_faults.all_ones_ppm, million)) word = ~0U;
    return word;
}

}  // namespace tlmetry::device
