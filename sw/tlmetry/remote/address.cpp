// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/remote/address.hpp>

#include <sys/un.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace tlmetry::remote {

namespace {

constexpr std::string_view unix_prefix = "unix:";
constexpr std::uint64_t highest_port = 65535;
constexpr std::size_t longest_path = sizeof(sockaddr_un::sun_path) - 1;

bool is_unix(const std::string& address) {
    return address.compare(0, unix_prefix.size(), unix_prefix) == 0;
}

bool is_control(char c) {
    constexpr unsigned char space = ' ';
    constexpr unsigned char del = 0x7F;
    return static_cast<unsigned char>(c) < space || static_cast<unsigned char>(c) == del;
}

}  // namespace

void check_address(const std::string& address, Use use, const std::string& place) {
    const auto refuse = [&](const std::string& expected) {
        throw UserError(place + ": expected " + expected + ", found " + config::found(address));
    };
    if (is_unix(address)) {
        const std::size_t length = socket_path(address).size();
        if (length == 0 || length > longest_path)
            refuse("unix: and a path of at most " + std::to_string(longest_path) + " characters");
        // Addresses and options are separated by commas, devices by lines.
        if (std::any_of(address.begin(), address.end(), [](char c) { return c == ',' || is_control(c); }))
            refuse("unix: and a path without commas and control characters");
        return;
    }
    const std::size_t colon = address.rfind(':');
    if (colon == std::string::npos || colon == 0) refuse("HOST:PORT or unix:PATH");
    const std::string_view host = std::string_view(address).substr(0, colon);
    if (host.find(':') != std::string_view::npos && (host.front() != '[' || host.back() != ']'))
        refuse("HOST:PORT, an IPv6 address in brackets");
    if (use == Use::listen && host == "*") refuse("HOST:PORT, 0.0.0.0 or [::] for all of this machine");
    const std::string_view digits = std::string_view(address).substr(colon + 1);
    const auto port = parse_unsigned(digits);
    const std::uint64_t lowest_port = use == Use::listen ? 0 : 1;
    if (!port || *port < lowest_port || *port > highest_port ||
        digits.find_first_not_of("0123456789") != std::string_view::npos)
        refuse(std::string("HOST:PORT with a port from ") + (use == Use::listen ? "0 (any)" : "1") +
               " to 65535");
}

std::string socket_path(const std::string& address) {
    return is_unix(address) ? address.substr(unix_prefix.size()) : std::string();
}

std::string grpc_address(const std::string& address) {
    if (!is_unix(address)) return address;
    constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    std::string text(unix_prefix);
    for (const char c : socket_path(address)) {
        char code[4];
        std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
        text += plain.find(c) != std::string_view::npos ? std::string(1, c) : code;
    }
    return text;
}

}  // namespace tlmetry::remote
