// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/account/cascade.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace tlmetry::account {

namespace {

double share(double part, double whole) {
    return whole == 0 ? 1 : part / whole;
}

double share(std::uint64_t part, std::uint64_t whole) {
    return share(static_cast<double>(part), static_cast<double>(whole));
}

/// What the tag manager did while it did not grant, in cycles.
struct Waiting {
    explicit Waiting(const EndpointCounts& counts) {
        const auto& waited = counts.grants.waited;
        window = static_cast<double>(std::accumulate(
            waited.begin(), waited.begin() + endpoint::TagManager::for_queue, std::uint64_t{0}));
        path = static_cast<double>(waited[endpoint::TagManager::for_queue]);
        const double granted = static_cast<double>(counts.grants.groups);
        nothing = std::max(0.0, static_cast<double>(counts.cycles) - granted - window - path);
    }
    double window = 0;
    double path = 0;
    double nothing = 0;
};

Identity sum(const char* name, std::uint64_t whole, const char* parts_name, std::uint64_t parts) {
    return {name, std::to_string(whole) + " = " + std::to_string(parts) + " " + parts_name, whole == parts};
}

void add_identities(std::vector<Identity>& list, const char* name, const EndpointCounts& counts,
                    const DirectionCounts& d, double seconds) {
    const std::string where = std::string(name) + ": ";
    list.push_back(sum((where + "bytes on the lanes").c_str(), d.all_bytes,
                       "first sent, repeated and of DLLPs", d.first_bytes + d.repeated_bytes + d.dllp_bytes));
    list.push_back(sum((where + "payload first sent").c_str(), d.payload_bytes, "useful, under way and lost",
                       d.useful_bytes + static_cast<std::uint64_t>(d.under_way_bytes) + d.lost_bytes));
    // What arrives without anything being sent was under way before: no share of what was sent.
    if (d.payload_bytes == 0) return;
    const Cascade cascade = measured(counts, d, seconds);
    char text[100];
    std::snprintf(text, sizeof text, "%.6f = %.6f GB/s", cascade.useful / 1e9, cascade.product() / 1e9);
    constexpr double rounding = 1e-9;
    list.push_back(
        {where + "useful rate is the product of the factors", text,
         std::abs(cascade.useful - cascade.product()) <= rounding * std::max(1.0, cascade.ceiling)});
}

}  // namespace

double Cascade::product() const {
    return std::accumulate(factor.begin(), factor.end(), ceiling * arrived, std::multiplies<>());
}

Cascade measured(const EndpointCounts& counts, const DirectionCounts& d, double seconds) {
    Cascade result;
    if (seconds <= 0) seconds = 1;  // of nothing
    result.ceiling = counts.capacity.raw / seconds;
    result.useful = static_cast<double>(d.useful_bytes) / seconds;
    // What was sent may begin before the interval and end behind it: a link that is full has no more than
    // all.
    const double busy = std::min(static_cast<double>(d.all_bytes), counts.capacity.data);
    result.arrived = share(d.useful_bytes, d.payload_bytes) * share(static_cast<double>(d.all_bytes), busy);
    result[Factor::encoding] = share(counts.capacity.data, counts.capacity.raw);
    result[Factor::header] = share(d.payload_bytes, d.first_bytes);
    result[Factor::retry] = share(d.first_bytes, d.first_bytes + d.repeated_bytes);
    result[Factor::dllp] = share(d.first_bytes + d.repeated_bytes, d.all_bytes);

    // The time in which the link was idle belongs to what the tag manager did while it did not grant.
    const double idle = counts.capacity.data - busy;
    const Waiting waiting(counts);
    const double not_granting = waiting.window + waiting.path + waiting.nothing;
    const double for_window = not_granting == 0 ? 0 : idle * waiting.window / not_granting;
    const double for_path = not_granting == 0 ? 0 : idle * waiting.path / not_granting;
    result[Factor::window] = share(busy, busy + for_window);
    result[Factor::path] = share(busy + for_window, busy + for_window + for_path);
    result[Factor::demand] = share(busy + for_window + for_path, counts.capacity.data);
    return result;
}

std::vector<Identity> identities(const EndpointCounts& counts, double seconds) {
    std::vector<Identity> list;
    add_identities(list, "up", counts, counts.up, seconds);
    add_identities(list, "down", counts, counts.down, seconds);
    const auto at_most = [&](const char* name, std::uint64_t held, std::uint64_t capacity) {
        list.push_back({std::string(name) + " held, at most the capacity",
                        std::to_string(held) + " of " + std::to_string(capacity), held <= capacity});
    };
    at_most("tags", counts.tags_held, counts.tags);
    at_most("storage FIFO words", counts.words_held, counts.words);
    return list;
}

}  // namespace tlmetry::account
