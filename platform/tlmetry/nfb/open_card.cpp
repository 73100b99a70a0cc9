// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/nfb/open_card.hpp"

#include <tlmetry/app/card_file.hpp>
#include <tlmetry/device/device_tree.hpp>
#include <tlmetry/nfb/device_name.hpp>

#include <map>
#include <mutex>

namespace tlmetry::nfb {

std::shared_ptr<OpenCard> OpenCard::find_or_open(const std::string& name) {
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<OpenCard>> cards;
    const std::lock_guard<std::mutex> lock(mutex);
    std::weak_ptr<OpenCard>& entry = cards[name];
    std::shared_ptr<OpenCard> card = entry.lock();
    if (card == nullptr) {
        card.reset(new OpenCard(name));
        entry = card;
    }
    return card;
}

OpenCard::OpenCard(const std::string& text) {
    const DeviceName name = DeviceName::parse(text);
    app::CardFile file;
    file.load({name.file}, name.parameters);
    const app::RunParameters& parameters = file.parameters();
    m_card = std::make_unique<device::SimulatedCard>(parameters.card_config());
    m_card->sleep(parameters.warmup_fs);
    m_device_tree = device::device_tree(m_card->config(), parameters.shape);
    device::CardAccess* card = m_card.get();
    if (!name.record.empty()) {
        m_recording = std::make_unique<device::RecordingFile>(name.record, "option record-accesses");
        m_recorded = std::make_unique<device::RecordedCard>(*card, *m_recording);
        card = m_recorded.get();
    }
    m_shared = std::make_unique<device::SharedCard>(*card, name.pace);
}

}  // namespace tlmetry::nfb
