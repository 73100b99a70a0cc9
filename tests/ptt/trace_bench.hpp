// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/ptt/registers.hpp>
#include <tlmetry/ptt/trace_unit.hpp>
#include <tlmetry/ptt_driver/trace_driver.hpp>
#include <tlmetry/ptt_driver/unit_bus.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::test {

/// A trace unit with memory for its ring.
struct TraceBench : ptt::UnitBus {
    static constexpr std::uint64_t base = 0x12'3400'0000;

    TraceBench(const ptt::TraceUnit::Config& config, std::uint32_t buffer_bytes)
        : bytes(buffer_bytes),
          memory(std::size_t{buffer_bytes} * ptt::reg::buffers),
          unit(config, [this](std::uint64_t address, std::uint32_t size) -> std::uint8_t* {
              if (address < base || address + size > base + memory.size()) return nullptr;
              return memory.data() + (address - base);
          }) {
        unit.on_interrupt([this](time_fs at) { interrupts.push_back(at); });
    }

    std::uint32_t read32(std::uint32_t offset) override { return unit.read(offset).value_or(0); }
    void write32(std::uint32_t offset, std::uint32_t value) override { unit.write(offset, value); }

    void pass(const endpoint::LinkTlp& tlp) { unit.pass(&tlp, &tlp + 1); }
    void pass(const std::vector<endpoint::LinkTlp>& tlps) {
        unit.pass(tlps.data(), tlps.data() + tlps.size());
    }

    std::array<ptt::DmaBuffer, ptt::reg::buffers> ring() {
        std::array<ptt::DmaBuffer, ptt::reg::buffers> result;
        for (std::size_t b = 0; b < result.size(); ++b)
            result[b] = {base + b * bytes, memory.data() + b * bytes};
        return result;
    }
    /// Sets the unit as a driver does, without one.
    void start(std::uint32_t ctrl) {
        write32(ptt::reg::trace_ctrl, ptt::reg::ctrl_reset);
        write32(ptt::reg::trace_addr_size, bytes);
        for (std::uint32_t b = 0; b < ptt::reg::buffers; ++b) {
            const std::uint64_t address = base + std::uint64_t{b} * bytes;
            write32(ptt::reg::trace_addr_base + 8 * b, static_cast<std::uint32_t>(address));
            write32(ptt::reg::trace_addr_base + 8 * b + 4, static_cast<std::uint32_t>(address >> 32));
        }
        write32(ptt::reg::trace_int_stat, ptt::reg::all_buffers);
        write32(ptt::reg::trace_int_mask, 0);
        write32(ptt::reg::trace_ctrl, ctrl | ptt::reg::ctrl_enable);
    }

    std::uint32_t bytes;
    std::vector<std::uint8_t> memory;
    std::vector<time_fs> interrupts;
    ptt::TraceUnit unit;
};

}  // namespace tlmetry::test
