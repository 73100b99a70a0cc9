// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/serve/acceptor.hpp"

#include <tlmetry/base/error.hpp>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tlmetry::serve {

namespace {

// Descriptors that are kept from clients: gRPC and the files of results may need some at any time.
constexpr rlim_t reserve = 8;
constexpr int pause_ms = 100;

/// The lowest number that is free is given out: a high one says that the others are taken.
bool is_of_the_reserve(int descriptor) {
    rlimit limit = {};
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           static_cast<rlim_t>(descriptor) + reserve >= limit.rlim_cur;
}

}  // namespace

Acceptor::Acceptor(const std::vector<Listener>& listeners, std::function<void(int client)> serve)
    : m_listeners(listeners), m_serve(std::move(serve)), m_stop(eventfd(0, EFD_CLOEXEC)) {
    if (m_stop.number() < 0) throw UserError(std::string("listening: ") + std::strerror(errno));
    m_thread = std::thread([this] { run(); });
}

Acceptor::~Acceptor() {
    eventfd_write(m_stop.number(), 1);
    m_thread.join();
}

void Acceptor::run() {
    std::vector<pollfd> watched{{m_stop.number(), POLLIN, 0}};
    for (const Listener& listener : m_listeners) {
        for (const Descriptor& socket : listener.sockets())
            watched.push_back({socket.number(), POLLIN, 0});
    }
    for (;;) {
        poll(watched.data(), watched.size(), -1);
        if (watched[0].revents != 0) return;
        bool out_of_descriptors = false;
        for (std::size_t i = 1; i < watched.size(); ++i) {
            if (watched[i].revents != 0 && !accept_one(watched[i].fd)) out_of_descriptors = true;
        }
        // They come back when others close theirs, which nobody tells.
        if (out_of_descriptors && poll(watched.data(), 1, pause_ms) > 0) return;
    }
}

/// False if the client has to wait.
bool Acceptor::accept_one(int listening) {
    const int client = accept4(listening, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (client < 0) {
        const bool out_of_descriptors =
            errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
        if (out_of_descriptors) ++m_refused;
        return !out_of_descriptors;
    }
    if (is_of_the_reserve(client)) {
        close(client);
        ++m_refused;
        return true;
    }
    const int on = 1;  // of TCP; another kind takes no notice
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    m_serve(client);
    return true;
}

}  // namespace tlmetry::serve
