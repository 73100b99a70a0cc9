// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/pacer.hpp>

#include <boost/program_options/options_description.hpp>

#include <string>

namespace tlmetry::app {

/// The options that say at what pace simulated time passes: --speed, --free-run, --step.
class PaceOptions {
public:
    void add_to(boost::program_options::options_description& description);

    /// Throws UserError for values that are none, and for more than one pace.
    device::Pacer::Config config() const;

private:
    std::string m_speed;
    std::string m_step;
    bool m_free_run = false;
};

}  // namespace tlmetry::app
