// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// The tune and trace unit of one core of a root complex: its PCI function, and its registers as byte offsets
/// in BAR 2.
namespace tlmetry::ptt::reg {

inline constexpr std::uint16_t vendor_id = 0x19e5;
inline constexpr std::uint16_t device_id = 0xa12e;

inline constexpr std::uint32_t tune_ctrl = 0x000;        ///< code of the event
inline constexpr std::uint32_t tune_data = 0x004;        ///< its level; all ones before it is read
inline constexpr std::uint32_t trace_addr_size = 0x800;  ///< bytes of each buffer
/// Of buffer 0: low, then high; 8 further for the next one.
inline constexpr std::uint32_t trace_addr_base = 0x810;
inline constexpr std::uint32_t trace_ctrl = 0x850;
inline constexpr std::uint32_t trace_int_stat = 0x890;  ///< full buffers, write one to clear
inline constexpr std::uint32_t trace_int_mask = 0x894;  ///< 1: no interrupt
inline constexpr std::uint32_t tune_int_stat = 0x898;   ///< bit 0: busy
inline constexpr std::uint32_t trace_wr_sts = 0x8a0;    ///< bytes [27:0] in buffer [29:28]
inline constexpr std::uint32_t trace_sts = 0x8b0;       ///< bit 0: idle
inline constexpr std::uint32_t device_range = 0xfe0;    ///< highest root port [31:16], lowest [15:0]
inline constexpr std::uint32_t location = 0xfe8;        ///< core [15:0], SICL [31:16]
inline constexpr std::uint32_t bytes = 0x1000;

/// Not in hardware, where it reads as 0: full buffers that were written over before anybody cleared them.
inline constexpr std::uint32_t trace_overwritten = 0x8b8;

inline constexpr unsigned buffers = 4;
inline constexpr std::uint32_t all_buffers = 0xf;

// TRACE_CTRL
inline constexpr std::uint32_t ctrl_enable = 1u << 0;
inline constexpr std::uint32_t ctrl_reset = 1u << 1;
inline constexpr unsigned ctrl_direction = 2;  // 2 bits
inline constexpr unsigned ctrl_type = 4;       // 4 bits
/// Not in hardware: everything of both directions, whatever the direction says.
inline constexpr std::uint32_t ctrl_both_directions = 1u << 13;
inline constexpr std::uint32_t ctrl_eight_dwords = 1u << 14;
inline constexpr std::uint32_t ctrl_filter_requester = 1u << 15;  ///< else root ports
inline constexpr unsigned ctrl_target = 16;                       // 16 bits

inline constexpr std::uint32_t sts_idle = 1;
inline constexpr std::uint32_t tune_busy = 1;
inline constexpr unsigned wr_sts_buffer = 28;
inline constexpr std::uint32_t tune_read = 0xffff'ffff;  ///< in TUNE_DATA
inline constexpr std::uint32_t tune_level = 0xffff;      ///< bits of TUNE_DATA

/// Bit of a root port in a filter, by its bus, device and function.
constexpr std::uint16_t root_port_bit(std::uint16_t root_port) {
    return static_cast<std::uint16_t>(1u << ((root_port >> 3 & 7) * 2));
}

}  // namespace tlmetry::ptt::reg
