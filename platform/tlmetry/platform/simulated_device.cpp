// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/platform/simulated_device.hpp"

#include <tlmetry/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tlmetry::platform {

namespace {

/// Carries out an access; one that the bus refuses is the software's mistake, in the words of the bus.
template <class Access>
auto on_bus(const Access& access) {
    try {
        return access();
    } catch (const mi::BusError& error) {
        throw UserError(error.what());
    }
}

}  // namespace

std::uint32_t SimulatedBus::read32(std::uint32_t address) {
    return on_bus([&] { return m_initiator.read32(m_base + address); });
}

void SimulatedBus::write32(std::uint32_t address, std::uint32_t value) {
    on_bus([&] { m_initiator.write32(m_base + address, value); });
}

std::vector<std::uint32_t> SimulatedBus::read_block(std::uint32_t address, std::size_t bytes) {
    std::vector<std::uint8_t> data(bytes);
    on_bus([&] { m_initiator.read_block(m_base + address, data.data(), static_cast<std::uint32_t>(bytes)); });
    std::vector<std::uint32_t> words(bytes / 4);
    for (std::size_t i = 0; i < words.size(); ++i) {
        for (unsigned lane = 0; lane < 4; ++lane)
            words[i] |= std::uint32_t{data[4 * i + lane]} << (8 * lane);
    }
    return words;
}

double SimulatedClock::now() {
    return static_cast<double>(m_initiator.now()) / static_cast<double>(fs_per_s);
}

void SimulatedClock::sleep(double seconds) {
    const auto duration = static_cast<time_fs>(std::llround(seconds * static_cast<double>(fs_per_s)));
    const time_fs end = m_initiator.now() + duration;
    while (m_initiator.now() < end && m_watch(m_initiator.now())) {
        m_initiator.sleep(std::min(m_piece_fs, end - m_initiator.now()));
    }
}

}  // namespace tlmetry::platform
