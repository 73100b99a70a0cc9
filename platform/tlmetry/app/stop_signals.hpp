// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pthread.h>

#include <csignal>

namespace tlmetry::app {

/// From its beginning to the end of the program, SIGINT, SIGTERM and, unless it is ignored, SIGHUP wait until
/// somebody asks for them, in all threads that begin meanwhile. Whatever ends the program then, these do not
/// disturb it.
class StopSignals {
public:
    StopSignals() {
        sigemptyset(&m_signals);
        sigaddset(&m_signals, SIGINT);
        sigaddset(&m_signals, SIGTERM);
        struct sigaction hang_up = {};
        sigaction(SIGHUP, nullptr, &hang_up);
        if (hang_up.sa_handler != SIG_IGN) sigaddset(&m_signals, SIGHUP);  // nohup: it goes on
        pthread_sigmask(SIG_BLOCK, &m_signals, nullptr);
    }
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// Waits for `seconds` at most; true as soon as one has come.
    bool wait_s(long seconds) const {
        const timespec time = {seconds, 0};
        return sigtimedwait(&m_signals, nullptr, &time) > 0;
    }

private:
    sigset_t m_signals;
};

}  // namespace tlmetry::app
