// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/tool/saved_device.hpp>

namespace tlmetry::tool {

SavedDevice::SavedDevice(const std::string& path) : m_path(path), m_file(read_register_file(path)) {}

std::optional<double> SavedDevice::recorded_interval() const {
    if (!m_file.has_seconds) return std::nullopt;
    return m_file.seconds.value_or(0.0);
}

std::uint32_t SavedDevice::read32(std::uint32_t address) {
    const driver::RegisterValues& second = m_file.second_registers;
    if (m_snapshots_taken > 1 && second.count(address) != 0) return second.at(address);
    return m_file.registers.at(address);
}

void SavedDevice::write32(std::uint32_t address, std::uint32_t value) {
    if (address != regs::command || regs::fields::command::snapshot.extract(value) == 0) return;
    if (m_snapshots_taken == m_file.snapshots.size())
        throw UserError(
            m_path + ": key \"snapshots\": expected two for an interval, found one (--interval 0 shows it)");
    ++m_snapshots_taken;
}

std::vector<std::uint32_t> SavedDevice::read_block(std::uint32_t, std::size_t bytes) {
    std::vector<std::uint32_t> words;
    words.reserve(bytes / 4);
    for (const std::uint64_t counter : m_file.snapshots.at(m_snapshots_taken - 1)) {
        words.push_back(static_cast<std::uint32_t>(counter));
        words.push_back(static_cast<std::uint32_t>(counter >> 32));
    }
    return words;
}

}  // namespace tlmetry::tool
