// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/nfb/device_name.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>

#include <algorithm>
#include <set>
#include <string_view>

namespace tlmetry::nfb {

bool DeviceName::is_one(const std::string& text) {
    constexpr std::string_view end = ".ini";
    const std::string file = text.substr(0, text.find(','));
    return file.size() > end.size() && file.compare(file.size() - end.size(), end.size(), end) == 0;
}

DeviceName DeviceName::parse(const std::string& text) {
    DeviceName name;
    name.file = text.substr(0, text.find(','));
    device::Pacer::Config::Text speed{"", "option speed"};
    device::Pacer::Config::Text step{"", "option step"};
    bool free_run = false;
    std::set<std::string> given;
    for (std::size_t begin = name.file.size() + 1; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string option = text.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t equals = option.find('=');
        const std::string key = option.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : option.substr(equals + 1);
        if (!given.insert(key).second)
            throw UserError("device " + config::shortened(text) + ": expected option " + key + " once");
        if (option == "free-run") {
            free_run = true;
        } else if (value.empty()) {
            throw UserError("device " + config::shortened(text) +
                            ": expected free-run or NAME=VALUE, found " + config::found(option));
        } else if (key == "speed") {
            speed.text = value;
        } else if (key == "step") {
            step.text = value;
        } else if (key == "record-accesses") {
            name.record = value;
        } else {
            name.parameters.push_back({key, value, "option " + key});
        }
    }
    name.pace = device::Pacer::Config::read(speed, step, free_run, "options speed, free-run and step");
    return name;
}

}  // namespace tlmetry::nfb
