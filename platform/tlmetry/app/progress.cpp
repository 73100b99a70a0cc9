// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/progress.hpp"

#include <unistd.h>

#include <cstdio>
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

std::string simulation_progress(time_fs now, double all, std::chrono::duration<double> wall) {
    char text[120];
    const double simulated = static_cast<double>(now) / static_cast<double>(fs_per_s);
    const double speed = simulated / wall.count();
    // Digits that stay where they are from one text to the next.
    const int decimals = speed < 1 ? 4 : speed < 100 ? 2 : 0;
    std::snprintf(text, sizeof text,
                  "%9.3f of about %.3f ms simulated, %5.1f s of wall time, %.*f x real time", simulated * 1e3,
                  all * 1e3, wall.count(), decimals, speed);
    return text;
}

bool stderr_is_terminal() {
    return isatty(STDERR_FILENO) != 0;
}

}  // namespace tlmetry::app
