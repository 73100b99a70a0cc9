// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/pacer.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/text.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>

namespace tlmetry::device {

namespace {

constexpr double fs_per_host_ns = 1e6;
constexpr double lowest_speed = 1e-6;
constexpr double highest_speed = 1e3;  // a pause is still far inside time_fs

// Longer pauses of the host, a suspended machine say, are no simulated time anyway.
constexpr std::int64_t longest_pause_ns = 1'000'000'000;

constexpr time_fs longest_step_fs = 1000 * fs_per_s;

double parse_speed(const Pacer::Config::Text& from) {
    const std::string& text = from.text;
    double speed = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), speed);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size() || !(speed >= lowest_speed) ||
        !(speed <= highest_speed)) {
        throw UserError(from.place + ": expected a factor from 1e-6 to 1000, 1 for real time, found " +
                        config::found(text));
    }
    return speed;
}

}  // namespace

Pacer::Config Pacer::Config::read(const Text& speed, const Text& step, bool free_run,
                                  const std::string& all) {
    if (int{!speed.text.empty()} + int{!step.text.empty()} + int{free_run} > 1)
        throw UserError(all + ": expected one of them");
    Config config;
    if (free_run) config.kind = Kind::free_run;
    if (!speed.text.empty()) config.speed = parse_speed(speed);
    if (!step.text.empty()) {
        const auto time = parse_quantity(step.text, time_units);
        if (!time || *time > longest_step_fs)
            throw UserError(step.place + ": expected a time with its unit, at most 1000s, found " +
                            config::found(step.text));
        config.kind = Kind::step;
        config.step_fs = *time;
    }
    return config;
}

std::string Pacer::Config::text() const {
    if (kind == Kind::free_run) return "as fast as the simulation can";
    if (kind == Kind::step) return format_quantity(step_fs, time_units) + " of simulated time an access";
    if (speed == 1) return "real time";
    char number[32];
    std::snprintf(number, sizeof number, "%g", speed);
    return std::string(number) + " x real time";
}

Pacer::Pacer(const Config& config, std::int64_t host_ns)
    : m_config(config),
      m_host_ns(host_ns),
      m_most_owed_fs(
          static_cast<time_fs>(static_cast<double>(most_behind_ns) * config.speed * fs_per_host_ns)),
      m_ns_per_fs(1 / (config.speed * fs_per_host_ns)) {}

time_fs Pacer::simulated_fs(std::int64_t host_ns) const {
    if (m_config.speed == 1) return host_ns * fs_per_ns;
    return static_cast<time_fs>(static_cast<double>(host_ns) * m_config.speed * fs_per_host_ns);
}

time_fs Pacer::due(std::int64_t host_ns) {
    if (m_config.kind == Kind::free_run) return 0;
    if (m_config.kind == Kind::step) return m_config.step_fs;
    const std::int64_t elapsed = host_ns - m_host_ns;
    if (elapsed > 0) {
        m_host_ns = host_ns;
        if (elapsed > longest_pause_ns)
            m_lost_s += static_cast<double>(elapsed - longest_pause_ns) * m_config.speed * 1e-9;
        m_owed_fs += simulated_fs(std::min(elapsed, longest_pause_ns));
        if (m_owed_fs > m_most_owed_fs) {
            m_lost_s += static_cast<double>(m_owed_fs - m_most_owed_fs) / static_cast<double>(fs_per_s);
            m_owed_fs = m_most_owed_fs;
        }
    }
    return std::max<time_fs>(m_owed_fs, 0);
}

std::int64_t host_now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace tlmetry::device
