// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/tool/device.hpp>
#include <tlmetry/tool/options.hpp>
#include <tlmetry/tool/saved_device.hpp>

#include <string_view>

namespace tlmetry::tool {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

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
