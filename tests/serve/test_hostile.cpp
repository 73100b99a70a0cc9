// SPDX-License-Identifier: BSD-3-Clause
// A server goes on serving whatever clients send.
#include "served_card.hpp"

#include <tlmetry/base/random.hpp>

#include <arpa/inet.h>
#include <catch2/catch.hpp>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <vector>

using namespace tlmetry;
using test::component_path;
using test::ServedCard;

namespace {

/// A bare connection to a server on this machine.
class Connection {
public:
    explicit Connection(const std::string& address) : m_socket(socket(AF_INET, SOCK_STREAM, 0)) {
        REQUIRE(m_socket >= 0);
        sockaddr_in name = {};
        name.sin_family = AF_INET;
        name.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
        name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(connect(m_socket, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
    }
    ~Connection() {
        if (m_socket >= 0) close(m_socket);
    }
    Connection(Connection&& other) noexcept : m_socket(std::exchange(other.m_socket, -1)) {}
    Connection& operator=(Connection&&) = delete;

    /// The server may have hung up.
    void send(const std::string& text) const { ::send(m_socket, text.data(), text.size(), MSG_NOSIGNAL); }

private:
    int m_socket;
};

bool serves(ServedCard& served) {
    std::string data;
    return served.read(component_path, 4, 0, data).ok() && data == "MLTP";
}

const std::string preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

std::string noise(Random& random, std::size_t bytes) {
    std::string text(bytes, '\0');
    for (char& c : text)
        c = static_cast<char>(random.below(256));
    return text;
}

/// A frame of HTTP/2.
std::string frame(std::uint32_t length, std::uint8_t type, std::uint8_t flags, std::uint32_t stream,
                  const std::string& payload) {
    std::string text;
    for (const int shift : {16, 8, 0})
        text += static_cast<char>(length >> shift);
    text += static_cast<char>(type);
    text += static_cast<char>(flags);
    for (const int shift : {24, 16, 8, 0})
        text += static_cast<char>(stream >> shift);
    return text + payload;
}

}  // namespace

TEST_CASE("a server outlives garbage") {
    ServedCard served;
    Random random(1, "garbage");
    for (int i = 0; i < 200; ++i) {
        Connection connection(served.address);
        switch (random.below(4)) {
            case 0:
                connection.send(noise(random, random.below(4096)));
                break;
            case 1:
                connection.send(preface + noise(random, random.below(4096)));
                break;
            case 2: {
                const std::string payload = noise(random, random.below(256));
                connection.send(preface + frame(0, 4, 0, 0, "") +
                                frame(random.below(1 << 24), static_cast<std::uint8_t>(random.below(256)),
                                      static_cast<std::uint8_t>(random.below(256)), random.below(8),
                                      payload));
                break;
            }
            default:
                connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        }
        if (i % 20 == 0) CHECK(serves(served));
    }
    CHECK(serves(served));
}

TEST_CASE("a server outlives messages of any length") {
    ServedCard served;
    std::string data;
    CHECK_FALSE(served.write(component_path, 8 << 20, 0, std::string(8 << 20, 'x')).ok());
    CHECK_FALSE(served.write(component_path, 1 << 20, 0, std::string(1 << 20, 'x')).ok());
    CHECK_FALSE(served.read(std::string(5 << 20, 'x'), 4, 0, data).ok());
    CHECK_FALSE(served.read(std::string(1 << 20, '/'), 4, 0, data).ok());
    CHECK(serves(served));
}

TEST_CASE("a server outlives a thousand connections") {
    // Both ends are in this process.
    rlimit files = {};
    REQUIRE(getrlimit(RLIMIT_NOFILE, &files) == 0);
    files.rlim_cur = std::min<rlim_t>(files.rlim_max, 8192);
    REQUIRE(setrlimit(RLIMIT_NOFILE, &files) == 0);
    const int count = files.rlim_cur >= 4096 ? 1000 : 200;
    ServedCard served;
    REQUIRE(serves(served));
    std::vector<Connection> connections;
    for (int i = 0; i < count; ++i) {
        connections.emplace_back(served.address);
        if (i % 2 == 0) connections.back().send(preface + frame(0, 4, 0, 0, ""));
    }
    CHECK(serves(served));
    connections.clear();
    CHECK(serves(served));
}
