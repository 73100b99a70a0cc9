// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint_telemetry/twin.hpp"

#include <algorithm>

namespace tlmetry::testing {

Twin::Twin(const telemetry::Config& config, const telemetry::Clocks& clocks, bool watch_deltas)
    : bulk(config, clocks), plain(config, clocks) {
    if (!watch_deltas) return;
    watch(bulk, m_bulk_deltas);
    watch(plain, m_plain_deltas);
}

void Twin::watch(telemetry::Telemetry& component, std::vector<Delta>& deltas) {
    component.on_delta([&deltas](std::uint32_t stream, const telemetry::DeltaFifo::Word& word) {
        deltas.push_back({stream, word.channel, word.delta});
    });
}

void Twin::compare(const std::string& what, std::uint64_t found, std::uint64_t expected) {
    if (found == expected || !m_difference.empty()) return;
    m_difference = what + ": found " + std::to_string(found) + ", expected " + std::to_string(expected) +
                   ", at " + std::to_string(bulk.now()) + " fs";
}

void Twin::read(cycle_t edge, std::uint32_t address) {
    const std::uint32_t found = bulk.read(edge, address);
    compare("address " + std::to_string(address), found, plain.read(edge, address));
}

void Twin::look(time_fs t) {
    bulk.advance_to(t);
    plain.advance_to(t);
    const std::size_t count = std::min(m_bulk_deltas.size(), m_plain_deltas.size());
    for (; m_compared < count; ++m_compared) {
        const Delta& found = m_bulk_deltas[m_compared];
        const Delta& expected = m_plain_deltas[m_compared];
        const std::string what = "delta " + std::to_string(m_compared) + ", stream " +
                                 std::to_string(expected.stream) + ", channel " +
                                 std::to_string(expected.channel);
        compare(what + ", its stream", found.stream, expected.stream);
        compare(what + ", its channel", found.channel, expected.channel);
        compare(what, found.value, expected.value);
    }
    compare("number of deltas", m_bulk_deltas.size(), m_plain_deltas.size());
    compare("dropped deltas", bulk.dropped_deltas(), plain.dropped_deltas());
    for (std::uint32_t i = 0; i < bulk.layout().entries; ++i) {
        compare("counted " + std::to_string(i), bulk.counted(i), plain.counted(i));
        compare("live " + std::to_string(i), bulk.live_counter(i), plain.live_counter(i));
        compare("snapshot " + std::to_string(i), bulk.snapshot_counter(i), plain.snapshot_counter(i));
    }
    for (std::uint32_t e = 0; e < bulk.config().pcie_endpoints; ++e) {
        compare("settings", bulk.status(e).settings_register(), plain.status(e).settings_register());
        compare("tags", bulk.status(e).tags_register(), plain.status(e).tags_register());
        compare("words", bulk.status(e).words_register(), plain.status(e).words_register());
    }
}

}  // namespace tlmetry::testing
