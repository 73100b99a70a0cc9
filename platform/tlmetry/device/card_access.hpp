// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/time.hpp>

#include <cstdint>
#include <string>

namespace tlmetry::device {

/// Simulated time ends here. Models are right until `never`: what begins in time may last for some seconds.
inline constexpr time_fs end_of_time = 4600 * fs_per_s;

/// An access that the bus of a card refuses; nothing has happened, and software may go on.
class AccessError : public UserError {
public:
    using UserError::UserError;
};

/// What CardAccess::interrupt() has ended, or has not let begin.
class Interrupted : public UserError {
public:
    using UserError::UserError;
};

/// An access of software, which may be several on the bus.
struct SoftwareAccess {
    bool write;
    std::uint32_t address;
    std::uint32_t bytes;

    /// `MI read of 4 bytes at 0x10000`.
    std::string text() const;
};

/// The refusal of an access that does not lie within the component.
AccessError outside_component(const SoftwareAccess& access);

/// A card as software sees it: bytes of the telemetry component on its MI bus, and a time of its own.
///
/// An access begins at now() and now() is the moment of its answer afterwards; sleep() lets time pass. Data
/// in address order; any number of bytes at any address, cut into 32-bit MI accesses with byte enables. No
/// bytes are an access that does nothing, at any address. A card whose models are not restarted refuses what
/// would begin or sleep beyond end_of_time.
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

    /// Lets `duration` (0 or more) of simulated time pass. Throws AccessError.
    virtual void sleep(time_fs duration) = 0;

    /// The access after a write may come in the very next cycle (driver::MiBus).
    virtual bool posted_writes() const = 0;

    /// By any thread: accesses and sleeps that take long to work out throw Interrupted, now and from now on.
    /// For software that is interrupted in another way nothing happens.
    virtual void interrupt() {}
};

/// What is put around a card to see its accesses: passes on all the rest.
class CardAround : public CardAccess {
public:
    /// `card` must outlive this object.
    explicit CardAround(CardAccess& card) : m_card(card) {}

    time_fs now() const override { return m_card.now(); }
    double seconds() const override { return m_card.seconds(); }
    void sleep(time_fs duration) override { m_card.sleep(duration); }
    bool posted_writes() const override { return m_card.posted_writes(); }
    void interrupt() override { m_card.interrupt(); }

protected:
    CardAccess& m_card;
};

}  // namespace tlmetry::device
