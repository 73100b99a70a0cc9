// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/clock.hpp>
#include <tlmetry/driver/mi_bus.hpp>
#include <tlmetry/remote/component.hpp>
#include <tlmetry/remote/remote_card.hpp>
#include <tlmetry/tool/device.hpp>

#include <memory>
#include <string>

namespace tlmetry::remote {

/// A component of a card in another process as a device of the tool. Its time is the host's.
class RemoteDevice : public tool::Device, private driver::MiBus {
public:
    /// Throws UserError where no such component answers.
    RemoteDevice(const std::string& address, unsigned index);

    driver::MiBus& bus() override { return *this; }
    driver::Clock& clock() override { return m_clock; }
    bool live() const override { return true; }
    std::optional<tool::Pace> pace() override;

private:
    std::string name() const override { return m_card.name(); }
    std::uint32_t read32(std::uint32_t address) override;
    void write32(std::uint32_t address, std::uint32_t value) override;
    std::vector<std::uint32_t> read_block(std::uint32_t address, std::size_t bytes) override;
    // Time may pass with accesses only, and stand still between two calls.
    bool posted_writes() const override { return true; }

    /// The first call after a pause takes several times as long as those behind it, which would make an
    /// interval look shorter than it is: a pause ends with a call that does nothing.
    class Clock : public driver::HostClock {
    public:
        explicit Clock(RemoteDevice& device) : m_device(device) {}
        void sleep(double seconds) override;

    private:
        RemoteDevice& m_device;
    };

    RemoteCard m_card;
    Component m_component;
    Clock m_clock{*this};
};

/// The device `grpc:HOST:PORT` or `grpc:unix:PATH`; null for other paths.
std::unique_ptr<tool::Device> open_remote_device(const std::string& path, unsigned index);

}  // namespace tlmetry::remote
