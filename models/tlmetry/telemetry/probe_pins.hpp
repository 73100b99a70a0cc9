// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <cstdint>
#include <vector>

namespace tlmetry::telemetry {

/// Words of a vector pin, 64 bits each, lowest bits first. Null: there is no such pin, it reads as zero.
using PinWords = const std::uint64_t*;

/// `width` bits (at most 64) of a vector pin from bit `lsb` on.
inline std::uint64_t pin_bits(PinWords words, std::uint32_t lsb, std::uint32_t width) {
    if (words == nullptr || width == 0) return 0;
    const std::uint32_t shift = lsb % 64;
    std::uint64_t value = words[lsb / 64] >> shift;
    if (shift + width > 64) value |= words[lsb / 64 + 1] << (64 - shift);
    return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

/// The MFB pins of one probe, all its buses in one vector as in the documentation, bus 0 in the lowest bits.
struct MfbVectors {
    PinWords sof = nullptr;
    PinWords eof = nullptr;
    PinWords eof_pos = nullptr;
    PinWords src_rdy = nullptr;
    PinWords dst_rdy = nullptr;
};

/// The MVB pins of the DMA probe.
struct MvbVectors {
    PinWords vld = nullptr;
    PinWords src_rdy = nullptr;
    PinWords dst_rdy = nullptr;
};

/// The buses of one probe as vectors of pins: tells the probe those that show something new.
class ProbePins {
public:
    /// The PCIe or the DMA probe of an endpoint of `core`, which must outlive this object.
    ProbePins(Telemetry& core, std::uint32_t endpoint, bool pcie);

    std::uint32_t buses() const { return static_cast<std::uint32_t>(m_buses.size()); }
    std::uint32_t regions() const { return m_regions; }
    std::uint32_t eof_pos_width() const { return m_eof_pos_width; }

    /// From cycle `from` of the probe's clock on the pins show this. Cycles must not go back.
    void tell_mfb(cycle_t from, const MfbVectors& pins);
    void tell_mvb(cycle_t from, const MvbVectors& pins);

private:
    /// A bus as told.
    struct Bus {
        BusShape shape;
        std::uint64_t src_rdy = 0, dst_rdy = 0, sof = 0, eof = 0;
        std::vector<std::uint64_t> eof_pos;  // packed
        std::uint64_t mvb_src_rdy = 0, mvb_dst_rdy = 0, mvb_vld = 0;
    };

    Probe& m_probe;
    std::uint32_t m_regions;
    std::uint32_t m_eof_pos_width;
    std::vector<Bus> m_buses;
    MfbPins m_word;  // to be decoded
};

/// The settings pins of an endpoint as StatusPins holds them.
std::uint32_t settings_of_pins(std::uint32_t mps, std::uint32_t mrrs, bool ext_tag_en, bool tag_10b_req_en,
                               bool rcb_size, bool link_up);

}  // namespace tlmetry::telemetry
