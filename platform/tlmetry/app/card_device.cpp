// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/card_device.hpp"

#include <tlmetry/app/card_file.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/device/driver_bus.hpp>
#include <tlmetry/device/simulated_card.hpp>

#include <string_view>

namespace tlmetry::app {

namespace {

class CardDevice : public tool::Device {
public:
    CardDevice(const RunParameters& parameters, const std::string& name)
        : m_card(parameters.card_config()), m_bus(m_card, name), m_clock(m_card) {
        m_card.sleep(parameters.warmup_fs);
    }

    driver::MiBus& bus() override { return m_bus; }
    driver::Clock& clock() override { return m_clock; }
    bool live() const override { return true; }

private:
    device::SimulatedCard m_card;
    device::DriverBus m_bus;
    device::DriverClock m_clock;
};

}  // namespace

std::unique_ptr<tool::Device> open_card_file(const std::string& path, unsigned index) {
    constexpr std::string_view end = ".ini";
    if (path.size() < end.size() || path.compare(path.size() - end.size(), end.size(), end) != 0)
        return nullptr;
    if (index != 0)
        throw UserError("option --index: a card has one component, expected 0, found " +
                        std::to_string(index));
    CardFile file;
    file.load({path}, {});
    return std::make_unique<CardDevice>(file.parameters(), path);
}

}  // namespace tlmetry::app
