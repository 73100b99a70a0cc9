// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/config/registry.hpp>
#include <tlmetry/device/pacer.hpp>

#include <string>
#include <vector>

namespace tlmetry::nfb {

/// `FILE.ini[,OPTION...]`: a card, and how it is to be simulated.
struct DeviceName {
    std::string file;
    device::Pacer::Config pace;  ///< options speed=X, free-run, step=TIME
    std::string record;          ///< option record-accesses=FILE; FILE.2 and so on where it is opened again
    std::vector<config::Assignment> parameters;  ///< options SECTION.KEY=VALUE

    /// Whether a text names a device of this kind at all.
    static bool is_one(const std::string& text);

    /// Throws UserError for options that are none.
    static DeviceName parse(const std::string& text);
};

}  // namespace tlmetry::nfb
