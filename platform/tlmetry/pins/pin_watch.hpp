// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint_pins/wave_recorder.hpp>
#include <tlmetry/pins/pin_check.hpp>
#include <tlmetry/platform/platform.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace tlmetry::pins {

/// Looks at the pins of a platform while it runs: records them, counts them again, or both.
class PinWatch {
public:
    struct Config {
        std::optional<endpoint_pins::WaveRecorder::Config> wave;
        bool check = false;
        std::uint32_t mps_bytes = 0;  ///< no frame may carry more; 0: any number
    };

    /// Before the platform runs. Throws UserError where it has no requests of its own, and like WaveRecorder
    /// and PinCheck.
    PinWatch(const Config& config, platform::Platform& platform);
    PinWatch(const PinWatch&) = delete;
    PinWatch& operator=(const PinWatch&) = delete;

    /// Once it has run: completes the waveform, and lets the pins that are counted catch up. Throws UserError
    /// when the waveform cannot be written.
    void finish();

    /// Null where nothing is counted again.
    const PinCheck* check() const { return m_check.get(); }

private:
    platform::Platform& m_platform;
    std::unique_ptr<endpoint_pins::WaveRecorder> m_wave;
    std::unique_ptr<PinCheck> m_check;
};

}  // namespace tlmetry::pins
