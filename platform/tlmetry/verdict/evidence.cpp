// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/verdict/evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace tlmetry::verdict {
namespace {

double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

/// A probe that is wider than the bus takes a frame that goes on in the next word for data in the regions
/// that the bus does not have. What their counters cannot lie about are the regions that the bus has: all but
/// the last of a frame are full.
Bounds item_bounds(const driver::BusCounts& bus, double region_items, bool narrow) {
    const double items = number(bus.items);
    if (!narrow) return {items, items};
    const double regions = std::accumulate(bus.regions.begin(), bus.regions.end(), 0.0);
    const double high = std::min(items, regions * region_items);
    const double frames = std::min(number(bus.transactions), regions);
    return {std::min(high, (regions - frames) * region_items + frames), high};
}

BusUse bus_use(const driver::Layout& layout, const driver::EndpointCounts& endpoint,
               const driver::BusCounts& bus) {
    BusUse use;
    use.counts = &bus;
    use.cycles = number(endpoint.cycles(bus.pcie_clock));
    const double words = number(bus.words), stalled = number(bus.stalled);
    const double whole = std::max(use.cycles, words + stalled);
    use.busy = ratio(words, whole);
    use.stalled = ratio(stalled, whole);
    use.idle = std::max(0.0, 1 - use.busy - use.stalled);
    use.mvb_held = std::min(1.0, ratio(number(bus.mvb_stalled), use.cycles));
    use.frames = number(bus.transactions);
    use.requests = number(bus.mvb_items);
    use.narrow = bus.regions.size() < (bus.pcie_clock ? layout.pcie : layout.dma).regions;
    const double item_bytes = layout.item_bytes;
    use.bytes = item_bounds(bus, bus.region_bytes / item_bytes, use.narrow) * item_bytes;
    use.word_bytes = static_cast<double>(bus.regions.size()) * bus.region_bytes;
    return use;
}

/// Average use of `capacity` from the bands of what is free: none, up to an eighth, up to a half, the rest.
std::optional<Bounds> average_use(const driver::Histogram& histogram, double capacity, driver::Level level) {
    constexpr std::size_t bands = 4;
    const double sum = std::accumulate(histogram.bands.begin(), histogram.bands.end(), 0.0);
    if (histogram.bands.size() != bands || !(sum > 0) || !(capacity > 0)) return std::nullopt;
    const double eighth = std::floor(capacity / 8), half = std::floor(capacity / 2);
    // Least and most that is free in each band, none less than the lowest level seen.
    const std::array<double, bands> least = {0, 1, eighth + 1, half + 1};
    const std::array<double, bands> most = {0, eighth, half, capacity};
    Bounds used;
    for (std::size_t band = 0; band < bands; ++band) {
        const double lowest = std::min(most[band], std::max(least[band], number(level.lowest)));
        used += Bounds{capacity - most[band], capacity - lowest} * (number(histogram.bands[band]) / sum);
    }
    return used;
}

std::optional<Bounds> efficiency(Bounds payload, double headers) {
    if (!(payload.high > 0)) return std::nullopt;
    return Bounds{payload.low / (payload.low + headers), payload.high / (payload.high + headers)};
}

LinkUse link_use(const LinkSpeed& speed, double seconds, double payload, double headers) {
    LinkUse use;
    use.line_gbytes = speed.line_gbytes();
    use.encoding = 1 - speed.data_gbytes() / use.line_gbytes;
    // Counts that reach beyond the interval by a read-out are shares of what they are together.
    const double gbytes = 1e9 * seconds;
    const double room = use.line_gbytes * (1 - use.encoding);
    const double whole = std::max(1.0, (payload + headers) / gbytes / room);
    use.payload_gbytes = payload / gbytes;
    use.payload = payload / gbytes / use.line_gbytes / whole;
    use.headers = headers / gbytes / use.line_gbytes / whole;
    use.rest = std::max(0.0, 1 - use.encoding - use.payload - use.headers);
    return use;
}

}  // namespace

double drain_period(const driver::Layout& layout) {
    return layout.drain_period == 0 ? 65536 : layout.drain_period;
}

double count_slack(const driver::Layout& layout) {
    return 2 * drain_period(layout);
}

std::optional<Bounds> BusUse::frame_bytes() const {
    if (frames == 0) return std::nullopt;
    return bytes * (1 / frames);
}

std::optional<Bounds> BusUse::filled() const {
    const double room = number(counts->words) * word_bytes;
    if (room == 0) return std::nullopt;
    return Bounds{std::min(1.0, bytes.low / room), std::min(1.0, bytes.high / room)};
}

Evidence::Evidence(const driver::Measurement& m, std::size_t endpoint_index, const LinkFacts& link_facts)
    : measurement(m), index(endpoint_index), counts(m.endpoints[endpoint_index]), facts(link_facts) {
    for (const driver::BusCounts& bus : counts.buses)
        buses.push_back(bus_use(m.layout, counts, bus));

    Bounds granted;
    for (std::size_t port = 0; port < ports(); ++port) {
        const BusUse& from_dma = up_bus(port);
        const BusUse& to_dma = down_bus(port);
        writes += from_dma.frames;
        reads += std::max(0.0, from_dma.requests - from_dma.frames);
        completions += to_dma.requests;
        write_bytes += from_dma.bytes;
        completion_bytes += to_dma.bytes;
        granted +=
            {from_dma.requests / static_cast<double>(from_dma.counts->regions.size()), from_dma.requests};
    }
    const double up_headers = (reads + writes) * facts.request_overhead();
    const double down_headers = completions * facts.completion_overhead();
    up_header_efficiency = efficiency(write_bytes, up_headers);
    down_header_efficiency = efficiency(completion_bytes, down_headers);

    const double cycles = number(counts.pcie_cycles);
    Bounds waited;
    for (const std::size_t number_of_reason : {no_tag, tag_not_ready, no_room, no_header}) {
        const double share = reason(number_of_reason);
        waited.low = std::max(waited.low, share);
        waited.high = std::min(1.0, waited.high + share);
    }
    if (granted.low > 0)
        window = Bounds{granted.low / (granted.low + waited.high * cycles),
                        granted.high / (granted.high + waited.low * cycles)};

    if (!counts.histograms.empty())
        tags_used = average_use(counts.histograms.front(), m.layout.tag_capacity, counts.tags);
    if (!m.seconds) return;
    read_round_trip_s = round_trip_s();
    if (!facts.trained) return;
    up = link_use(*facts.trained, *m.seconds, write_bytes.middle(), up_headers);
    down = link_use(*facts.trained, *m.seconds, completion_bytes.middle(), down_headers);
}

/// Little's law: what is in use on average is the rate times the time of use.
std::optional<Bounds> Evidence::round_trip_s() const {
    if (!tags_used || reads == 0) return std::nullopt;
    const double interval_per_read = *measurement.seconds / reads;
    Bounds result = *tags_used * interval_per_read;
    if (counts.histograms.size() < 2) return result;
    const auto words_used =
        average_use(counts.histograms[1], measurement.layout.stfifo_capacity, counts.stfifo);
    if (!words_used) return result;
    // A read reserves words for its bytes and up to two for where they begin and end. Some of them come back
    // before the tag, so that they bound the time from below only.
    const double regions =
        static_cast<double>(std::max(rc().counts->regions.size(), down_bus(0).counts->regions.size()));
    const double word_bytes = std::exp2(std::ceil(std::log2(regions))) * rc().counts->region_bytes;
    const double words_of_read = completion_bytes.high / reads / word_bytes + 2;
    const double low = words_used->low / words_of_read * interval_per_read;
    if (low <= result.high) result.low = std::max(result.low, low);
    return result;
}

double Evidence::reason(std::size_t number_of_reason) const {
    if (number_of_reason >= counts.reasons.size() || counts.pcie_cycles == 0) return 0;
    return std::min(1.0, number(counts.reasons[number_of_reason]) / number(counts.pcie_cycles));
}

double Evidence::output_busy() const {
    double words = 0;
    for (std::size_t port = 0; port < ports(); ++port) {
        const BusUse& to_dma = down_bus(port);
        if (!(to_dma.word_bytes > 0) || to_dma.word_bytes >= rc().word_bytes) return 0;
        words += to_dma.bytes.low / to_dma.word_bytes;
    }
    return std::min(1.0, ratio(words, number(counts.pcie_cycles)));
}

double Evidence::tags_short() const {
    if (counts.histograms.empty() || counts.histograms.front().bands.size() < 2) return 0;
    const std::vector<std::uint64_t>& bands = counts.histograms.front().bands;
    return ratio(number(bands[0]) + number(bands[1]), std::accumulate(bands.begin(), bands.end(), 0.0));
}

}  // namespace tlmetry::verdict
