// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/device/card_access.hpp>
#include <tlmetry/mi/device.hpp>

#include <memory>
#include <string>

namespace tlmetry::device {

/// Every access on the MI bus, one by one as the component sees them, in a file: as text, whose lines are
/// there at once, or as the pins of the bus if the name ends in .vcd or .vcd.gz.
class AccessLog {
public:
    /// Throws UserError beginning with `place` when the file cannot be written. `clock` is the MI clock and
    /// must outlive this object.
    static std::unique_ptr<AccessLog> open(const std::string& path, const ClockDomain& clock,
                                           const std::string& place);
    virtual ~AccessLog() = default;

    /// Accesses come in the order of their edges.
    virtual void access(const mi::MiAccess& access) = 0;

    /// An access that software tried at a time and that has been refused: nothing on the pins.
    virtual void refused(time_fs at, const SoftwareAccess& access) = 0;

    /// Writes what is left. Throws UserError when that fails.
    virtual void finish() = 0;
};

/// A card whose refused accesses go to a log; those served come from the bus.
class LoggedCard : public CardAround {
public:
    /// Both must outlive this object.
    LoggedCard(CardAccess& card, AccessLog& log) : CardAround(card), m_log(log) {}

    void read(std::uint32_t address, void* data, std::uint32_t bytes) override;
    void write(std::uint32_t address, const void* data, std::uint32_t bytes) override;

private:
    AccessLog& m_log;
};

}  // namespace tlmetry::device
