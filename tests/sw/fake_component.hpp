// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/clock.hpp>
#include <tlmetry/driver/layout.hpp>
#include <tlmetry/driver/mi_bus.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace tlmetry::test {

/// Generics of a component, and the registers a component with them shows.
struct Shape {
    std::uint32_t endpoints = 1;
    std::uint32_t dma_ports = 1;
    std::uint32_t pcie_regions = 2;
    std::uint32_t dma_regions = 2;
    std::uint32_t reasons = 6;
    std::uint32_t bands = 4;
    std::uint32_t pcie_histograms = 2;
    std::uint32_t dma_histograms = 0;
    std::uint32_t counter_width = 48;

    std::uint32_t pcie_channels() const {
        return 1 + 2 * (6 + pcie_regions) + reasons + bands * pcie_histograms;
    }
    std::uint32_t dma_channels() const {
        return 1 + 2 * dma_ports * (6 + dma_regions) + bands * dma_histograms;
    }
    std::uint32_t entries() const {
        std::uint32_t entries = 1;
        while (entries < endpoints * (pcie_channels() + dma_channels()))
            entries *= 2;
        return entries;
    }

    driver::RegisterValues registers() const {
        const std::uint32_t per_endpoint = pcie_channels() + dma_channels();
        driver::RegisterValues r;
        r[0x00] = 0x50544C4D;
        r[0x04] = 0x00020000;
        r[0x08] = endpoints | dma_ports << 8 | (2 * endpoints) << 16;
        r[0x0C] = entries() | counter_width << 16 | (per_endpoint & 0xFF) << 24;
        r[0x10] = (pcie_channels() & 0xFF) | 2u << 8 | pcie_regions << 16 |
                  (reasons + bands * pcie_histograms) << 24;
        r[0x14] = (dma_channels() & 0xFF) | (2 * dma_ports) << 8 | dma_regions << 16 |
                  (bands * dma_histograms) << 24;
        r[0x18] = 4096u | 4u << 16;
        r[0x1C] = 0x8000;
        r[0x24] = 0;
        r[0x2C] = pcie_regions | pcie_regions << 8 | dma_regions << 16 | dma_regions << 24;
        r[0x30] = 32u | 32u << 16;
        r[0x34] = bands | pcie_histograms << 8 | dma_histograms << 16;
        r[0x38] = 256u | 1024u << 16;
        r[0x3C] = 32u | 32u << 16;
        for (std::uint32_t i = 0; i < endpoints; ++i) {
            r[0x40 + 4 * i] = 0x26A;
            r[0x80 + 4 * i] = 0x00030076;
            r[0xC0 + 4 * i] = 0x00600280;
        }
        return r;
    }
};

/// A component of the tests: registers and counters anybody may set, commands that only count and stay busy
/// for a number of looks, every access on record.
class FakeComponent : public driver::MiBus {
public:
    explicit FakeComponent(const Shape& shape = {})
        : registers(shape.registers()), counters(shape.entries()) {}

    std::string name() const override { return "fake"; }
    bool posted_writes() const override { return posted; }

    std::uint32_t read32(std::uint32_t address) override {
        accesses.push_back("R " + hex(address));
        if (address >= 0x8000) {
            const std::uint64_t counter = counters.at((address - 0x8000) / 8);
            return static_cast<std::uint32_t>(address % 8 == 0 ? counter : counter >> 32);
        }
        if (address == 0x24) {
            const bool busy = busy_looks > 0;
            if (busy) --busy_looks;
            return registers.at(address) | (busy ? 1u : 0u);
        }
        return registers.at(address);
    }

    void write32(std::uint32_t address, std::uint32_t value) override {
        accesses.push_back("W " + hex(address) + " " + hex(value));
        if ((value & 3) != 0) busy_looks = busy_looks_after_command;
    }

    static std::string hex(std::uint32_t value) {
        char text[16];
        std::snprintf(text, sizeof text, "%02x", value);
        return text;
    }

    driver::RegisterValues registers;
    std::vector<std::uint64_t> counters;
    std::vector<std::string> accesses;
    bool posted = false;
    long busy_looks_after_command = 0;

private:
    long busy_looks = 0;
};

/// Time that passes by sleeping only. `on_sleep` runs when an interval has passed.
class FakeClock : public driver::Clock {
public:
    double now() override { return time; }
    void sleep(double seconds) override {
        time += seconds;
        sleeps.push_back(seconds);
        if (on_sleep) on_sleep();
    }

    double time = 1000.0;
    std::vector<double> sleeps;
    std::function<void()> on_sleep;
};

}  // namespace tlmetry::test
