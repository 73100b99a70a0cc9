// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/tool/device.hpp>
#include <tlmetry/tool/register_file.hpp>

namespace tlmetry::tool {

/// A register file as a device. Its counters and registers are those of the first snapshot until a second
/// SNAPSHOT command; its time passes by sleeping only, at once.
class SavedDevice : public Device, private driver::MiBus, private driver::Clock {
public:
    explicit SavedDevice(const std::string& path);

    driver::MiBus& bus() override { return *this; }
    driver::Clock& clock() override { return *this; }
    bool live() const override { return false; }
    std::optional<double> recorded_interval() const override;

private:
    std::string name() const override { return m_path; }
    std::uint32_t read32(std::uint32_t address) override;
    void write32(std::uint32_t address, std::uint32_t value) override;
    std::vector<std::uint32_t> read_block(std::uint32_t address, std::size_t bytes) override;
    bool posted_writes() const override { return false; }

    double now() override { return m_now; }
    void sleep(double seconds) override { m_now += seconds; }

    std::string m_path;
    RegisterFile m_file;
    std::size_t m_snapshots_taken = 0;
    double m_now = 0;
};

}  // namespace tlmetry::tool
