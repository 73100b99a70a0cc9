// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/host/config.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>

#include <utility>

namespace tlmetry::host {

namespace {

constexpr time_fs longest = fs_per_s;
constexpr std::int64_t least_rate = 1'000'000;
constexpr std::int64_t most_rate = 100'000'000'000'000;

void require_within(const std::string& parameter, std::int64_t value, std::int64_t low, std::int64_t high,
                    const char* unit) {
    if (value >= low && value <= high) return;
    throw UserError(parameter + ": expected " + std::to_string(low) + " to " + std::to_string(high) + " " +
                    unit + ", found " + std::to_string(value));
}

void require_time(const std::string& parameter, time_fs value, time_fs low, time_fs high,
                  const char* why = "") {
    if (value >= low && value <= high) return;
    throw UserError(parameter + ": expected " + format_time(low) + " to " + format_time(high) + why +
                    ", found " + format_time(value));
}

void check_latency(const Config& c, const std::string& dot) {
    if (c.latency == Latency::constant || c.latency == Latency::normal)
        require_time(dot + "latency", c.latency_fs, 0, longest);
    if (c.latency == Latency::uniform || c.latency == Latency::normal)
        require_time(dot + "latency_low", c.latency_low_fs, 0, longest);
    if (c.latency == Latency::uniform) {
        require_time(dot + "latency_high", c.latency_high_fs, c.latency_low_fs, longest,
                     " (not below latency_low)");
    }
    if (c.latency == Latency::normal) {
        require_time(dot + "latency_deviation", c.latency_deviation_fs, fs_per_ps, longest);
        // Further out nothing would be left to draw from.
        require_time(dot + "latency_low", c.latency_low_fs, 0, c.latency_fs + 3 * c.latency_deviation_fs,
                     " (at most three deviations above the mean)");
    }
    if (c.latency == Latency::histogram && c.latency_file.empty())
        throw UserError(dot + "latency_file: expected the file of a histogram, found none");
}

}  // namespace

void Config::validate(const std::string& section) const {
    const std::string dot = section + ".";
    check_latency(*this, dot);
    require_within(dot + "cache_share", cache_ppm, 0, million, "ppm");
    require_within(dot + "remote_share", remote_ppm, 0, million - cache_ppm,
                   "ppm (with cache_share at most all)");
    for (const auto& [key, value] :
         {std::pair{"cache_added", cache_added_fs}, std::pair{"memory_added", memory_added_fs},
          std::pair{"remote_added", remote_added_fs}}) {
        require_time(dot + key, value, -longest, longest);
    }
    require_within(dot + "lines_in_flight", lines_in_flight, 0, 1 << 16, "lines");
    require_time(dot + "line_service", line_service_fs, 0, longest);
    require_within(dot + "iotlb_entries", iotlb_entries, 0, 1 << 20, "translations");
    require_within(dot + "iotlb_page", iotlb_page_bytes, 4096, 1 << 30, "bytes");
    if ((iotlb_page_bytes & (iotlb_page_bytes - 1)) != 0) {
        throw UserError(dot + "iotlb_page: expected a power of two, found " +
                        std::to_string(iotlb_page_bytes));
    }
    require_time(dot + "iotlb_miss", iotlb_miss_fs, 0, longest);
    require_within(dot + "iotlb_walks", iotlb_walks, 0, 1 << 16, "walks");
    for (const auto& [key, rate] : {std::pair{"memory_rate", memory_bytes_per_s},
                                    std::pair{"memory_read_rate", memory_read_bytes_per_s},
                                    std::pair{"memory_write_rate", memory_write_bytes_per_s}}) {
        if (rate != 0) {
            require_within(dot + key, static_cast<std::int64_t>(rate), least_rate, most_rate,
                           "bytes/s, or 0 for no limit");
        }
    }
    require_within(dot + "read_weight", read_weight, 1, 100, "shares");
    require_within(dot + "write_weight", write_weight, 1, 100, "shares");
    require_time(dot + "commit_latency", commit_latency_fs, 0, longest);
    require_time(dot + "write_cost", write_cost_fs, 0, longest);
    require_within(dot + "lost_ppb", lost_ppb, 0, 1'000'000'000, "of 10^9 reads");
}

}  // namespace tlmetry::host
