// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/card_device.hpp"

#include <tlmetry/app/card_file.hpp>
#include <tlmetry/app/output_file.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/device/driver_bus.hpp>
#include <tlmetry/device/recorded_card.hpp>
#include <tlmetry/device/simulated_card.hpp>
#include <tlmetry/nfb/device_name.hpp>

namespace tlmetry::app {

namespace {

class CardDevice : public tool::Device {
public:
    /// Accesses go to a recording, unless it is null.
    CardDevice(const RunParameters& parameters, const std::string& name,
               std::unique_ptr<device::RecordingFile> recording)
        : m_card(parameters.card_config()),
          m_recording(std::move(recording)),
          m_recorded(m_recording ? std::make_unique<device::RecordedCard>(m_card, *m_recording) : nullptr),
          m_bus(m_recorded ? static_cast<device::CardAccess&>(*m_recorded) : m_card, name),
          m_clock(m_card) {
        m_card.sleep(parameters.warmup_fs);
    }

    driver::MiBus& bus() override { return m_bus; }
    driver::Clock& clock() override { return m_clock; }
    bool live() const override { return true; }

private:
    device::SimulatedCard m_card;
    std::unique_ptr<device::RecordingFile> m_recording;
    std::unique_ptr<device::RecordedCard> m_recorded;
    device::DriverBus m_bus;
    device::DriverClock m_clock;
};

}  // namespace

std::unique_ptr<tool::Device> open_card_file(const std::string& path, unsigned index) {
    if (!nfb::DeviceName::is_one(path)) return nullptr;
    if (index != 0)
        throw UserError("option --index: a card has one component, expected 0, found " +
                        std::to_string(index));
    const nfb::DeviceName name = nfb::DeviceName::parse(path);
    if (name.pace.kind != device::Pacer::Kind::clock || name.pace.speed != 1) {
        throw UserError("device " + config::shortened(path) +
                        ": expected no speed, free-run or step: the time of the tool is simulated, too");
    }
    CardFile file;
    file.load({name.file}, name.parameters);
    require_own_files(files_of({name.file}, file.parameters().card_config().card),
                      {{"option record-accesses", name.record}});
    auto recording = name.record.empty()
                         ? nullptr
                         : std::make_unique<device::RecordingFile>(name.record, "option record-accesses");
    return std::make_unique<CardDevice>(file.parameters(), path, std::move(recording));
}

}  // namespace tlmetry::app
