// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/recorded_generics.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/replay/read_back.hpp>
#include <tlmetry/wave/vcd_reader.hpp>

#include <algorithm>
#include <filesystem>

namespace tlmetry::app {

namespace {

bool is_generic(const config::Parameter& parameter) {
    const auto key = parameter.key();
    const auto ends_with = [&](std::string_view end) {
        return key.size() > end.size() && key.substr(key.size() - end.size()) == end;
    };
    // The EOF_POS widths follow from the sizes of the regions; nothing depends on the name of the device.
    return key != "padding" && key != "device" && !ends_with("_clock") && !ends_with("_phase") &&
           !ends_with("_eof_pos_width");
}

std::vector<const config::Parameter*> open_generics(const config::Registry& registry) {
    std::vector<const config::Parameter*> result;
    for (const config::Parameter& parameter : registry.parameters()) {
        if (is_generic(parameter) && parameter.place.empty()) result.push_back(&parameter);
    }
    return result;
}

/// Takes generics that nobody gave from the recording, as far as it tells them. Adds to `notes` which ones,
/// and which it does not tell.
void take_from_recording(config::Registry& registry, const std::string& recording,
                         const replay::PinSource& source, replay::Sample sample,
                         std::vector<std::string>& notes) {
    if (open_generics(registry).empty()) return;
    std::error_code error;
    const auto type = std::filesystem::status(recording, error).type();
    if (recording == "-" || type == std::filesystem::file_type::fifo) {
        throw UserError(
            (recording == "-" ? "the standard input" : recording) +
            ": a stream cannot be read twice, so expected all generics (--params), found none for " +
            open_generics(registry).front()->name);
    }
    wave::VcdReader reader(wave::Input::open(recording));
    std::vector<std::string> taken;
    const auto take = [&](const config::Assignment& value) {
        const config::Parameter& parameter = *registry.find(value.name);
        if (!parameter.place.empty()) return;
        registry.set(value);
        taken.push_back(std::string(parameter.key()) + " = " + parameter.text());
    };
    for (const auto& value : replay::generics_of(replay::read_back(reader, source, sample), recording))
        take(value);
    if (const std::uint32_t endpoints = replay::count_endpoints(reader.header(), source)) {
        take({"telemetry.pcie_endpoints", std::to_string(endpoints),
              recording + ": number of endpoints with pins"});
    }
    if (!taken.empty()) notes.push_back("generics from the recording:" + config::wrapped_list(taken));
    std::vector<std::string> defaults;
    for (const config::Parameter* parameter : open_generics(registry)) {
        defaults.push_back(std::string(parameter->key()) + " = " + parameter->text());
    }
    if (!defaults.empty())
        notes.push_back("generics neither given nor told, so defaults:" + config::wrapped_list(defaults));
}

/// EOF_POS widths that nobody gave follow from the sizes of the regions.
void derive_eof_pos_widths(const config::Registry& registry, telemetry::Config& c) {
    const auto derive = [&](const char* name, std::uint32_t& width, std::uint32_t one, std::uint32_t other) {
        if (registry.find(name)->place.empty())
            width = telemetry::clog2(std::max(one, other) / c.mfb_item_bytes);
    };
    derive("telemetry.pcie_eof_pos_width", c.pcie_eof_pos_width, c.pcie_rq_mfb_region_bytes,
           c.pcie_rc_mfb_region_bytes);
    derive("telemetry.dma_eof_pos_width", c.dma_eof_pos_width, c.dma_up_mfb_region_bytes,
           c.dma_down_mfb_region_bytes);
}

}  // namespace

std::vector<std::string> complete_generics(config::Registry& registry, telemetry::Config& component,
                                           const std::string& recording, const replay::PinSource& source,
                                           replay::Sample sample) {
    std::vector<std::string> notes;
    take_from_recording(registry, recording, source, sample, notes);
    derive_eof_pos_widths(registry, component);
    return notes;
}

}  // namespace tlmetry::app
