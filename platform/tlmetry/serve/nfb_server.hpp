// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/shared_card.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tlmetry::serve {

/// The device service over gRPC: a card for software in other processes (sw/tlmetry/remote/nfb.proto). Errors
/// are statuses: NOT_FOUND for a path that the device tree has not, INVALID_ARGUMENT for lengths and offsets
/// that are none, OUT_OF_RANGE for bytes outside the component, INTERNAL when the simulation has failed,
/// UNAVAILABLE when the server is ending.
class NfbServer {
public:
    /// Listens on `addresses` (remote::check_address()) until its end. Throws UserError for one that cannot
    /// be listened on.
    NfbServer(device::SharedCard& card, std::vector<std::uint8_t> device_tree,
              const std::vector<std::string>& addresses);
    ~NfbServer();
    NfbServer(const NfbServer&) = delete;
    NfbServer& operator=(const NfbServer&) = delete;

    /// Answers the calls that have begun, those that wait or take long with UNAVAILABLE, and refuses those
    /// that come; interrupts the card. The destructor does it, too.
    void stop();

    struct Address {
        std::string text;  ///< with the port that the system chose for 0
        bool local;        ///< nobody outside this machine can reach it
    };
    const std::vector<Address>& addresses() const { return m_addresses; }

    /// Clients that have been hung up on so far, as no file descriptors were left for them.
    std::uint64_t refused_clients() const;

private:
    struct Services;

    std::vector<Address> m_addresses;
    std::unique_ptr<Services> m_services;
};

/// Throws UserError if one of the addresses cannot be listened on now, or is there twice: to be asked before
/// anything is replaced that a server there may be writing.
void require_usable(const std::vector<std::string>& addresses);

}  // namespace tlmetry::serve
