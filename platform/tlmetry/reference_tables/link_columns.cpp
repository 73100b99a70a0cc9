// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/reference_tables/link_columns.hpp"

namespace tlmetry::reference_tables {

std::vector<Column> link_columns() {
    return {choice("gen", {"gen1", "gen2", "gen3", "gen4", "gen5", "gen6", "gen7"}),
            choice("lanes", {"x1", "x2", "x4", "x8", "x12", "x16", "x32"}), choice("mps", payload_sizes())};
}

std::vector<std::string> payload_sizes() {
    return {"128", "256", "512", "1024", "2048", "4096"};
}

pcie::LinkSettings analytic_link(const Row& row) {
    const auto number = [](const std::string& digits) {
        return static_cast<std::uint32_t>(std::stoul(digits));
    };
    pcie::LinkSettings link;
    link.generation = number(row.text("gen").substr(3));
    link.lanes = number(row.text("lanes").substr(1));
    link.mps_bytes = row.whole("mps");
    link.dllp = pcie::DllpMode::analytic;
    link.dword_padding = false;
    return link;
}

}  // namespace tlmetry::reference_tables
