// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace tlmetry::device {

/// A new file of lines, each of which is in it when put() returns, whatever becomes of the program, and there
/// once though it forks: nothing is kept in a buffer.
class LineFile {
public:
    /// `place`, an option, begins messages about the file. Throws UserError when it cannot be written.
    LineFile(std::string path, std::string place);
    ~LineFile();
    LineFile(const LineFile&) = delete;
    LineFile& operator=(const LineFile&) = delete;

    /// Throws UserError when that fails.
    void put(std::string_view line);

private:
    [[noreturn]] void fail() const;

    std::string m_path;
    std::string m_place;
    int m_descriptor;
};

}  // namespace tlmetry::device
