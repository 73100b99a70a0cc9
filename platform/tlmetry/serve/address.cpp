// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/serve/nfb_server.hpp>

#include <sys/un.h>

#include <string_view>

namespace tlmetry::serve {

namespace {

constexpr std::string_view unix_prefix = "unix:";
constexpr std::uint64_t highest_port = 65535;
constexpr std::size_t longest_path = sizeof(sockaddr_un::sun_path) - 1;

bool is_unix(const std::string& address) {
    return address.compare(0, unix_prefix.size(), unix_prefix) == 0;
}

}  // namespace

void check_address(const std::string& address, const std::string& place) {
    const auto refuse = [&](const std::string& expected) {
        throw UserError(place + ": expected " + expected + ", found " + config::found(address));
    };
    if (is_unix(address)) {
        const std::size_t length = address.size() - unix_prefix.size();
        if (length == 0 || length > longest_path)
            refuse("unix: and a path of at most " + std::to_string(longest_path) + " characters");
        return;
    }
    const std::size_t colon = address.rfind(':');
    if (colon == std::string::npos || colon == 0) refuse("HOST:PORT or unix:PATH");
    const std::string_view host = std::string_view(address).substr(0, colon);
    if (host.find(':') != std::string_view::npos && (host.front() != '[' || host.back() != ']'))
        refuse("HOST:PORT, an IPv6 address in brackets");
    const std::string_view digits = std::string_view(address).substr(colon + 1);
    const auto port = parse_unsigned(digits);
    if (!port || *port > highest_port || digits.find_first_not_of("0123456789") != std::string_view::npos)
        refuse("HOST:PORT with a port from 0 (any) to 65535");
}

bool is_local(const std::string& address) {
    if (is_unix(address)) return true;
    const std::string host = address.substr(0, address.rfind(':'));
    return host == "localhost" || host == "[::1]" || host.compare(0, 4, "127.") == 0;
}

}  // namespace tlmetry::serve
