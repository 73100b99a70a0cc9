// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace tlmetry::device {

/// How much simulated time passes for software that has a time of its own. Host times are nanoseconds of a
/// monotonic clock.
class Pacer {
public:
    enum class Kind {
        clock,     ///< host time, times a speed
        free_run,  ///< as fast as the models can
        step,      ///< a given time in front of each access, none otherwise
    };

    struct Config {
        Kind kind = Kind::clock;
        double speed = 1;  ///< simulated by host time
        time_fs step_fs = 0;

        /// What a user wrote, and the place that begins a message about it.
        struct Text {
            std::string text;  ///< empty: nothing
            std::string place;
        };
        /// A speed from 1e-6 to 1000 (1 is real time), a time in front of each access, or free run; none of
        /// them is real time. Throws UserError for other values, and in the name of `all` for more than one.
        static Config read(const Text& speed, const Text& step, bool free_run, const std::string& all);

        /// In words, for a log: `real time`, `0.1 x real time`, ...
        std::string text() const;
    };

    /// Simulated time that has not passed, at the pace of a clock, is forgotten beyond this much host time.
    static constexpr std::int64_t most_behind_ns = 100'000'000;
    /// Time that accesses took in advance is forgotten beyond this.
    static constexpr time_fs most_ahead_fs = 1000 * fs_per_s;

    Pacer(const Config& config, std::int64_t host_ns);

    const Config& config() const { return m_config; }

    /// Simulated time that should pass now, at host time `host_ns`. For a clock: what has not passed yet.
    time_fs due(std::int64_t host_ns);

    /// So much of it has passed; also more than was due, which is then due later.
    void passed(time_fs duration) {
        if (m_config.kind == Kind::clock) m_owed_fs = std::max(m_owed_fs - duration, -most_ahead_fs);
    }

    /// How much later than the last look host time reaches all that has passed, at the pace of a clock.
    std::int64_t ahead_ns() const {
        return m_owed_fs < 0 ? static_cast<std::int64_t>(static_cast<double>(-m_owed_fs) * m_ns_per_fs) : 0;
    }

    /// At the pace of a clock: what is due is more than a tenth of what may be.
    bool far_behind() const { return m_config.kind == Kind::clock && m_owed_fs > m_most_owed_fs / 10; }

    /// Simulated seconds that the models were too slow for, at the pace of a clock.
    double lost_s() const { return m_lost_s; }

private:
    time_fs simulated_fs(std::int64_t host_ns) const;

    const Config m_config;
    std::int64_t m_host_ns;
    time_fs m_owed_fs = 0;
    const time_fs m_most_owed_fs;
    const double m_ns_per_fs;  // host by simulated time
    double m_lost_s = 0;
};

/// The host's monotonic clock.
std::int64_t host_now_ns();

}  // namespace tlmetry::device
