// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/interrupt.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace tlmetry::app {

namespace {

volatile std::sig_atomic_t caught = 0;
const char* hint_text = "";
std::size_t hint_bytes = 0;

void remember(int) {
    const int error = errno;
    caught = 1;
    // It is a hint only.
    [[maybe_unused]] const auto written = write(STDERR_FILENO, hint_text, hint_bytes);
    errno = error;
}

}  // namespace

InterruptWatch::InterruptWatch(const char* hint) {
    hint_text = hint;
    hint_bytes = std::strlen(hint);
    struct sigaction action = {};
    action.sa_handler = remember;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(SIGINT, &action, &m_before);
}

InterruptWatch::~InterruptWatch() {
    sigaction(SIGINT, &m_before, nullptr);
}

bool InterruptWatch::interrupted() {
    return caught != 0;
}

}  // namespace tlmetry::app
