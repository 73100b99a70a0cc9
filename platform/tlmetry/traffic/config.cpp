// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/traffic/config.hpp"

#include <tlmetry/base/error.hpp>

#include <string>

namespace tlmetry::traffic {

void Config::validate() const {
    const auto within = [](const char* key, std::uint64_t value, std::uint64_t low, std::uint64_t high,
                           const char* unit) {
        if (value >= low && value <= high) return;
        throw UserError(std::string("pins.") + key + ": expected " + std::to_string(low) + " to " +
                        std::to_string(high) + " " + unit + ", found " + std::to_string(value));
    };
    within("activity", activity_ppm, 0, million, "ppm");
    within("packing", packing_ppm, 0, million, "ppm");
    within("read_share", read_ppm, 0, max_read_ppm, "ppm");
    within("stall", stall_ppm, 0, max_stall_ppm, "ppm");
    within("mvb_stall", mvb_stall_ppm, 0, max_stall_ppm, "ppm");
    within("brake", brake_ppm, 0, million, "ppm");
    within("burst", burst_words, 1, max_mean, "words");
    within("frame", frame_bytes, 1, max_mean, "bytes");
    within("stall_length", stall_cycles, 1, max_mean, "cycles");
    within("brake_length", brake_cycles, 1, max_mean, "cycles");
    within("level_interval", level_cycles, 1, max_mean, "cycles");
}

}  // namespace tlmetry::traffic
