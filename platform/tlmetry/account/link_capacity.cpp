// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/account/link_capacity.hpp"

#include <tlmetry/pcie/link_rate.hpp>

#include <algorithm>

namespace tlmetry::account {

namespace {

LinkCapacity of(const pcie::LinkSettings& link, time_fs duration) {
    const auto fs = static_cast<double>(duration);
    const double raw_bytes_per_fs = pcie::line_rate_bps(link).value() / (8 * static_cast<double>(fs_per_s));
    constexpr double steps = 65536;
    return {fs * raw_bytes_per_fs, 0, fs * steps / static_cast<double>(card::link_byte_time(link))};
}

}  // namespace

LinkCapacity link_capacity(const card::Config& config, time_fs from, time_fs to) {
    LinkCapacity sum;
    pcie::LinkSettings link = config.link;
    time_fs t = from;
    const auto go_to = [&](time_fs end) {
        const LinkCapacity part = of(link, std::max<time_fs>(0, std::min(end, to) - t));
        sum.raw += part.raw;
        sum.data += part.data;
        t = std::max(t, std::min(end, to));
    };
    for (const card::Event& event : card::in_order(config.timeline)) {
        if (const auto* change = std::get_if<card::LinkChange>(&event.action)) {
            go_to(event.at);
            link = card::link_after(config, *change);
        } else if (std::holds_alternative<card::LinkDown>(event.action)) {
            go_to(event.at);
            const time_fs end = std::max(t, std::min(card::end_of(event), to));
            sum.down_s += static_cast<double>(end - t) / static_cast<double>(fs_per_s);
            t = end;
        }
    }
    go_to(to);
    return sum;
}

}  // namespace tlmetry::account
