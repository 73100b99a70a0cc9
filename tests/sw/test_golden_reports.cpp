// SPDX-License-Identifier: BSD-3-Clause
// Reports of the original tool, byte for byte, and the order of its accesses.
#include "files.hpp"

#include <tlmetry/tool/run.hpp>
#include <tlmetry/tool/saved_device.hpp>

#include <catch2/catch.hpp>

#include <cstdio>
#include <sstream>

using namespace tlmetry;

namespace {

/// Writes every access of another bus down.
class LoggingBus : public driver::MiBus {
public:
    explicit LoggingBus(driver::MiBus& bus) : m_bus(bus) {}

    std::string name() const override { return m_bus.name(); }
    bool posted_writes() const override { return m_bus.posted_writes(); }
    std::uint32_t read32(std::uint32_t address) override {
        note("R 0x%04x 4\n", address, 0);
        return m_bus.read32(address);
    }
    void write32(std::uint32_t address, std::uint32_t value) override {
        note("W 0x%04x 4 0x%08x\n", address, value);
        m_bus.write32(address, value);
    }
    std::vector<std::uint32_t> read_block(std::uint32_t address, std::size_t bytes) override {
        note("R 0x%04x %u\n", address, static_cast<unsigned>(bytes));
        return m_bus.read_block(address, bytes);
    }

    std::string log;

private:
    void note(const char* format, unsigned a, unsigned b) {
        char text[64];
        std::snprintf(text, sizeof text, format, a, b);
        log += text;
    }
    driver::MiBus& m_bus;
};

std::string run(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "nfb-pcie-telemetry");
    std::ostringstream out, err;
    const int code = tool::tool_main(static_cast<int>(arguments.size()), arguments.data(),
                                     {tool::open_saved_device}, out, err);
    CHECK(err.str() == "");
    CHECK(code == 0);
    return out.str();
}

}  // namespace

TEST_CASE("reports of the original tool") {
    const std::string name =
        GENERATE("01_ep1_port1", "02_ep2_port2", "03_regions4", "04_region1", "05_zero_counters",
                 "06_lost_and_overrun", "07_link_down", "08_interval0_totals", "09_extra_brakes_hists_bands",
                 "10_narrow_buses");
    const std::string folder = std::string(TLMETRY_TEST_DATA) + "/reports/" + name + "/";
    const std::string file = folder + "registers.json";
    CAPTURE(name);

    CHECK(run({"-d", file.c_str()}) == test::read_file(folder + "report.txt"));
    CHECK(run({"-d", file.c_str(), "--json"}) == test::read_file(folder + "report.json"));
    // The file's own length of the interval beats the option.
    CHECK(run({"-d", file.c_str(), "-t", "7.5"}) == test::read_file(folder + "report.txt"));

    tool::SavedDevice device(file);
    LoggingBus bus(device.bus());
    tool::ToolOptions options;
    options.interval = device.recorded_interval().value();
    std::ostringstream out, err;
    CHECK(tool::run_tool("tlmetry", options, bus, device.clock(), out, err) == 0);
    CHECK(out.str() == test::read_file(folder + "report.txt"));
    CHECK(bus.log == test::read_file(folder + "access.log"));
}
