// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/time.hpp>

#include <cstdint>

namespace tlmetry::device {

/// An access that the bus of a card refuses; nothing has happened, and software may go on.
class AccessError : public UserError {
public:
    using UserError::UserError;
};

/// A card as software sees it: bytes of the telemetry component on its MI bus, and a time of its own.
///
/// An access begins at now() and now() is the moment of its answer afterwards; sleep() lets time pass. Data
/// in address order; any number of bytes at any address, cut into 32-bit MI accesses with byte enables. No
/// bytes are an access that does nothing, at any address.
class CardAccess {
public:
    virtual ~CardAccess() = default;

    /// `address` is a byte offset from the base of the component. Throws AccessError.
    virtual void read(std::uint32_t address, void* data, std::uint32_t bytes) = 0;
    virtual void write(std::uint32_t address, const void* data, std::uint32_t bytes) = 0;

    /// Simulated time since the models were started.
    virtual time_fs now() const = 0;
    /// Simulated seconds since the start of the card, which may have restarted its models.
    virtual double seconds() const = 0;

    /// Lets `duration` (0 or more) of simulated time pass.
    virtual void sleep(time_fs duration) = 0;

    /// The access after a write may come in the very next cycle (driver::MiBus).
    virtual bool posted_writes() const = 0;
};

}  // namespace tlmetry::device
