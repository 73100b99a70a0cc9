// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/account/account.hpp>
#include <tlmetry/app/run_parameters.hpp>
#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/verdict/verdict.hpp>

#include <string>
#include <vector>

namespace tlmetry::app {

/// What held a simulated card: what its telemetry shows, with what its models have counted in its place where
/// they know better.
std::vector<verdict::Finding> run_verdict(const account::Account& account,
                                          const driver::Measurement& telemetry, const card::Config& card);

/// One change to the parameters of a run that takes away what a finding is about, as for WhatIf; empty if
/// there is none.
std::string remedy(const verdict::Finding& finding, const RunParameters& parameters);

}  // namespace tlmetry::app
