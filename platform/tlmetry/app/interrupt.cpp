// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/interrupt.hpp"

#include <tlmetry/app/application.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace tlmetry::app {

namespace {

volatile std::sig_atomic_t caught = 0;
const char* hint_text = "";
std::size_t hint_bytes = 0;

void remember(int signal) {
    const int error = errno;
    caught = signal;
    // It is a hint only.
    [[maybe_unused]] const auto written = write(STDERR_FILENO, hint_text, hint_bytes);
    errno = error;
}

}  // namespace

InterruptWatch::InterruptWatch(const char* hint, Of of) : m_of(of) {
    hint_text = hint;
    hint_bytes = std::strlen(hint);
    struct sigaction action = {};
    action.sa_handler = remember;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(SIGINT, &action, &m_before);
    if (of == Of::ctrl_c_and_sigterm) sigaction(SIGTERM, &action, &m_before_sigterm);
}

InterruptWatch::~InterruptWatch() {
    sigaction(SIGINT, &m_before, nullptr);
    if (m_of == Of::ctrl_c_and_sigterm) sigaction(SIGTERM, &m_before_sigterm, nullptr);
}

bool InterruptWatch::interrupted() {
    return caught != 0;
}

int InterruptWatch::exit_code() {
    return caught == SIGTERM ? exit_terminated : exit_interrupted;
}

}  // namespace tlmetry::app
