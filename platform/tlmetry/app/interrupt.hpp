// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csignal>

namespace tlmetry::app {

/// While it lives, the first Ctrl-C is remembered; the second one ends the program. There is one at a time.
class InterruptWatch {
public:
    /// The first one also writes `hint` to the standard error.
    explicit InterruptWatch(const char* hint = "");
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

    static bool interrupted();

private:
    struct sigaction m_before = {};
};

}  // namespace tlmetry::app
