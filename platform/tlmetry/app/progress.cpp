// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/progress.hpp"

#include <unistd.h>

#include <ostream>

namespace tlmetry::app {

namespace {

constexpr auto interval = std::chrono::milliseconds(200);

}  // namespace

Progress::Progress(std::ostream& stream, bool on_terminal)
    : m_stream(stream), m_on_terminal(on_terminal), m_next(std::chrono::steady_clock::now() + interval) {}

bool Progress::due() {
    return m_on_terminal && std::chrono::steady_clock::now() >= m_next;
}

void Progress::show(const std::string& text) {
    m_next = std::chrono::steady_clock::now() + interval;
    m_stream << '\r' << text;
    if (text.size() < m_width) m_stream << std::string(m_width - text.size(), ' ');
    m_stream << std::flush;
    m_width = text.size();
}

void Progress::clear() {
    if (m_width == 0) return;
    m_stream << '\r' << std::string(m_width, ' ') << '\r' << std::flush;
    m_width = 0;
}

bool stderr_is_terminal() {
    return isatty(STDERR_FILENO) != 0;
}

}  // namespace tlmetry::app
