// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/arrival.hpp>

#include <cstdint>

namespace tlmetry::endpoint {

/// A TLP on the link of a root port, as who listens there sees it.
struct LinkTlp {
    enum class Kind : std::uint8_t { write, read, completion };

    time_fs at = 0;                ///< its last byte is at the root port, or leaves it
    std::uint64_t address = 0;     ///< of its first byte; of a completion that of its data
    std::uint32_t length = 0;      ///< bytes that are asked for or carried
    std::uint32_t byte_count = 0;  ///< completions: what is left of the read, with this one
    std::uint16_t tag = 0;         ///< of reads and completions
    std::uint16_t endpoint = 0;
    Kind kind = Kind::write;
    bool inbound = false;    ///< from the endpoint
    bool native = false;     ///< a request of the processor, or the completion of one
    std::uint8_t flags = 0;  ///< Attr[1:0] of a request

    /// A request of an endpoint that has arrived.
    static LinkTlp of(const Arrival& arrival, std::uint16_t endpoint) {
        LinkTlp tlp;
        tlp.at = arrival.at;
        tlp.address = arrival.address;
        tlp.length = arrival.length;
        tlp.tag = arrival.read ? arrival.tag : std::uint16_t{0};
        tlp.endpoint = endpoint;
        tlp.kind = arrival.read ? Kind::read : Kind::write;
        tlp.inbound = true;
        tlp.flags = arrival.flags & 3;
        return tlp;
    }
};

}  // namespace tlmetry::endpoint
