// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/interrupt.hpp"

namespace tlmetry::app {

namespace {

volatile std::sig_atomic_t caught = 0;

}  // namespace

InterruptWatch::InterruptWatch() {
    struct sigaction action = {};
    action.sa_handler = [](int) { caught = 1; };
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
