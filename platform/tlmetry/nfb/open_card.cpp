// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/nfb/open_card.hpp"

#include <tlmetry/app/card_file.hpp>
#include <tlmetry/app/output_file.hpp>
#include <tlmetry/device/device_tree.hpp>
#include <tlmetry/nfb/device_name.hpp>

#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace tlmetry::nfb {

std::shared_ptr<OpenCard> OpenCard::find_or_open(const std::string& text) {
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<OpenCard>> cards;
    const std::lock_guard<std::mutex> lock(mutex);
    std::weak_ptr<OpenCard>& entry = cards[text];
    std::shared_ptr<OpenCard> card = entry.lock();
    if (card != nullptr) return card;
    const DeviceName name = DeviceName::parse(text);
    std::vector<app::NamedFile> others;
    for (const auto& [other, open] : cards) {
        if (!open.expired()) others.push_back({"device " + other, DeviceName::parse(other).record});
    }
    card.reset(new OpenCard(name, std::move(others)));
    entry = card;
    return card;
}

namespace {

/// A file for each recording of this process: a card that is opened again begins a new one, and does not
/// overwrite that of the card before. The library is never unloaded (-z nodelete), and so remembers them.
std::string own_file(const std::string& wanted) {
    static std::mutex mutex;
    static std::map<std::string, unsigned> opened;
    const std::lock_guard<std::mutex> lock(mutex);
    const unsigned number = ++opened[wanted];
    return number == 1 ? wanted : wanted + "." + std::to_string(number);
}

}  // namespace

OpenCard::OpenCard(const DeviceName& name, std::vector<app::NamedFile> others) {
    app::CardFile file;
    file.load({name.file}, name.parameters);
    const app::RunParameters& parameters = file.parameters();
    const device::SimulatedCard::Config config = parameters.card_config();
    for (app::NamedFile& read : app::files_of({name.file}, config.card))
        others.push_back(std::move(read));
    app::require_own_files(others, {{"option record-accesses", name.record}});
    m_card = std::make_unique<device::SimulatedCard>(config);
    m_card->sleep(parameters.warmup_fs);
    m_device_tree = device::device_tree(m_card->config(), parameters.shape);
    device::CardAccess* card = m_card.get();
    if (!name.record.empty()) {
        m_recording =
            std::make_unique<device::RecordingFile>(own_file(name.record), "option record-accesses");
        m_recorded = std::make_unique<device::RecordedCard>(*card, *m_recording);
        card = m_recorded.get();
    }
    m_shared = std::make_unique<device::SharedCard>(*card, name.pace);
}

}  // namespace tlmetry::nfb
