// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/measurement.hpp>

#include <string>

namespace tlmetry::verdict {

/// The measurement in the JSON of a report (docs/json.md, `tlmetry.report/1`); `place` begins the messages.
/// The layout has what the report says and no places of counters; a histogram beyond those of the tags and of
/// the storage FIFO belongs to the clock whose cycles its bands are nearer to. Throws UserError naming the
/// key, what was expected and what was found.
driver::Measurement read_report(const std::string& place, const std::string& text);

}  // namespace tlmetry::verdict
