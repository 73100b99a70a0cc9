// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tlmetry::explore {

/// 128 bits of what has been added (FNV-1a), to tell texts apart that nobody makes to be taken for one
/// another.
class Digest {
public:
    /// Texts are told apart from the same letters cut elsewhere.
    Digest& add(std::string_view text);
    /// A parameter of a card; with the content of the file that it names, if it is such a one.
    Digest& add_parameter(const std::string& name, const std::string& value);

    /// 32 hexadecimal digits.
    std::string hex() const;

private:
    __extension__ typedef unsigned __int128 Wide;

    void add_bytes(std::string_view bytes);

    Wide m_hash = Wide{0x6C62'272E'07BB'0142} << 64 | 0x62B8'2175'6295'C58D;
};

/// A file that has been part of a digest is not what it was then. It counts as it was the first time, so that
/// what the points of a plan are is decided once.
bool has_changed(const std::string& path);
/// Files count as they are from now on.
void forget_files();

/// The value of the parameter is a file that decides what a point is.
bool names_a_file(const std::string& parameter);

}  // namespace tlmetry::explore
