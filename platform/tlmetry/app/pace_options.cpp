// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/pace_options.hpp"

#include <tlmetry/base/error.hpp>

namespace tlmetry::app {

namespace po = boost::program_options;

void PaceOptions::add_to(po::options_description& description) {
    auto add = description.add_options();
    add("speed", po::value(&m_speed)->value_name("X"),
        "simulated time passes X times as fast as real time (default: 1)");
    add("free-run", po::bool_switch(&m_free_run), "simulated time passes as fast as the simulation can");
    add("step", po::value(&m_step)->value_name("TIME"),
        "simulated time passes with accesses only, TIME in front of each");
}

device::Pacer::Config PaceOptions::config() const {
    return device::Pacer::Config::read({m_speed, "option --speed"}, {m_step, "option --step"}, m_free_run,
                                       "options --speed, --free-run and --step");
}

}  // namespace tlmetry::app
