// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/card_access.hpp>
#include <tlmetry/mi/initiator.hpp>

#include <functional>
#include <utility>

namespace tlmetry::platform {

/// The card of a platform, for the one SC_THREAD that owns the initiator.
class PlatformCard : public device::CardAccess {
public:
    /// Called after every piece of a long sleep with the time reached; false ends the sleep at once, and so
    /// every later one.
    using Watch = std::function<bool(time_fs now)>;

    /// The component is at address 0 of the bus. A sleep passes in pieces of at most `piece_fs`; how long
    /// they are changes no result. `posted_writes`: see mi::MiBus.
    PlatformCard(mi::MiInitiator& initiator, bool posted_writes, time_fs piece_fs, Watch watch)
        : m_initiator(initiator),
          m_posted_writes(posted_writes),
          m_piece_fs(piece_fs),
          m_watch(std::move(watch)) {}

    void read(std::uint32_t address, void* data, std::uint32_t bytes) override;
    void write(std::uint32_t address, const void* data, std::uint32_t bytes) override;
    time_fs now() const override { return m_initiator.now(); }
    double seconds() const override;
    void sleep(time_fs duration) override;
    bool posted_writes() const override { return m_posted_writes; }

private:
    mi::MiInitiator& m_initiator;
    bool m_posted_writes;
    time_fs m_piece_fs;
    Watch m_watch;
};

}  // namespace tlmetry::platform
