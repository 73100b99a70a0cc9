// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/replay/pins.hpp"

#include <algorithm>
#include <fstream>

#include <tlmetry/base/error.hpp>
#include <tlmetry/wave/signal_finder.hpp>

namespace tlmetry::replay {

std::vector<Pin> pins_of(const telemetry::Config& config) {
    const telemetry::Layout layout(config);
    std::vector<Pin> pins = {{"mi_clk", 1}, {"mi_reset", 1}, {"mi_dwr", 32}, {"mi_addr", 32}, {"mi_be", 4},
                             {"mi_rd", 1},  {"mi_wr", 1},    {"mi_drd", 32}, {"mi_ardy", 1},  {"mi_drdy", 1},
                             {"dma_clk", 1}, {"dma_reset", 1}};
    const std::uint32_t pcie_regions = layout.pcie.buses * layout.pcie.regions;
    const std::uint32_t dma_regions = layout.dma.buses * layout.dma.regions;
    for (std::uint32_t e = 0; e < config.pcie_endpoints; ++e) {
        const auto add = [&](const char* name, std::uint32_t width) {
            // EOF_POS has no bits where a region holds a single item.
            if (width != 0) pins.push_back({std::string(name) + "_" + std::to_string(e), width});
        };
        add("pcie_clk", 1);
        add("pcie_reset", 1);
        add("pcie_mfb_sof", pcie_regions);
        add("pcie_mfb_eof", pcie_regions);
        add("pcie_mfb_eof_pos", pcie_regions * config.pcie_eof_pos_width);
        add("pcie_mfb_src_rdy", layout.pcie.buses);
        add("pcie_mfb_dst_rdy", layout.pcie.buses);
        add("pcie_ptc_brake", telemetry::brake_pins);
        add("pcie_stfifo_free", 16);
        add("pcie_tag_free", 11);
        add("pcie_mps", 3);
        add("pcie_mrrs", 3);
        add("pcie_ext_tag_en", 1);
        add("pcie_10b_tag_req_en", 1);
        add("pcie_rcb_size", 1);
        add("pcie_link_up", 1);
        add("dma_mfb_sof", dma_regions);
        add("dma_mfb_eof", dma_regions);
        add("dma_mfb_eof_pos", dma_regions * config.dma_eof_pos_width);
        add("dma_mfb_src_rdy", layout.dma.buses);
        add("dma_mfb_dst_rdy", layout.dma.buses);
        add("dma_mvb_vld", dma_regions);
        add("dma_mvb_src_rdy", layout.dma.buses);
        add("dma_mvb_dst_rdy", layout.dma.buses);
    }
    return pins;
}

PinMap read_pin_map(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw UserError(path + ": expected a readable file with lines 'pin = name', found none");
    const auto trim = [](std::string text) {
        const auto begin = text.find_first_not_of(" \t\r");
        if (begin == std::string::npos) return std::string();
        return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
    };
    PinMap map;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        const std::string place = path + ":" + std::to_string(number) + ": ";
        line = trim(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        const auto equals = line.find('=');
        if (equals == std::string::npos) throw UserError(place + "expected 'pin = name', found '" + line + "'");
        std::string pin = trim(line.substr(0, equals));
        std::transform(pin.begin(), pin.end(), pin.begin(), [](unsigned char c) { return std::tolower(c); });
        const std::string name = trim(line.substr(equals + 1));
        if (pin.empty() || name.empty()) throw UserError(place + "expected 'pin = name', found '" + line + "'");
        if (!map.emplace(pin, name).second) throw UserError(place + "expected each pin once, found '" + pin + "' again");
    }
    return map;
}

PinHandles::PinHandles(wave::VcdReader& reader, const telemetry::Config& config, const PinMap& map,
                       const std::string& scope) {
    const wave::SignalFinder finder(reader.header());
    const std::vector<Pin> pins = pins_of(config);
    for (const auto& [name, mapped] : map) {
        if (std::none_of(pins.begin(), pins.end(), [&](const Pin& pin) { return pin.name == name; })) {
            throw UserError("pin map: expected a pin of the component, found '" + name + "'");
        }
    }
    const std::string prefix = scope.empty() ? "" : scope + ".";
    for (const Pin& pin : pins) {
        const auto mapped = map.find(pin.name);
        if (mapped != map.end()) {
            m_handles[pin.name] = reader.select(finder.find(mapped->second, pin.width));
            continue;
        }
        std::vector<std::string> candidates = {prefix + pin.name};
        if (config.pcie_endpoints == 1 && pin.name.size() > 2 && pin.name.compare(pin.name.size() - 2, 2, "_0") == 0) {
            candidates.push_back(prefix + pin.name.substr(0, pin.name.size() - 2));
        }
        for (const std::string& candidate : candidates) {
            if (!finder.look_up(candidate)) continue;
            m_handles[pin.name] = reader.select(finder.find(candidate, pin.width));
            break;
        }
    }
}

std::optional<PinHandles::Handle> PinHandles::find(const std::string& pin) const {
    const auto found = m_handles.find(pin);
    if (found == m_handles.end()) return std::nullopt;
    return found->second;
}

std::vector<std::string> PinHandles::names() const {
    std::vector<std::string> names;
    for (const auto& [name, handle] : m_handles) names.push_back(name);
    return names;
}

}  // namespace tlmetry::replay
