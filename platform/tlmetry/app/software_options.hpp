// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/card_access.hpp>
#include <tlmetry/device/simulated_card.hpp>

#include <boost/program_options/options_description.hpp>

#include <functional>
#include <iosfwd>
#include <string>

namespace tlmetry::app {

/// The options that say what runs on the card in the place of the telemetry tool: --software with its
/// argument, and --play-accesses.
class SoftwareOptions {
public:
    /// Returns an ExitCode.
    using Software = std::function<int(device::CardAccess& card)>;

    void add_to(boost::program_options::options_description& description);

    /// Throws UserError for options that exclude each other.
    void validate() const;

    /// The telemetry tool runs.
    bool tool() const { return m_play.empty() && (m_name.empty() || m_name == "builtin:tool"); }
    const std::string& played_file() const { return m_play; }
    /// The option that stands for the software.
    const char* option() const { return m_play.empty() ? "--software" : "--play-accesses"; }

    /// What runs, unless it is the tool; logs go to `err`. Throws UserError for software that cannot be
    /// loaded.
    Software load(const device::SimulatedCard::Config& config, const std::string& shape, std::ostream& out,
                  std::ostream& err) const;

private:
    std::string m_name;
    std::string m_argument;
    std::string m_play;
};

}  // namespace tlmetry::app
