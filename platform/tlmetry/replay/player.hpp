// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/replay/pins.hpp>
#include <tlmetry/replay/recorded_mi.hpp>
#include <tlmetry/telemetry/telemetry.hpp>
#include <tlmetry/wave/vcd_reader.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tlmetry::replay {

/// An answer of the recording that the model does not give.
struct Difference {
    time_fs time = 0;                       ///< MI edge at which a master samples the answer
    std::optional<std::uint32_t> address;   ///< of the read that the model answers there
    std::optional<std::uint32_t> expected;  ///< DRD as recorded; none: no answer (DRDY = 0)
    std::optional<std::uint32_t> found;     ///< DRD of the model; none: no answer
};

/// Plays a recording of the pins into a telemetry model: the third way into the counting core. Edges of the
/// clocks are those recorded, one by one; MI reads and writes are repeated and each answer is compared in
/// value and cycle.
class Player {
public:
    /// `reader` must not have been stepped yet. `absent` are the clocks that stand in for those of which the
    /// recording holds no pins at all. Throws UserError when the recording holds no bus of the component,
    /// pins without their clock, or a mapped pin that the component does not have.
    Player(wave::VcdReader& reader, const telemetry::Config& config, const PinSource& source, Sample sample,
           const telemetry::Clocks& absent);
    ~Player();

    /// Called now and then on the way; playing stops when it returns false.
    void on_progress(std::function<bool()> callback);

    /// Plays to the end, or to the first difference.
    void play();

    telemetry::Telemetry& telemetry();
    const telemetry::Telemetry& telemetry() const;
    /// The recording holds accesses to the registers.
    bool has_traffic() const;
    /// The recording holds the answers to them.
    bool has_answers() const;
    /// Pins that the recording does not hold; they read as zero.
    const std::vector<std::string>& missing_pins() const;

    std::uint64_t answers_compared() const;
    const std::optional<Difference>& difference() const;
    /// False when the callback stopped it, or a difference.
    bool played_to_the_end() const;

    time_fs first_time() const;  ///< first time stamp
    time_fs end_time() const;    ///< last time stamp

    /// Every counter of the memory with all that has been counted up to the end, whether software could read
    /// it by then or not.
    const std::vector<std::uint64_t>& counters() const;
    /// The recording has cleared the counters on the way.
    bool cleared() const;
    /// A time behind the last edge, at which Telemetry::peek() shows the registers at the end.
    time_fs look_time() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace tlmetry::replay
