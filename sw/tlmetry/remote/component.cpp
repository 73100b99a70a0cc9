// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/remote/component.hpp>

#include <libfdt.h>

namespace tlmetry::remote {
namespace {

constexpr const char* compatible = "cesnet,ofm,pcie_telemetry_mi";
constexpr int longest_path = 1024;
constexpr int reg_bytes = 8;  // base and size

}  // namespace

Component find_telemetry(const std::vector<std::uint8_t>& device_tree, unsigned index,
                         const std::string& device) {
    const void* tree = device_tree.data();
    if (device_tree.empty() || fdt_check_full(tree, device_tree.size()) != 0)
        throw UserError(device + ": expected a device tree, found " + std::to_string(device_tree.size()) +
                        " bytes of something else");
    int node = -1;
    unsigned found = 0;
    for (;; ++found) {
        node = fdt_node_offset_by_compatible(tree, node, compatible);
        if (node < 0)
            throw UserError(
                device + ": expected " +
                (found == 0 ? "a component " + std::string(compatible) + " in the device tree, found none"
                            : "the index of a component " + std::string(compatible) +
                                  " of the device tree, which has " + std::to_string(found) +
                                  " of them, counted from 0; found " + std::to_string(index)));
        if (found == index) break;
    }
    Component component;
    char path[longest_path];
    int length = 0;
    const auto* reg = static_cast<const fdt32_t*>(fdt_getprop(tree, node, "reg", &length));
    if (fdt_get_path(tree, node, path, sizeof path) != 0 || reg == nullptr || length != reg_bytes)
        throw UserError(device + ": the component " + compatible +
                        " of the device tree has no base and size in reg");
    component.path = path;
    component.base = fdt32_ld(reg);
    component.bytes = fdt32_ld(reg + 1);
    return component;
}

}  // namespace tlmetry::remote
