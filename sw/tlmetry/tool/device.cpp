// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/tool/device.hpp>
#include <tlmetry/tool/saved_device.hpp>

#include <string_view>

namespace tlmetry::tool {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

std::unique_ptr<Device> open_device(const std::string& path, unsigned index) {
    if (path.empty()) throw UserError("no default device here: name one with --device");
    if (ends_with(path, ".json")) {
        if (index != 0)
            throw UserError("option --index: " + path + " holds one component, expected 0, found " +
                            std::to_string(index));
        return std::make_unique<SavedDevice>(path);
    }
    throw UserError("option --device: expected a saved register file (FILE.json), found " +
                    config::found(path));
}

}  // namespace tlmetry::tool
