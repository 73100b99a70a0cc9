// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

namespace tlmetry::ptt {

/// What can be tuned of the root ports of a core, each in levels.
enum class TuneEvent : std::uint8_t {
    qos_tx_cpl,
    qos_tx_np,
    qos_tx_p,
    rx_alloc_buf_level,
    tx_alloc_buf_level
};

struct TuneEventName {
    const char* name;    ///< as in sysfs
    std::uint32_t code;  ///< in TUNE_CTRL
    const char* description;
};
/// By TuneEvent.
inline constexpr std::array<TuneEventName, 5> tune_events{{
    {"qos_tx_cpl", 0x30004, "weight of completions that are sent"},
    {"qos_tx_np", 0x40004, "weight of non-posted requests that are sent"},
    {"qos_tx_p", 0x50004, "weight of posted requests that are sent"},
    {"rx_alloc_buf_level", 0x60005, "watermark of what is received"},
    {"tx_alloc_buf_level", 0x70005, "watermark of what is sent"},
}};

inline constexpr std::uint32_t highest_level = 2;

}  // namespace tlmetry::ptt
