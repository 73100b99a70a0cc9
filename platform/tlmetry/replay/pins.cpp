// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/replay/pins.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/config/file.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/wave/signal_finder.hpp>

#include <algorithm>
#include <sstream>

namespace tlmetry::replay {

namespace {

/// The names under which a recording may hold a pin, the best first.
std::vector<std::string> own_names(const Pin& pin, bool single_endpoint, const std::string& scope) {
    const std::string prefix = scope.empty() ? "" : scope + ".";
    std::vector<std::string> names = {prefix + pin.name()};
    if (!pin.endpoint) return names;
    if (single_endpoint) names.push_back(prefix + pin.base);
    names.push_back(prefix + pin.base + "[" + std::to_string(*pin.endpoint) + "]");
    return names;
}

std::optional<wave::Signal> find_pin(const wave::SignalFinder& finder, const Pin& pin, bool single_endpoint,
                                     const PinSource& source) {
    const auto mapped = source.map.find(pin.name());
    if (mapped != source.map.end()) {
        try {
            return finder.find(mapped->second.name, pin.width);
        } catch (const UserError& error) {
            throw UserError(mapped->second.place + error.what());
        }
    }
    for (const std::string& name : own_names(pin, single_endpoint, source.scope)) {
        if (finder.look_up(name)) return finder.find(name, pin.width);
    }
    return std::nullopt;
}

}  // namespace

std::vector<Pin> mi_pins() {
    return {{"mi_clk", 1, {}}, {"mi_reset", 1, {}}, {"mi_dwr", 32, {}}, {"mi_addr", 32, {}},
            {"mi_rd", 1, {}},  {"mi_wr", 1, {}},    {"mi_drd", 32, {}}, {"mi_drdy", 1, {}}};
}

std::vector<Pin> pins_of(const telemetry::Config& config) {
    const telemetry::Layout layout(config);
    std::vector<Pin> pins = mi_pins();
    pins.push_back({"dma_clk", 1, {}});
    pins.push_back({"dma_reset", 1, {}});
    const std::uint32_t pcie_regions = layout.pcie.buses * layout.pcie.regions;
    const std::uint32_t dma_regions = layout.dma.buses * layout.dma.regions;
    for (std::uint32_t e = 0; e < config.pcie_endpoints; ++e) {
        const auto add = [&](const char* base, std::uint32_t width) {
            // EOF_POS has no bits where a region holds a single item.
            if (width != 0) pins.push_back({base, width, e});
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
    std::istringstream file(config::read_file("map file", path));
    PinMap map;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        const std::string place = path + ":" + std::to_string(number) + ": ";
        const std::string_view text = trimmed(std::string_view(line).substr(0, line.find('#')));
        if (text.empty()) continue;
        const auto equals = text.find('=');
        const std::string pin = wave::lower(trimmed(text.substr(0, equals)));
        const std::string_view name =
            equals == text.npos ? std::string_view() : trimmed(text.substr(equals + 1));
        if (pin.empty() || name.empty()) {
            throw UserError(place + "expected 'pin = name in the recording', found " + config::found(text));
        }
        if (!map.emplace(pin, MappedName{std::string(name), place}).second) {
            throw UserError(place + "expected each pin once, found '" + pin + "' again");
        }
    }
    return map;
}

std::uint32_t count_endpoints(const wave::Header& header, const PinSource& source) {
    const wave::SignalFinder finder(header);
    const std::string prefix = source.scope.empty() ? "" : source.scope + ".";
    const auto has = [&](const std::string& name) {
        return source.map.count(name) != 0 || finder.look_up(prefix + name);
    };
    std::uint32_t count = 0;
    while (has("pcie_clk_" + std::to_string(count)) || has("pcie_mfb_src_rdy_" + std::to_string(count)))
        ++count;
    if (count == 0) {
        if (const auto clocks = finder.look_up(prefix + "pcie_clk")) count = clocks->width;
    }
    return count;
}

PinHandles::PinHandles(wave::VcdReader& reader, const std::vector<Pin>& pins, const PinSource& source) {
    const wave::SignalFinder finder(reader.header());
    const bool single =
        std::none_of(pins.begin(), pins.end(), [](const Pin& pin) { return pin.endpoint > 0u; });
    for (const Pin& pin : pins) {
        if (const auto signal = find_pin(finder, pin, single, source)) {
            m_handles[pin.name()] = reader.select(*signal);
        } else {
            m_missing.push_back(pin.name());
        }
    }
}

std::optional<PinHandles::Handle> PinHandles::find(const std::string& name) const {
    const auto found = m_handles.find(name);
    if (found == m_handles.end()) return std::nullopt;
    return found->second;
}

}  // namespace tlmetry::replay
