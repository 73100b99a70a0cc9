// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::app {

inline constexpr std::string_view replay_summary =
    "play a recorded waveform into the model and compare its answers";

/// `tlmetry replay WAVE` (docs/recording.md); see Command::run.
int replay(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace tlmetry::app
