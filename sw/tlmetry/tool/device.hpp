// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/clock.hpp>
#include <tlmetry/driver/mi_bus.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tlmetry::tool {

/// How far a card whose time is simulated has come.
struct Pace {
    std::string asked;  ///< the pace that it was asked for, in words
    double simulated_s = 0;
    double host_s = 0;
};

/// What is to be known about rates measured with host time between two moments; empty where the card kept to
/// real time.
std::string pace_warning(const Pace& first, const Pace& second);

/// What `--device` names: a bus and the time it lives in.
class Device {
public:
    virtual ~Device() = default;

    virtual driver::MiBus& bus() = 0;
    virtual driver::Clock& clock() = 0;

    /// False for a recording: it can neither be cleared nor watched.
    virtual bool live() const = 0;

    /// None for a card in the time of clock().
    virtual std::optional<Pace> pace() { return std::nullopt; }

    /// The interval a recording was made with, in seconds and 0 for totals; it takes the place of the one
    /// asked for.
    virtual std::optional<double> recorded_interval() const { return std::nullopt; }
};

/// Opens component `index` of a device of one kind; null if `path` names one of another kind. Throws
/// UserError for a device that cannot be opened.
using DeviceOpener = std::unique_ptr<Device> (*)(const std::string& path, unsigned index);

/// FILE.json, a saved register file.
std::unique_ptr<Device> open_saved_device(const std::string& path, unsigned index);

/// Opens component `index` of the device that `path` names, by the first opener that knows its kind. Throws
/// UserError for a device that cannot be opened or is of no known kind.
std::unique_ptr<Device> open_device(const std::string& path, unsigned index,
                                    const std::vector<DeviceOpener>& openers);

}  // namespace tlmetry::tool
