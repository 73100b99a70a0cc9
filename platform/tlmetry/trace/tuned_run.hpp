// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/device/simulated_card.hpp>
#include <tlmetry/ptt/tune_events.hpp>
#include <tlmetry/ptt/tune_unit.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tlmetry::trace {

/// Levels that a driver sets, by ptt::TuneEvent; what is not set stays as it is.
using TuneSettings = std::array<std::optional<std::uint32_t>, ptt::tune_events.size()>;

/// What became of a card behind root ports with some levels; rates are those of all endpoints behind
/// the root ports of the core.
struct TunedRun {
    ptt::TuneUnit::Levels levels{};  ///< as the driver reads them back

    /// What root ports send. Without a watermark each TLP is a batch of its own.
    struct Sent {
        double tlps_per_s = 0;
        double bytes_per_s = 0;  ///< on the link
        double mean_wait_s = 0;  ///< at the root port
        double tlps_in_batch = 1;
    };
    Sent completions, nonposted, posted;
    /// Of requests of the card that root ports have passed on to the host.
    double received_wait_s = 0;
    double received_in_batch = 1;

    double useful_up = 0;    ///< payload of writes at the host, bytes a second
    double useful_down = 0;  ///< payload of reads at the DMA ports, bytes a second
    double mean_read_s = 0;  ///< from the header on UP to the last completion on DOWN; 0 without reads
};

/// Simulates a card for `warmup` and measures it for `duration`, with levels that the driver sets of the root
/// ports of a core before. Throws UserError like SimulatedCard; `go_on` is asked every now and then: if it
/// says no, device::Interrupted is thrown.
TunedRun run_tuned(const device::SimulatedCard::Config& config, std::uint32_t core,
                   const TuneSettings& settings, time_fs warmup, time_fs duration,
                   const std::function<bool()>& go_on = {});

/// The levels and what they do, of a run with those of the configuration and, if any are set, of one with
/// these.
std::string tune_text(const std::vector<TunedRun>& runs, std::uint32_t core);
/// Schema `tlmetry.tune/1`.
std::string tune_json(const std::vector<TunedRun>& runs, std::uint32_t core);

}  // namespace tlmetry::trace
