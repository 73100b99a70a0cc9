// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/app/output_file.hpp>
#include <tlmetry/device/recorded_card.hpp>
#include <tlmetry/device/shared_card.hpp>
#include <tlmetry/device/simulated_card.hpp>
#include <tlmetry/nfb/device_name.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tlmetry::nfb {

/// A card inside the process that uses it, for all who have opened it under its name.
class OpenCard {
public:
    /// The card of this name: one for all who have it open at a time. Throws UserError when there can be
    /// none.
    static std::shared_ptr<OpenCard> find_or_open(const std::string& text);

    device::CardAccess& access() { return *m_shared; }
    const std::vector<std::uint8_t>& device_tree() const { return m_device_tree; }

    /// Whether a failure is the first one: the accesses behind it fail for the same reason.
    bool first_failure() { return !m_failed.exchange(true); }

private:
    /// `others` are files of other cards, which this one must not replace.
    OpenCard(const DeviceName& name, std::vector<app::NamedFile> others);

    std::vector<std::uint8_t> m_device_tree;
    std::unique_ptr<device::SimulatedCard> m_card;
    std::unique_ptr<device::RecordingFile> m_recording;  // null when nobody records
    std::unique_ptr<device::RecordedCard> m_recorded;
    std::unique_ptr<device::SharedCard> m_shared;
    std::atomic<bool> m_failed{false};
};

}  // namespace tlmetry::nfb
