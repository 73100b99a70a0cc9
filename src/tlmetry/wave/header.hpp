// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/wave/id_table.hpp>
#include <tlmetry/wave/scanner.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::wave {

/// Bit numbers as declared, the leftmost (most significant) first: [7:0], (0 to 3).
struct Range {
    std::int32_t left = 0;
    std::int32_t right = 0;

    std::int64_t low() const { return left < right ? left : right; }
    std::int64_t high() const { return left < right ? right : left; }
    std::int64_t size() const { return high() - low() + 1; }
};

/// A name and the range that ends it, as in `a[3:0]`, `a [3]`, `a(3 downto 0)`.
struct IndexedName {
    std::string_view name;
    std::optional<Range> range;
};
IndexedName split_index(std::string_view text);

enum class VariableKind : std::uint8_t {
    bits,   ///< wire, reg, integer, parameter, logic, ...: everything made of bits
    other,  ///< real, realtime, string, event: cannot be selected
};

/// One $var of a recording.
struct Variable {
    std::string name;            ///< without scopes, range and the backslashes of escaped names
    std::uint32_t scope = 0;     ///< index into Header::scopes
    std::uint32_t width = 0;     ///< bits
    std::uint32_t id = 0;        ///< number of its identifier code; variables with the same one are aliases
    std::optional<Range> range;  ///< when declared and as long as the width
    VariableKind kind = VariableKind::bits;
};

struct Scope {
    std::uint32_t parent = 0;
    std::string name;
};

/// What a recording declares.
struct Header {
    std::string source;         ///< name of the recording, for messages
    time_fs tick_fs = 0;        ///< unit of the time stamps
    std::vector<Scope> scopes;  ///< [0] is the root, its own parent
    std::vector<Variable> variables;
    std::uint32_t ids = 0;  ///< number of different identifier codes

    /// Name with all scopes, separated by dots.
    std::string path(const Variable& variable) const;
};

/// Reads up to and with $enddefinitions and enters the identifier codes into `ids`. Throws UserError.
Header parse_header(Scanner& scanner, IdTable& ids);

}  // namespace tlmetry::wave
