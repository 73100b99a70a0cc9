// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tlmetry/replay/pins.hpp>
#include <tlmetry/telemetry/telemetry.hpp>
#include <tlmetry/wave/vcd_reader.hpp>

namespace tlmetry::replay {

/// Which value of a pin an edge samples when both change at one time stamp.
enum class Sample {
    pre,   ///< the one before: pins are driven by registers of the same clock
    post,  ///< the one after: a bench drives pins right at the edge
};

/// An answer of the recording that the model does not give.
struct Difference {
    time_fs time = 0;           ///< MI edge at which a master samples the answer
    std::string what;           ///< "DRDY" or "DRD"
    std::uint32_t address = 0;  ///< of the read, where there is one
    std::uint32_t expected = 0;  ///< recorded
    std::uint32_t found = 0;     ///< of the model
};

/// Clocks for pins that a recording does not hold.
struct MissingClocks {
    time_fs mi_period = 10 * fs_per_ns;
    time_fs dma_period = 5 * fs_per_ns;
    time_fs pcie_period = 2'500'000;
};

/// Plays a recording of the pins into a telemetry model: the third way into the counting core. Edges of the clocks
/// are those recorded, one by one; MI reads and writes are repeated and each answer is compared in value and cycle.
class Player {
public:
    /// `reader` must not have been stepped yet. Throws UserError when the recording holds no bus of the component,
    /// or a bus without its clock.
    Player(wave::VcdReader& reader, const telemetry::Config& config, const PinMap& map, const std::string& scope,
           Sample sample, const MissingClocks& missing);
    ~Player();

    /// Called now and then with the time reached, to show progress.
    void on_progress(std::function<void(time_fs)> callback);

    /// Plays to the end, or to the first difference.
    void play();

    telemetry::Telemetry& telemetry();
    bool has_mi() const;
    /// Whether the recording holds the answers (MI_DRD and MI_DRDY).
    bool has_answers() const;
    std::uint64_t answers_compared() const;
    const std::optional<Difference>& difference() const;
    time_fs first_time() const;  ///< first time stamp
    time_fs end_time() const;    ///< last time stamp

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace tlmetry::replay
