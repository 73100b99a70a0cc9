// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/access_log.hpp>
#include <tlmetry/device/recorded_card.hpp>

#include <boost/program_options/options_description.hpp>

#include <memory>
#include <string>

namespace tlmetry::app {

/// The options that write accesses to files: --record-accesses and --log-accesses.
class AccessOptions {
public:
    void add_to(boost::program_options::options_description& description);

    const std::string& record_file() const { return m_record; }
    const std::string& log_file() const { return m_log; }

    /// Null when nobody wants one. Throws UserError.
    std::unique_ptr<device::RecordingFile> open_recording() const;
    std::unique_ptr<device::AccessLog> open_log(const ClockDomain& clock) const;

private:
    std::string m_record;
    std::string m_log;
};

}  // namespace tlmetry::app
