// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/device_tree.hpp"

#include <tlmetry/regs/telemetry_registers.hpp>

#include <libfdt.h>

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <stdexcept>

namespace tlmetry::device {

namespace {

constexpr std::uint32_t component_version = 0x0001'0000;
constexpr std::size_t enough_bytes = 0x10000;

/// Writes nodes and properties one after another.
class Writer {
public:
    Writer() : m_blob(enough_bytes) {
        check(fdt_create(m_blob.data(), static_cast<int>(m_blob.size())));
        check(fdt_finish_reservemap(m_blob.data()));
        begin("");
    }

    void begin(const std::string& node) { check(fdt_begin_node(m_blob.data(), node.c_str())); }
    void end() { check(fdt_end_node(m_blob.data())); }

    void text(const char* name, const std::string& value) {
        check(fdt_property(m_blob.data(), name, value.c_str(), static_cast<int>(value.size() + 1)));
    }
    void number(const char* name, std::uint32_t value) {
        check(fdt_property_u32(m_blob.data(), name, value));
    }
    /// How `reg` of the nodes inside is made up: a pair of numbers.
    void cells() {
        number("#address-cells", 1);
        number("#size-cells", 1);
    }
    void wide(const char* name, std::uint64_t value) { check(fdt_property_u64(m_blob.data(), name, value)); }
    void pair(const char* name, std::uint32_t first, std::uint32_t second) {
        wide(name, std::uint64_t{first} << 32 | second);
    }

    std::vector<std::uint8_t> finish() {
        end();
        check(fdt_finish(m_blob.data()));
        m_blob.resize(static_cast<std::size_t>(fdt_totalsize(m_blob.data())));
        return std::move(m_blob);
    }

private:
    static void check(int result) {
        if (result < 0) throw std::logic_error(std::string("device tree: ") + fdt_strerror(result));
    }

    std::vector<std::uint8_t> m_blob;
};

/// The code of a speed in the configuration space of a card: 0x14 for 2.5 GT/s, then one more each.
std::uint32_t speed_code(std::uint32_t generation) {
    return 0x13 + generation;
}

std::string pci_slot(std::uint32_t endpoint) {
    char text[32];
    std::snprintf(text, sizeof text, "0000:%02x:00.0", endpoint + 1);
    return text;
}

}  // namespace

std::vector<std::uint8_t> device_tree(const SimulatedCard::Config& config, const std::string& shape) {
    Writer tree;
    tree.begin("board");
    tree.text("board-name", "tlmetry");
    tree.number("serial-number", static_cast<std::uint32_t>(config.seed));
    tree.wide("fpga-uid", config.seed);
    tree.end();

    tree.begin("firmware");
    tree.text("card-name", "tlmetry");
    tree.text("project-name", "PCIE_TELEMETRY");
    tree.text("project-variant", shape);
    tree.text("project-version", TLMETRY_VERSION);
    tree.text("build-tool", "tlmetry");
    tree.text("build-author", "simulated");
    tree.text("build-revision", TLMETRY_VERSION);
    tree.number("build-time", TLMETRY_BUILD_TIME);
    tree.cells();
    tree.begin("mi_bus0");
    tree.cells();
    tree.text("compatible", "netcope,bus,mi");
    tree.pair("reg", 0, mi_bus_bytes);
    tree.text("resource", "PCI0,BAR0");
    tree.number("width", 0x20);
    tree.begin("pcie_telemetry_mi");
    tree.text("compatible", "cesnet,ofm,pcie_telemetry_mi");
    tree.pair("reg", telemetry_base, regs::component_bytes);
    tree.number("version", component_version);
    tree.number("pcie-endpoints", config.generics.pcie_endpoints);
    tree.end();
    tree.end();
    tree.end();

    tree.begin("system");
    tree.begin("device");
    tree.number("card-id", 0);
    for (std::uint32_t e = 0; e < config.generics.pcie_endpoints; ++e) {
        tree.begin("endpoint" + std::to_string(e));
        tree.text("pci-slot", pci_slot(e));
        tree.number("pci-speed", speed_code(config.card.link.generation));
        tree.number("pcie-link-width", config.card.link.lanes);
        tree.number("numa-node", 0);
        tree.end();
    }
    tree.end();
    tree.end();

    tree.begin("drivers");
    tree.begin("mi");
    tree.begin("PCI0,BAR0");
    tree.wide("mmap_base", 0);
    tree.wide("mmap_size", mi_bus_bytes);
    tree.end();
    tree.end();
    tree.end();
    return tree.finish();
}

}  // namespace tlmetry::device
