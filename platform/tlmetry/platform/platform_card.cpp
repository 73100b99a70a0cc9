// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/platform/platform_card.hpp"

#include <algorithm>

namespace tlmetry::platform {

namespace {

/// Carries out an access; one that the bus refuses is the software's mistake, in the words of the bus.
template <class Access>
void on_bus(const Access& access) {
    try {
        access();
    } catch (const mi::BusError& error) {
        throw device::AccessError(error.what());
    }
}

}  // namespace

void PlatformCard::read(std::uint32_t address, void* data, std::uint32_t bytes) {
    on_bus([&] { m_initiator.read_block(address, data, bytes); });
}

void PlatformCard::write(std::uint32_t address, const void* data, std::uint32_t bytes) {
    on_bus([&] { m_initiator.write_block(address, data, bytes); });
}

double PlatformCard::seconds() const {
    return static_cast<double>(m_initiator.now()) / static_cast<double>(fs_per_s);
}

void PlatformCard::sleep(time_fs duration) {
    const time_fs end = m_initiator.now() + duration;
    while (m_initiator.now() < end && m_watch(m_initiator.now())) {
        m_initiator.sleep(std::min(m_piece_fs, end - m_initiator.now()));
    }
}

}  // namespace tlmetry::platform
