// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pthread.h>

#include <csignal>

namespace tlmetry::app {

/// While it lives, SIGINT and SIGTERM wait until somebody asks for them; so they do in all threads that begin
/// meanwhile. At its end they do again what they did before, unless one has come: what it has asked for is
/// under way, and more of them change nothing until the program has ended.
class StopSignals {
public:
    StopSignals() {
        sigemptyset(&m_signals);
        sigaddset(&m_signals, SIGINT);
        sigaddset(&m_signals, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
    }
    ~StopSignals() {
        if (!m_came) pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// Waits for `seconds` at most; true as soon as one has come.
    bool wait_s(long seconds) {
        const timespec time = {seconds, 0};
        m_came = m_came || sigtimedwait(&m_signals, nullptr, &time) > 0;
        return m_came;
    }

private:
    sigset_t m_signals;
    sigset_t m_before;
    bool m_came = false;
};

}  // namespace tlmetry::app
