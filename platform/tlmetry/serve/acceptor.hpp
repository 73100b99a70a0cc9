// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/serve/listener.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace tlmetry::serve {

/// Takes the connections of clients in a thread of its own. Where the process has too few file descriptors
/// left, new clients are hung up on until others have gone: gRPC itself would never listen again.
class Acceptor {
public:
    /// Calls `serve` with the socket of each client, which owns it then. `listeners` must outlive this
    /// object.
    Acceptor(const std::vector<Listener>& listeners, std::function<void(int client)> serve);
    ~Acceptor();
    Acceptor(const Acceptor&) = delete;
    Acceptor& operator=(const Acceptor&) = delete;

    /// Clients that there were no file descriptors for.
    std::uint64_t refused() const { return m_refused; }

private:
    void run();
    bool accept_one(int listening);

    const std::vector<Listener>& m_listeners;
    std::function<void(int)> m_serve;
    Descriptor m_stop;  // readable when the thread is to end
    std::atomic<std::uint64_t> m_refused{0};
    std::thread m_thread;
};

}  // namespace tlmetry::serve
