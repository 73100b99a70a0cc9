// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/platform/platform_card.hpp"

#include <tlmetry/base/quantity.hpp>

#include <algorithm>
#include <string>

namespace tlmetry::platform {

namespace {

using device::AccessError;
using device::end_of_time;

/// Carries out an access at `now`. One that the bus refuses is the software's mistake.
template <class OnBus>
void carry_out(time_fs now, const device::SoftwareAccess& access, const OnBus& on_bus) {
    if (now >= end_of_time && access.bytes != 0) {
        throw AccessError(access.text() + ": expected a time before " + format_time(end_of_time) +
                          ", the end of simulated time");
    }
    try {
        on_bus();
    } catch (const mi::BusError& error) {
        if (error.status() != tlm::TLM_ADDRESS_ERROR_RESPONSE) throw AccessError(error.what());
        throw device::outside_component(access);
    }
}

}  // namespace

void PlatformCard::read(std::uint32_t address, void* data, std::uint32_t bytes) {
    carry_out(now(), {false, address, bytes}, [&] { m_initiator.read_block(address, data, bytes); });
}

void PlatformCard::write(std::uint32_t address, const void* data, std::uint32_t bytes) {
    carry_out(now(), {true, address, bytes}, [&] { m_initiator.write_block(address, data, bytes); });
}

double PlatformCard::seconds() const {
    return static_cast<double>(m_initiator.now()) / static_cast<double>(fs_per_s);
}

void PlatformCard::sleep(time_fs duration) {
    if (duration > std::max<time_fs>(end_of_time - now(), 0)) {
        throw AccessError("a sleep of " + format_time(duration) + " at " + format_time(now()) +
                          ": expected an end by " + format_time(end_of_time) + ", the end of simulated time");
    }
    const time_fs end = now() + duration;
    while (now() < end && m_watch(now()))
        m_initiator.sleep(std::min(m_piece_fs, end - now()));
}

}  // namespace tlmetry::platform
