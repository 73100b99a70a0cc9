// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::ptt {

/// What a trace can be filtered by: root ports of a unit and the functions behind them, by names such as
/// 0000:00:10.0 and the numbers of a filter, as sysfs lists them in root_port_filters and requester_filters.
/// They come and go with the functions.
class TraceTargets {
public:
    struct Target {
        std::uint16_t bdf = 0;
        bool root_port = false;

        std::string name() const;      ///< 0000:00:10.0
        std::uint32_t filter() const;  ///< 0x80001
    };

    void plug_root_port(std::uint16_t bdf) { plug({bdf, true}); }
    void plug_requester(std::uint16_t bdf) { plug({bdf, false}); }
    /// The function has gone; one that is not there is nothing.
    void unplug(std::uint16_t bdf);

    /// In the order of their numbers.
    const std::vector<Target>& all() const { return m_targets; }

    /// The filter that `text` means: a number, the name of a requester, or names of root ports separated by
    /// commas. Whether a number is one of those here is left to validate(). Throws UserError, beginning with
    /// `place`.
    std::uint32_t parse(const std::string& text, const std::string& place) const;
    /// Throws UserError, beginning with `place`, for a filter of root ports or a requester that are not here.
    /// No root port at all is a filter, too, which takes nothing.
    void validate(std::uint32_t filter, const std::string& place) const;

private:
    void plug(const Target& target);
    std::string names() const;

    std::vector<Target> m_targets;
};

}  // namespace tlmetry::ptt
