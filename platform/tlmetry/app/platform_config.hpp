// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/app/run_parameters.hpp>
#include <tlmetry/platform/platform.hpp>

namespace tlmetry::app {

/// The platform of such parameters. Throws UserError, naming the parameter, when values don't fit one
/// another.
platform::Platform::Config platform_config(const RunParameters& parameters);

}  // namespace tlmetry::app
