// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/tool/screen.hpp>

#include <sys/ioctl.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace tlmetry::tool {

WindowSize window_size(int file) {
    winsize size = {};
    if (ioctl(file, TIOCGWINSZ, &size) != 0) return {};
    return {size.ws_row, size.ws_col};
}

std::string in_place(const std::string& text, const WindowSize& window) {
    std::vector<std::string> lines;
    std::size_t widest = 0;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        widest = std::max(widest, line.size());
        lines.push_back(std::move(line));
    }
    const std::size_t all = lines.size();
    const std::size_t columns = window.columns == 0 ? widest : window.columns;
    const std::size_t rows = window.rows == 0 ? all + 1 : window.rows;
    if (all > rows || widest > columns) {
        lines.resize(std::min(all, rows - 1));
        lines.push_back("[" + std::to_string(lines.size()) + " of " + std::to_string(all) + " lines, " +
                        std::to_string(std::min(widest, columns)) + " of " + std::to_string(widest) +
                        " columns: the window is small]");
    }
    std::string shown = "\x1b[H";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        shown += lines[i].substr(0, columns);
        // Behind the last column it would take away what stands there.
        if (window.columns == 0 || lines[i].size() < columns) shown += "\x1b[K";
        if (i + 1 < rows) shown += "\n";  // else the window would scroll
    }
    return lines.size() < rows ? shown + "\x1b[J" : shown;
}

}  // namespace tlmetry::tool
