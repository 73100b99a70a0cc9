// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

namespace tlmetry::tool {

/// The window of a terminal; 0 where it is not known.
struct WindowSize {
    std::size_t rows = 0;
    std::size_t columns = 0;
};

/// That of the terminal behind a file descriptor.
WindowSize window_size(int file);

/// What shows a text in the place of the one before: from the upper left corner, each line to its end, then
/// the rest. A text that is larger than the window is cropped, and the last line says so.
std::string in_place(const std::string& text, const WindowSize& window);

}  // namespace tlmetry::tool
