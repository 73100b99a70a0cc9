// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::app {

inline constexpr std::string_view serve_summary = "be a card for existing software, over gRPC";
inline constexpr std::string_view status_summary = "ask a served platform how it keeps pace";

/// `tlmetry serve CONFIG...` (docs/driver-development.md); see Command::run. Ends at SIGINT or SIGTERM.
int serve(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

/// `tlmetry status grpc:ADDRESS`; see Command::run.
int status(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace tlmetry::app
