// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/access_options.hpp"

namespace tlmetry::app {

namespace po = boost::program_options;

void AccessOptions::add_to(po::options_description& description) {
    auto add = description.add_options();
    add("record-accesses", po::value(&m_record)->value_name("FILE"),
        "save what software reads and writes and when, for tlmetry run --play-accesses");
    add("log-accesses", po::value(&m_log)->value_name("FILE"),
        "log every access on the MI bus: text, or the pins of the bus in FILE.vcd or FILE.vcd.gz");
}

std::unique_ptr<device::RecordingFile> AccessOptions::open_recording() const {
    if (m_record.empty()) return nullptr;
    return std::make_unique<device::RecordingFile>(m_record, "option --record-accesses");
}

std::unique_ptr<device::AccessLog> AccessOptions::open_log(const ClockDomain& clock) const {
    if (m_log.empty()) return nullptr;
    return device::AccessLog::open(m_log, clock, "option --log-accesses");
}

}  // namespace tlmetry::app
