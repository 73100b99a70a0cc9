// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/config.hpp>
#include <tlmetry/config/registry.hpp>

#include <vector>

namespace tlmetry::app {

/// Binds `timeline.at` to a list of what happens during a run, each at its time.
void bind_timeline(config::Registry& registry, std::vector<config::Entry>& entries);

/// What these entries mean for a card that begins as `card`. Throws UserError, naming the place of the entry,
/// for a time or an action of another form, and for a parameter that cannot change during a run.
card::Timeline read_timeline(const std::vector<config::Entry>& entries, const card::Config& card);

}  // namespace tlmetry::app
