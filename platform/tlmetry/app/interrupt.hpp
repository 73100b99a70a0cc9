// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csignal>

namespace tlmetry::app {

/// While it lives, the first Ctrl-C is remembered; the second one ends the program. There is one at a time.
class InterruptWatch {
public:
    /// What is remembered.
    enum class Of { ctrl_c, ctrl_c_and_sigterm };

    /// The first one also writes `hint` to the standard error.
    explicit InterruptWatch(const char* hint = "", Of of = Of::ctrl_c);
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

    static bool interrupted();
    /// What to end with then: exit_interrupted or exit_terminated.
    static int exit_code();

private:
    Of m_of;
    struct sigaction m_before = {};
    struct sigaction m_before_sigterm = {};
};

}  // namespace tlmetry::app
