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

device::CardAccess& AccessOptions::recorded(device::CardAccess& card,
                                            std::unique_ptr<device::RecordedCard>& owner) const {
    if (m_record.empty()) return card;
    owner = std::make_unique<device::RecordedCard>(card, m_record, "option --record-accesses");
    return *owner;
}

std::unique_ptr<device::AccessLog> AccessOptions::open_log(const ClockDomain& clock) const {
    if (m_log.empty()) return nullptr;
    return device::AccessLog::open(m_log, clock, "option --log-accesses");
}

}  // namespace tlmetry::app
