// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/tlp/header.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tlmetry::tlp {

/// The specification's short name: MRd, CplD.
std::string_view name_of(Kind kind);

/// `posted`, `non-posted`, `completion`.
std::string_view name_of(Category category);

/// `SC`, `UR`, `CRS`, `CA`; `reserved` for other values.
std::string_view status_name(std::uint8_t status);

/// `Assert_INTA`; empty for a code without a name.
std::string_view message_name(std::uint8_t code);

/// Bus, device and function as lspci prints them: `01:00.0`.
std::string format_bdf(std::uint16_t id);

/// The number of `01:00.0`, also behind the domain 0000. Nothing when the text is neither.
std::optional<std::uint16_t> parse_bdf(std::string_view text);

}  // namespace tlmetry::tlp
