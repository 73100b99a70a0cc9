// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/clock.hpp>
#include <tlmetry/driver/mi_bus.hpp>

#include <memory>
#include <optional>
#include <string>

namespace tlmetry::tool {

/// What `--device` names: a bus and the time it lives in.
class Device {
public:
    virtual ~Device() = default;

    virtual driver::MiBus& bus() = 0;
    virtual driver::Clock& clock() = 0;

    /// False for a recording: it can neither be cleared nor watched.
    virtual bool live() const = 0;

    /// The interval a recording was made with, in seconds and 0 for totals; it takes the place of the one
    /// asked for.
    virtual std::optional<double> recorded_interval() const { return std::nullopt; }
};

/// Opens component `index` of the device that `path` names: FILE.json is a saved register file. Throws
/// UserError for a device that cannot be opened or is of no known kind.
std::unique_ptr<Device> open_device(const std::string& path, unsigned index);

}  // namespace tlmetry::tool
