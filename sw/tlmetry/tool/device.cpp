// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/tool/device.hpp>
#include <tlmetry/tool/options.hpp>
#include <tlmetry/tool/saved_device.hpp>

#include <cmath>
#include <cstdio>
#include <string_view>

namespace tlmetry::tool {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

std::string pace_warning(const Pace& first, const Pace& second) {
    // Calls and pauses of the machine make that much of a difference anyway.
    constexpr double share = 0.01;
    constexpr double least_s = 0.003;
    const double host_s = second.host_s - first.host_s;
    const double simulated_s = second.simulated_s - first.simulated_s;
    if (!(host_s > 0) || std::abs(simulated_s - host_s) <= share * host_s + least_s) return {};
    char factor[40];
    std::snprintf(factor, sizeof factor, "%.4g", simulated_s / host_s);
    return "warning: simulated time passed " + std::string(factor) +
           " times as fast as host time (pace: " + config::printable(second.asked) +
           "): rates are shown by host time, and are " + factor + " times those by simulated time";
}

std::unique_ptr<Device> open_saved_device(const std::string& path, unsigned index) {
    if (!ends_with(path, ".json")) return nullptr;
    if (index != 0)
        throw UserError("option --index: " + path + " holds one component, expected 0, found " +
                        std::to_string(index));
    return std::make_unique<SavedDevice>(path);
}

std::unique_ptr<Device> open_device(const std::string& path, unsigned index,
                                    const std::vector<DeviceOpener>& openers) {
    if (path.empty()) throw UserError("no default device here: name one with --device");
    for (const DeviceOpener open : openers) {
        if (auto device = open(path, index)) return device;
    }
    throw UserError("option --device: expected " + std::string(device_kinds) + ", found " +
                    config::found(path));
}

}  // namespace tlmetry::tool
