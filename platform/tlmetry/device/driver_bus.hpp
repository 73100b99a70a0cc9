// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/card_access.hpp>
#include <tlmetry/driver/clock.hpp>
#include <tlmetry/driver/mi_bus.hpp>

#include <string>
#include <utility>

namespace tlmetry::device {

/// A card as the driver sees its bus.
class DriverBus : public driver::MiBus {
public:
    /// `name` is how messages name the device.
    DriverBus(CardAccess& card, std::string name) : m_card(card), m_name(std::move(name)) {}

    std::string name() const override { return m_name; }
    std::uint32_t read32(std::uint32_t address) override;
    void write32(std::uint32_t address, std::uint32_t value) override;
    std::vector<std::uint32_t> read_block(std::uint32_t address, std::size_t bytes) override;
    bool posted_writes() const override { return m_card.posted_writes(); }

private:
    CardAccess& m_card;
    std::string m_name;
};

/// The time of a card as the driver sees it: sleeping lets simulated time pass.
class DriverClock : public driver::Clock {
public:
    explicit DriverClock(CardAccess& card) : m_card(card) {}

    double now() override { return m_card.seconds(); }
    void sleep(double seconds) override;

private:
    CardAccess& m_card;
};

}  // namespace tlmetry::device
