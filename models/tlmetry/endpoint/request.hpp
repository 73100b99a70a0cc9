// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <cstddef>
#include <cstdint>

namespace tlmetry::endpoint {

/// What a DMA engine asks of its port.
struct Request {
    time_fs arrival = 0;  ///< not before this time
    std::uint64_t address = 0;
    std::uint32_t length = 0;  ///< bytes, at least 1
    bool read = false;
    std::uint8_t flags = 0;
};

/// Where the requests of one port come from, in their order.
class RequestSource {
public:
    virtual ~RequestSource() = default;
    /// Takes the next requests that are known to arrive before `now`, at most `most`, in order; returns how
    /// many. None: none is known to arrive before `now`. Nothing may change any more what has been taken, but
    /// the port may use it much later.
    virtual std::size_t fetch(Request* out, std::size_t most, time_fs now) = 0;
    /// What arrives depends on nothing that happens, now and later: fetch() may be asked long before, and
    /// nobody need be told of reads that are done.
    virtual bool is_open() const { return false; }
    /// The read that was the `number`-th request, from 0, is done at the port at time `t`.
    virtual void read_done(std::uint64_t number, time_fs t) {
        static_cast<void>(number), static_cast<void>(t);
    }
    /// The same for one that has been lost: nothing comes any more.
    virtual void read_lost(std::uint64_t number, time_fs t) { read_done(number, t); }
};

}  // namespace tlmetry::endpoint
