// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/card/timeline.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>

#include <algorithm>

namespace tlmetry::card {

namespace {

std::string text(time_fs t) {
    return format_time(t);
}

}  // namespace

time_fs end_of(const Event& event) {
    if (const auto* down = std::get_if<LinkDown>(&event.action)) return event.at + down->length;
    if (const auto* reset = std::get_if<Reset>(&event.action)) return event.at + reset->length;
    return event.at;
}

Timeline in_order(Timeline timeline) {
    std::stable_sort(timeline.begin(), timeline.end(),
                     [](const Event& a, const Event& b) { return a.at < b.at; });
    return timeline;
}

void check_timeline(const Timeline& timeline) {
    time_fs busy_until = 0;
    for (const Event& event : in_order(timeline)) {
        if (event.at < 1)
            throw UserError(event.name + ": expected a time from 1fs on, found " + text(event.at));
        if (const auto* change = std::get_if<HostChange>(&event.action)) {
            try {
                change->host.validate();
            } catch (const UserError& error) {
                throw UserError(event.name + ": " + error.what());
            }
        }
        const time_fs end = end_of(event);
        if (end == event.at) continue;
        if (event.at < busy_until) {
            throw UserError(event.name + ": expected links that are up and no reset, which is from " +
                            text(busy_until) + " on, found " + text(event.at));
        }
        busy_until = end;
    }
}

void check_resets(const Timeline& timeline, const ClockDomain& dma, const std::vector<ClockDomain>& pcie) {
    // Then every register has seen it, those behind a synchroniser too.
    constexpr time_fs least_cycles = 8;
    time_fs period = dma.period_fs();
    for (const ClockDomain& clock : pcie)
        period = std::max(period, clock.period_fs());
    for (const Event& event : timeline) {
        const auto* reset = std::get_if<Reset>(&event.action);
        if (reset == nullptr || reset->length >= least_cycles * period) continue;
        throw UserError(event.name + ": expected a reset of at least " + std::to_string(least_cycles) +
                        " cycles of the slower clock, " + text(least_cycles * period) + ", found " +
                        text(reset->length));
    }
}

}  // namespace tlmetry::card
