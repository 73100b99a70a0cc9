// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/verdict/link_facts.hpp>
#include <tlmetry/verdict/reasons.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tlmetry::verdict {

/// A count to reckon with.
constexpr double number(std::uint64_t count) {
    return static_cast<double>(count);
}

/// A number that is known within bounds.
struct Bounds {
    double low = 0;
    double high = 0;

    bool exact() const { return low == high; }
    double middle() const { return (low + high) / 2; }
    Bounds& operator+=(Bounds other) {
        low += other.low;
        high += other.high;
        return *this;
    }
};
inline Bounds operator*(Bounds bounds, double factor) {
    return {bounds.low * factor, bounds.high * factor};
}

/// What the counters of one bus say. Shares are parts of the cycles of the bus's clock, from 0 to 1.
struct BusUse {
    const driver::BusCounts* counts = nullptr;
    double cycles = 0;
    double busy = 0;      ///< moved a word
    double stalled = 0;   ///< held by its consumer
    double idle = 0;      ///< the rest: nothing was offered
    double mvb_held = 0;  ///< its MVB was held by its consumer
    double frames = 0;
    double requests = 0;    ///< items of the MVB
    bool narrow = false;    ///< than its probe, which then counts items that do not exist
    Bounds bytes;           ///< of items, without those that cannot exist
    double word_bytes = 0;  ///< of the regions that it really has

    /// Bytes of an average frame; none without a frame.
    std::optional<Bounds> frame_bytes() const;
    /// Part of the moved words' width that was filled.
    std::optional<Bounds> filled() const;
};

/// What TLPs and their payload took of one direction of the link. Parts of its raw rate, from 0 to 1.
struct LinkUse {
    double line_gbytes = 0;  ///< before the encoding
    double encoding = 0;
    double headers = 0;
    double payload = 0;
    double rest = 0;  ///< DLLPs, retries, idle: the counters do not tell them apart
    double payload_gbytes = 0;

    /// Part of the rate behind the encoding that carried TLPs.
    double used() const { return (headers + payload) / (1 - encoding); }
};

/// One endpoint of a measurement, which must outlive it, and what follows from its counters: what findings
/// are made of.
struct Evidence {
    Evidence(const driver::Measurement& m, std::size_t endpoint_index, const LinkFacts& link_facts);

    const driver::Measurement& measurement;
    std::size_t index;
    const driver::EndpointCounts& counts;
    LinkFacts facts;

    std::vector<BusUse> buses;  ///< RQ, RC, then UP and DOWN of each DMA port
    double reads = 0;           ///< requests without payload
    double writes = 0;
    double completions = 0;
    Bounds write_bytes;
    Bounds completion_bytes;
    std::optional<Bounds> up_header_efficiency;    ///< payload of writes by the bytes of all requests
    std::optional<Bounds> down_header_efficiency;  ///< payload of completions by their bytes
    std::optional<Bounds> window;  ///< cycles in which requests were granted by those in which they wanted it
    std::optional<Bounds> tags_used;  ///< on average over the interval, from the histogram
    std::optional<Bounds>
        read_round_trip_s;      ///< from the grant of a read to the return of its tag, on average
    std::optional<LinkUse> up;  ///< with a link and an interval
    std::optional<LinkUse> down;

    /// Nothing can be said of an endpoint without these.
    bool measured() const { return counts.link_up && counts.pcie_cycles != 0 && counts.dma_cycles != 0; }

    /// Share of PCIe cycles; 0 for a reason that is not there.
    double reason(std::size_t number) const;

    const BusUse& rq() const { return buses[0]; }
    const BusUse& rc() const { return buses[1]; }
    std::size_t ports() const { return buses.size() / 2 - 1; }
    const BusUse& up_bus(std::size_t port) const { return buses[2 + 2 * port]; }
    const BusUse& down_bus(std::size_t port) const { return buses[3 + 2 * port]; }

    /// Least share of the PCIe cycles in which a word of DOWN left the storage FIFO, which cuts words of RC:
    /// those of all ports follow each other. 0 where DOWN is as wide as RC, so that nothing is cut.
    double output_busy() const;

    /// Share of the time in which the tags had at most an eighth left; 0 without a histogram.
    double tags_short() const;

private:
    std::optional<Bounds> round_trip_s() const;
};

/// Cycles between two read-outs of the counters.
double drain_period(const driver::Layout& layout);

/// How far counters of one snapshot may be apart, in cycles: those of a read-out close up to one period apart
/// from each other, at either end of the interval.
double count_slack(const driver::Layout& layout);

}  // namespace tlmetry::verdict
