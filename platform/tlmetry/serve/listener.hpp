// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

namespace tlmetry::serve {

/// A file descriptor that is closed at the end.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : m_number(number) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;

    int number() const { return m_number; }

private:
    int m_number;
};

/// The sockets of one address that clients connect to: one of a path, and one of each address of a host.
class Listener {
public:
    /// Clients can connect, and wait; to a path not before publish(). Throws UserError where nobody can
    /// listen.
    explicit Listener(const std::string& address);
    ~Listener();
    Listener(Listener&& other) noexcept = default;
    Listener& operator=(Listener&&) = delete;

    /// Puts the socket of a path there, in the place of one that nobody listens on any more. Throws
    /// UserError.
    void publish();

    /// With the port that the system chose for 0.
    const std::string& address() const { return m_address; }

    /// Nobody outside this machine can reach it.
    bool local() const { return m_local; }

    const std::vector<Descriptor>& sockets() const { return m_sockets; }

private:
    void listen_on_host();
    void listen_on_path();
    [[noreturn]] void refuse(const std::string& reason) const;

    std::string m_address;
    std::vector<Descriptor> m_sockets;
    bool m_local = true;
    std::string m_path;         // empty for a host
    Descriptor m_folder;        // of the path
    std::string m_hidden_name;  // of the socket in that folder, until it is published
    struct stat m_file = {};    // of the socket
};

/// A listener for each address. Throws UserError if one cannot be listened on or is there twice.
std::vector<Listener> listen_on(const std::vector<std::string>& addresses);

}  // namespace tlmetry::serve
