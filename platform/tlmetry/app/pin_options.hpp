// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/app/telemetry_parameters.hpp>
#include <tlmetry/pins/pin_watch.hpp>

#include <boost/program_options/options_description.hpp>

#include <string>

namespace tlmetry::app {

/// The options of `tlmetry run` that look at the pins (docs/waves.md).
struct PinOptions {
    std::string wave;
    std::string wave_from;
    std::string wave_to;
    bool check = false;

    void add_to(boost::program_options::options_description& description);
    /// Throws UserError naming the option.
    pins::PinWatch::Config config() const;
    /// The file of the generics beside the waveform; empty without one.
    std::string generics_file() const;
    /// Saves the generics beside the waveform, if there is one, as FILE.generics.json for `tlmetry replay
    /// --params`. Throws UserError when that is not possible.
    void save_generics(const TelemetryParameters& parameters) const;
};

}  // namespace tlmetry::app
