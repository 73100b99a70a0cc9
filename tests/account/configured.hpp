// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/account/experiment.hpp>
#include <tlmetry/app/run_parameters.hpp>
#include <tlmetry/config/ini.hpp>
#include <tlmetry/config/registry.hpp>

#include <string>
#include <vector>

namespace tlmetry::test {

/// The card of a configuration that comes along, with some parameters changed: "link.mps=512B".
inline device::SimulatedCard::Config configured(const std::string& file,
                                                const std::vector<std::string>& changes = {}) {
    app::RunParameters parameters;
    config::Registry registry;
    parameters.bind(registry);
    config::load_ini(registry, std::string(TLMETRY_CONFIGS) + "/" + file);
    std::vector<config::Assignment> assignments;
    for (const std::string& change : changes) {
        const std::size_t sign = change.find('=');
        assignments.push_back({change.substr(0, sign), change.substr(sign + 1), change});
    }
    registry.set(assignments);
    parameters.complete(registry);
    return parameters.card_config();
}

/// The payload link of seed experiments: 32.0 GB/s, 24 B of overhead for each completion, nothing else in the
/// way but tags, and `hold_ns` from the grant of a tag to the next one.
inline device::SimulatedCard::Config open_reads(std::uint32_t bytes, std::uint32_t tags, double retry,
                                                double hold_ns, std::vector<std::string> changes = {}) {
    const auto text = [](auto value) { return std::to_string(value); };
    for (const std::string& change :
         {std::string("link.generation=4"), std::string("link.lanes=16"), std::string("link.encoding=false"),
          std::string("link.dllp=off"), std::string("link.ecrc=true"), std::string("link.mps=4096B"),
          std::string("link.mrrs=4096B"), std::string("link.tag_10bit=true"),
          std::string("traffic.read_share=100%"), std::string("traffic.mix=random"),
          "traffic.read_size.bytes=" + text(bytes) + "B", "ptc.tags=" + text(tags),
          "link.down_errors=" + text(100 * retry / (1 + retry)) + "%"})
        changes.push_back(change);
    device::SimulatedCard::Config config = configured("card_open.ini", changes);
    // What PTC and link take of it on the idle card, and the cycles from the release of a tag to its next
    // grant.
    constexpr double release_cycles = 6;
    const double elsewhere_ns =
        account::idle_latency(config).read.hold_s * 1e9 -
        static_cast<double>(config.card.host.latency_fs) / fs_per_ns +
        release_cycles * static_cast<double>(config.clocks.pcie.front().period_fs()) / fs_per_ns;
    config.card.host.latency_fs = static_cast<time_fs>((hold_ns - elsewhere_ns) * fs_per_ns);
    return config;
}

}  // namespace tlmetry::test
