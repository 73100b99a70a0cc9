// SPDX-License-Identifier: BSD-3-Clause
#include "../sw/files.hpp"
#include "cards.hpp"

#include <tlmetry/device/device_tree.hpp>

#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>

using namespace tlmetry;
using Catch::Contains;

namespace {

device::SimulatedCard::Config two_endpoints() {
    device::SimulatedCard::Config config = test::idle_card();
    config.generics.pcie_endpoints = 2;
    config.clocks.pcie.push_back(config.clocks.pcie.front());
    config.card.link.generation = 4;
    config.card.link.lanes = 8;
    config.seed = 0x1234;
    return config;
}

}  // namespace

// dtc is not of this project: it reads the tree as any software would.
TEST_CASE("dtc reads every node and property of the device tree") {
    test::TemporaryFolder folder;
    const auto tree = device::device_tree(two_endpoints(), "shape");
    std::ofstream(folder.path("card.dtb"), std::ios::binary)
        .write(reinterpret_cast<const char*>(tree.data()), static_cast<std::streamsize>(tree.size()));
    const std::string command =
        // Software looks for nodes by names without an address.
        "dtc -W no-unit_address_vs_reg -I dtb -O dts " + folder.path("card.dtb") + " >" +
        folder.path("card.dts") + " 2>" + folder.path("warnings");
    REQUIRE(std::system(command.c_str()) == 0);
    const std::string source = test::read_file(folder.path("card.dts"));
    CHECK(test::read_file(folder.path("warnings")) == "");
    const std::string version = TLMETRY_VERSION;
    char build_time[16];
    std::snprintf(build_time, sizeof build_time, "<0x%x>", TLMETRY_BUILD_TIME);
    CHECK(TLMETRY_BUILD_TIME > 1'700'000'000);
    CHECK(source ==
          "/dts-v1/;\n\n/ {\n\n"
          "\tboard {\n"
          "\t\tboard-name = \"tlmetry\";\n"
          "\t\tserial-number = <0x1234>;\n"
          "\t\tfpga-uid = <0x00 0x1234>;\n"
          "\t};\n\n"
          "\tfirmware {\n"
          "\t\tcard-name = \"tlmetry\";\n"
          "\t\tproject-name = \"PCIE_TELEMETRY\";\n"
          "\t\tproject-variant = \"shape\";\n"
          "\t\tproject-version = \"" +
              version +
              "\";\n"
              "\t\tbuild-tool = \"tlmetry\";\n"
              "\t\tbuild-author = \"simulated\";\n"
              "\t\tbuild-revision = \"" +
              version +
              "\";\n"
              "\t\tbuild-time = " +
              build_time +
              ";\n"
              "\t\t#address-cells = <0x01>;\n"
              "\t\t#size-cells = <0x01>;\n\n"
              "\t\tmi_bus0 {\n"
              "\t\t\t#address-cells = <0x01>;\n"
              "\t\t\t#size-cells = <0x01>;\n"
              "\t\t\tcompatible = \"netcope,bus,mi\";\n"
              "\t\t\treg = <0x00 0x40000>;\n"
              "\t\t\tresource = \"PCI0,BAR0\";\n"
              "\t\t\twidth = <0x20>;\n\n"
              "\t\t\tpcie_telemetry_mi {\n"
              "\t\t\t\tcompatible = \"cesnet,ofm,pcie_telemetry_mi\";\n"
              "\t\t\t\treg = <0x20000 0x10000>;\n"
              "\t\t\t\tversion = <0x10000>;\n"
              "\t\t\t\tpcie-endpoints = <0x02>;\n"
              "\t\t\t};\n\t\t};\n\t};\n\n"
              "\tsystem {\n\n"
              "\t\tdevice {\n"
              "\t\t\tcard-id = <0x00>;\n\n"
              "\t\t\tendpoint0 {\n"
              "\t\t\t\tpci-slot = \"0000:01:00.0\";\n"
              "\t\t\t\tpci-speed = <0x17>;\n"
              "\t\t\t\tpcie-link-width = <0x08>;\n"
              "\t\t\t\tnuma-node = <0x00>;\n"
              "\t\t\t};\n\n"
              "\t\t\tendpoint1 {\n"
              "\t\t\t\tpci-slot = \"0000:02:00.0\";\n"
              "\t\t\t\tpci-speed = <0x17>;\n"
              "\t\t\t\tpcie-link-width = <0x08>;\n"
              "\t\t\t\tnuma-node = <0x00>;\n"
              "\t\t\t};\n\t\t};\n\t};\n\n"
              "\tdrivers {\n\n"
              "\t\tmi {\n\n"
              "\t\t\tPCI0,BAR0 {\n"
              "\t\t\t\tmmap_base = <0x00 0x00>;\n"
              "\t\t\t\tmmap_size = <0x00 0x40000>;\n"
              "\t\t\t};\n\t\t};\n\t};\n};\n");
}
