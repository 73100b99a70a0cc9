// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tlmetry::app {

/// A card that is known by name: values of parameters, as in a configuration file.
struct CardShape {
    const char* name;
    const char* doc;
    std::vector<std::pair<std::string, std::string>> values;
};

const std::vector<CardShape>& card_shapes();

}  // namespace tlmetry::app
