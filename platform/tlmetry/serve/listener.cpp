// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/serve/listener.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/remote/address.hpp>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

namespace tlmetry::serve {

namespace {

namespace fs = std::filesystem;

constexpr int socket_flags = SOCK_NONBLOCK | SOCK_CLOEXEC;

/// A socket that clients can connect to; without a number, and with its `error`, where there can be none.
Descriptor bind_to(int family, const sockaddr* name, socklen_t bytes, int& error) {
    Descriptor made(socket(family, SOCK_STREAM | socket_flags, 0));
    const int on = 1;
    if (family != AF_UNIX) setsockopt(made.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (made.number() >= 0 && bind(made.number(), name, bytes) == 0 && listen(made.number(), SOMAXCONN) == 0)
        return made;
    error = errno;
    return Descriptor();
}

sockaddr_un path_name(const std::string& path) {
    sockaddr_un name = {};
    name.sun_family = AF_UNIX;
    path.copy(name.sun_path, sizeof name.sun_path - 1);
    return name;
}

/// The port of an address of either family, in network byte order.
in_port_t& port_of(sockaddr_storage& name) {
    return name.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(name).sin6_port
                                      : reinterpret_cast<sockaddr_in&>(name).sin_port;
}

bool is_loopback(const sockaddr_storage& name) {
    constexpr std::uint32_t loopback_net = 127;
    if (name.ss_family != AF_INET6)
        return ntohl(reinterpret_cast<const sockaddr_in&>(name).sin_addr.s_addr) >> 24 == loopback_net;
    const in6_addr& address = reinterpret_cast<const sockaddr_in6&>(name).sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(&address) ||
           (IN6_IS_ADDR_V4MAPPED(&address) && address.s6_addr[12] == loopback_net);
}

/// Why a path cannot be that of a socket; empty where nothing is, or a socket that nobody listens on any
/// more.
std::string occupied(const std::string& path) {
    struct stat file = {};
    if (lstat(path.c_str(), &file) != 0) return errno == ENOENT ? "" : std::strerror(errno);
    if (S_ISDIR(file.st_mode)) return "it is a folder";
    if (!S_ISSOCK(file.st_mode)) return "there is a file of this name already";
    const sockaddr_un name = path_name(path);
    const Descriptor probe(socket(AF_UNIX, SOCK_STREAM | socket_flags, 0));
    if (connect(probe.number(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0 ||
        errno == EAGAIN)
        return "another server is there";
    if (errno == ECONNREFUSED) return "";
    if (errno == EPROTOTYPE) return "there is a socket of another kind";
    return std::strerror(errno);
}

/// Whether two addresses are the same, however they are written. A list may ask for several ports that are
/// free.
bool same(const std::string& a, const std::string& b) {
    const std::string path = remote::socket_path(a);
    const std::string other = remote::socket_path(b);
    if (path.empty() || other.empty()) return a == b && a.compare(a.size() - 2, 2, ":0") != 0;
    std::error_code error;
    const auto place = [&error](const std::string& name) {
        const fs::path whole = fs::absolute(name, error);
        return fs::weakly_canonical(whole.parent_path(), error) / whole.filename();
    };
    return place(path) == place(other) && !error;
}

}  // namespace

Descriptor::~Descriptor() {
    if (m_number >= 0) close(m_number);
}

Descriptor::Descriptor(Descriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(m_number, other.m_number);
    return *this;
}

Listener::Listener(const std::string& address) : m_address(address), m_path(remote::socket_path(address)) {
    if (m_path.empty()) {
        listen_on_host();
    } else {
        listen_on_path();
    }
}

void Listener::refuse(const std::string& reason) const {
    throw UserError("listening on " + m_address + ": the address cannot be used: " + reason);
}

void Listener::listen_on_host() {
    const std::size_t colon = m_address.rfind(':');
    std::string host = m_address.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    addrinfo wanted = {};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    if (const int failure = getaddrinfo(host.c_str(), m_address.c_str() + colon + 1, &wanted, &list);
        failure != 0)
        refuse(gai_strerror(failure));
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> found(list, freeaddrinfo);
    int error = 0;
    in_port_t port = 0;  // the first one, for all
    for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
        sockaddr_storage name = {};
        std::memcpy(&name, one->ai_addr, one->ai_addrlen);
        if (port_of(name) == 0) port_of(name) = port;
        Descriptor made =
            bind_to(one->ai_family, reinterpret_cast<const sockaddr*>(&name), one->ai_addrlen, error);
        // A name may stand for addresses that this machine has not.
        if (made.number() < 0 && (error == EADDRNOTAVAIL || error == EAFNOSUPPORT)) continue;
        if (made.number() < 0) refuse(std::strerror(error));
        socklen_t bytes = sizeof name;
        getsockname(made.number(), reinterpret_cast<sockaddr*>(&name), &bytes);
        port = port_of(name);
        m_local = m_local && is_loopback(name);
        m_sockets.push_back(std::move(made));
    }
    if (m_sockets.empty()) refuse(std::strerror(error));
    m_address.replace(colon + 1, std::string::npos, std::to_string(ntohs(port)));
}

/// Binds under a name that nobody knows: a client finds the path only when it can connect. That name is one
/// in an open folder, so that it is short however long the path is.
void Listener::listen_on_path() {
    if (const std::string reason = occupied(m_path); !reason.empty()) refuse(reason);
    static std::atomic<unsigned> made{0};
    const std::size_t slash = m_path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : m_path.substr(0, slash + 1);
    m_folder = Descriptor(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (m_folder.number() < 0) refuse(std::strerror(errno));
    const std::string hidden = "." + std::to_string(getpid()) + "-" + std::to_string(made++);
    const sockaddr_un name = path_name("/proc/self/fd/" + std::to_string(m_folder.number()) + "/" + hidden);
    int error = 0;
    m_sockets.push_back(bind_to(AF_UNIX, reinterpret_cast<const sockaddr*>(&name), sizeof name, error));
    if (m_sockets.back().number() < 0) refuse(std::strerror(error));
    m_hidden_name = hidden;
    fstatat(m_folder.number(), hidden.c_str(), &m_file, AT_SYMLINK_NOFOLLOW);
}

void Listener::publish() {
    if (m_path.empty()) return;
    if (const std::string reason = occupied(m_path); !reason.empty()) refuse(reason);
    const std::string name = m_path.substr(m_path.rfind('/') + 1);
    if (renameat(m_folder.number(), m_hidden_name.c_str(), m_folder.number(), name.c_str()) != 0)
        refuse(std::strerror(errno));
    m_hidden_name.clear();
}

Listener::~Listener() {
    if (m_folder.number() < 0) return;
    struct stat now = {};
    // Another server may have put its own there since.
    const std::string name = m_hidden_name.empty() ? m_path.substr(m_path.rfind('/') + 1) : m_hidden_name;
    if (fstatat(m_folder.number(), name.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0 &&
        now.st_dev == m_file.st_dev && now.st_ino == m_file.st_ino)
        unlinkat(m_folder.number(), name.c_str(), 0);
}

std::vector<Listener> listen_on(const std::vector<std::string>& addresses) {
    std::vector<Listener> listeners;
    listeners.reserve(addresses.size());
    for (auto address = addresses.begin(); address != addresses.end(); ++address) {
        if (std::any_of(addresses.begin(), address, [&](const auto& other) { return same(other, *address); }))
            throw UserError("listening on " + *address + ": expected each address once");
        listeners.emplace_back(*address);
    }
    return listeners;
}

}  // namespace tlmetry::serve
