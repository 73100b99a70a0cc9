// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace tlmetry::remote {

enum class Use { listen, connect };

/// `HOST:PORT`, with port 0 for any where somebody listens, or `unix:PATH`, where it has no
/// commas. Throws UserError beginning with
/// `place` for anything else.
void check_address(const std::string& address, Use use, const std::string& place);

/// The path of `unix:PATH`; empty for another address.
std::string socket_path(const std::string& address);

/// An address as gRPC takes it, which reads a path as part of a URI.
std::string grpc_address(const std::string& address);

}  // namespace tlmetry::remote
