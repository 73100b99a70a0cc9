// SPDX-License-Identifier: BSD-3-Clause
// Addresses and paths that servers and clients are given.
#include "../sw/files.hpp"
#include "served_card.hpp"
#include "standard_error.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/remote/address.hpp>
#include <tlmetry/remote/remote_card.hpp>

#include <catch2/catch.hpp>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

using namespace tlmetry;
using Catch::Contains;
using Catch::EndsWith;
using grpc::StatusCode;
using test::component_path;
using test::ServedCard;

TEST_CASE("a client takes the addresses that a server can have") {
    const std::string expected = ": expected HOST:PORT with a port from 1 to 65535, found ";
    for (const std::string bad : {"127.0.0.1:116518", "127.0.0.1:0", "127.0.0.1:65536", "localhost:x"})
        CHECK_THROWS_WITH(remote::RemoteCard(bad), "grpc:" + bad + expected + "'" + bad + "'");
    CHECK_THROWS_WITH(remote::RemoteCard("localhost"),
                      "grpc:localhost: expected HOST:PORT or unix:PATH, found 'localhost'");
    CHECK_THROWS_WITH(remote::RemoteCard("unix:" + std::string(200, 'x')),
                      Contains(": expected unix: and a path of at most 107 characters, found "));
    CHECK_THROWS_WITH(remote::RemoteCard(""), EndsWith("found nothing"));
    CHECK_NOTHROW(remote::RemoteCard("127.0.0.1:1"));
}

TEST_CASE("a socket may have any name") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path("50% of #1? "));
    ServedCard served;
    for (const char* name : {"50% of #1? /a b", "%41", "\xff\xfe", "\xc3\xa9:&="}) {
        const std::string address = "unix:" + folder.path(name);
        serve::NfbServer server(served.shared, {}, {address});
        CHECK(std::filesystem::is_socket(folder.path(name)));
        CHECK(remote::RemoteCard(address).status().pace == "real time");
    }
}

TEST_CASE("a path may be as long as that of a socket, however short its name is") {
    const test::TemporaryFolder folder;
    constexpr std::size_t longest = sizeof(sockaddr_un::sun_path) - 1;
    const std::string below = folder.path("");
    const std::string inner = below + std::string(longest - below.size() - 2, 'x');
    std::filesystem::create_directory(inner);
    const std::string address = "unix:" + inner + "/s";
    CHECK(address.size() == longest + 5);
    ServedCard served;
    const serve::NfbServer server(served.shared, {}, {address});
    CHECK(remote::RemoteCard(address).status().pace == "real time");
}

TEST_CASE("an address says whether others can reach it") {
    ServedCard served;
    const test::TemporaryFolder folder;
    const auto local = [&](const std::string& address) {
        return serve::NfbServer(served.shared, {}, {address}).addresses().front().local;
    };
    CHECK(local("127.1.2.3:0"));
    CHECK(local("2130706433:0"));  // the same as 127.0.0.1
    CHECK(local("localhost:0"));
    CHECK(local("unix:" + folder.path("socket")));
    CHECK_FALSE(local("0.0.0.0:0"));
}

TEST_CASE("the addresses of a name have one port") {
    ServedCard served;
    const serve::NfbServer server(served.shared, {}, {"localhost:0"});
    const std::string address = server.addresses().front().text;
    CHECK(remote::RemoteCard("127.0.0.1" + address.substr(address.rfind(':'))).status().pace == "real time");
}

TEST_CASE("a socket of another kind stays") {
    const test::TemporaryFolder folder;
    ServedCard served;
    for (const int kind : {SOCK_DGRAM, SOCK_SEQPACKET}) {
        const std::string path = folder.path(std::to_string(kind));
        sockaddr_un name = {};
        name.sun_family = AF_UNIX;
        path.copy(name.sun_path, sizeof name.sun_path - 1);
        const int other = socket(AF_UNIX, kind, 0);
        REQUIRE(bind(other, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
        CHECK_THROWS_WITH(
            serve::NfbServer(served.shared, {}, {"unix:" + path}),
            "listening on unix:" + path + ": the address cannot be used: there is a socket of another kind");
        close(other);
    }
}

TEST_CASE("a server leaves nothing behind but the socket of another one") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("socket");
    const auto files = [&] {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder.path("")))
            names.push_back(entry.path().filename());
        return names;
    };
    ServedCard served;
    ServedCard other;
    serve::NfbServer first(served.shared, {}, {"unix:" + path});
    CHECK(files() == std::vector<std::string>{"socket"});
    std::filesystem::remove(path);
    {
        serve::NfbServer second(other.shared, {}, {"unix:" + path});
        first.stop();
        CHECK(files() == std::vector<std::string>{"socket"});
        CHECK(remote::RemoteCard("unix:" + path).status().pace == "real time");
    }
    CHECK(files().empty());
    CHECK_THROWS_AS(serve::NfbServer(other.shared, {}, {"unix:" + folder.path("x"), other.address}),
                    UserError);
    CHECK(files().empty());
}

TEST_CASE("a socket that nobody listens on any more is replaced") {
    const test::TemporaryFolder folder;
    sockaddr_un name = {};
    name.sun_family = AF_UNIX;
    folder.path("socket").copy(name.sun_path, sizeof name.sun_path - 1);
    const int left = socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(bind(left, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
    close(left);
    ServedCard served;
    const std::string address = "unix:" + folder.path("socket");
    serve::NfbServer server(served.shared, {}, {address});
    CHECK(remote::RemoteCard(address).status().pace == "real time");
}

TEST_CASE("a path of the device tree that is no UTF-8 is one that is not there") {
    ServedCard served;
    remote::RemoteCard client(served.address);
    test::StandardError error;
    std::string data;
    const grpc::Status status = served.read("/\xff\xfe", 4, 0, data);
    const grpc::Status written = served.write("/\xc3", 1, 0, "x");
    std::uint8_t bytes[4] = {};
    std::string message;
    try {
        client.read("/\xff\xfe", 0, bytes, 4);
    } catch (const UserError& refused) {
        message = refused.what();
    }
    CHECK(error.text().empty());
    CHECK(status.error_code() == StatusCode::NOT_FOUND);
    CHECK(status.error_message() == "no component at the path /\xff\xfe");
    CHECK(written.error_code() == StatusCode::NOT_FOUND);
    CHECK_THAT(message, EndsWith(": a read failed: no component at the path /\xff\xfe"));
}

TEST_CASE("accesses to where nothing is are counted, and nothing else happens") {
    ServedCard served({device::Pacer::Kind::step, 1, fs_per_us});
    std::string data;
    CHECK(served.read(component_path, 4, 0xFFFE, data).error_code() == StatusCode::OUT_OF_RANGE);
    CHECK(served.write(component_path, 4, 0x10000, "abcd").error_code() == StatusCode::OUT_OF_RANGE);
    CHECK(served.read(device::mi_bus_path, 4, 0, data).error_code() == StatusCode::OUT_OF_RANGE);
    CHECK(served.shared.now() == 0);
    const auto refused = remote::RemoteCard(served.address).status();
    CHECK(refused.accesses == 3);
    CHECK(refused.refused == 3);
    // Calls that are no accesses.
    CHECK(served.read("/nowhere", 4, 0, data).error_code() == StatusCode::NOT_FOUND);
    CHECK(served.read(component_path, -4, 0, data).error_code() == StatusCode::INVALID_ARGUMENT);
    CHECK(served.write(component_path, 0, 0x10000, "").ok());
    CHECK(served.read(component_path, 4, 0, data).ok());
    const auto all = remote::RemoteCard(served.address).status();
    CHECK(all.accesses == 4);
    CHECK(all.refused == 3);
}
