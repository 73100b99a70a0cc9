// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <chrono>
#include <iosfwd>
#include <string>

namespace tlmetry::app {

/// A line that is rewritten while something long is going on; shown only where `stream` is a terminal.
class Progress {
public:
    Progress(std::ostream& stream, bool on_terminal);
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// True when it is time for a new text.
    bool due();
    void show(const std::string& text);
    void clear();

private:
    std::ostream& m_stream;
    bool m_on_terminal;
    std::size_t m_width = 0;
    std::chrono::steady_clock::time_point m_next;
};

/// Simulated time, of `all` seconds in the end, wall time and their ratio in one line.
std::string simulation_progress(time_fs now, double all, std::chrono::duration<double> wall);

/// Whether the program's standard error is a terminal.
bool stderr_is_terminal();

}  // namespace tlmetry::app
