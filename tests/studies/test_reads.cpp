// SPDX-License-Identifier: BSD-3-Clause
// Studies of what reads need to keep a link busy: each limit is what can be under way by the time it is under
// way.
#include "study.hpp"

#include <algorithm>
#include <cmath>

using namespace tlmetry;
using namespace tlmetry::test;

namespace {

// From the release of a tag, of words of the storage FIFO and of completion headers to the grant that uses
// them, in cycles of the PCIe clock; the last are back before the storage FIFO has released the read.
constexpr double tag_cycles = 6, word_cycles = 4, header_cycles = -10;
constexpr double open_cycle_s = 1e-9;

/// What groups of reads take of a resource that comes back completion by completion.
struct Resource {
    double capacity;
    double per_read;
    double reads_per_group;
    double completions;  ///< of a read
};

/// Payload a second. All groups that fit are under way; the next one is granted when as much is back as it
/// lacks, so many completions before (or behind) the end of a first read, which takes `hold_s`.
double resource_rate(const Resource& r, double payload, double hold_s, double completion_s) {
    const double group = r.per_read * r.reads_per_group;
    const double groups = std::floor(r.capacity / group);
    const double lacking = group - (r.capacity - groups * group);
    const double wait_for = std::ceil(lacking * r.completions / r.per_read);
    return groups * r.reads_per_group * payload / (hold_s - (r.completions - wait_for) * completion_s);
}

}  // namespace

TEST_CASE("tags by payload: the crossover at 461 bytes") {
    const Study study("tags_payload");
    constexpr double ceiling = 32e9, overhead = 24, errors = 0.029126, tags = 64;
    std::map<double, std::array<double, 3>> rates;  // tags alone, link alone, both
    std::map<double, std::array<double, 2>> forms;
    for (const Point& p : study.points()) {
        const double payload = p["traffic.read_size.bytes"];
        const std::size_t kind = p["ptc.tags"] != tags ? 1 : p["link.down_errors"] == 0 ? 0 : 2;
        rates[payload][kind] = p["down.useful_rate"];
        const double link = ceiling * payload / (payload + overhead);
        if (kind == 0)
            forms[payload] = {tags * payload / (p["predicted.idle_hold"] + tag_cycles * open_cycle_s),
                              link * (1 - errors)};
    }
    std::string table = header({"payload", "64 tags alone GB/s", "link with 3 % retries alone GB/s",
                                "both GB/s", "closed form", "binds", "both above it %"});
    for (const auto& [payload, rate] : rates) {
        CAPTURE(payload);
        const auto& [window, link] = forms[payload];
        const Limit limit = least({{"tags", window}, {"link", link}});
        const bool near = std::abs(window / link - 1) < 0.03;
        // Retries come at random: where both bind about equally, each is idle at times.
        CHECK(rate[2] == Approx(limit.value).epsilon(near ? 0.02 : 0.01));
        CHECK(rate[1] == Approx(link).epsilon(0.01));
        CHECK(rate[0] == Approx(std::min(window, ceiling * payload / (payload + overhead))).epsilon(0.01));
        table += row({bytes_text(payload), fixed(rate[0] / 1e9, 2), fixed(rate[1] / 1e9, 2),
                      fixed(rate[2] / 1e9, 2), fixed(limit.value / 1e9, 2), limit.name,
                      percent_above(rate[2], limit.value)});
    }
    study.expect_on_page(table);

    // Where the first two columns meet, between two points.
    double crossover = 0;
    for (auto right = std::next(rates.begin()); crossover == 0 && right != rates.end(); ++right) {
        const auto left = std::prev(right);
        const double before = left->second[1] - left->second[0], behind = right->second[1] - right->second[0];
        if (before > 0 && behind <= 0)
            crossover = left->first + (right->first - left->first) * before / (before - behind);
    }
    constexpr double hold_s = 1e-6;
    const double closed = ceiling * (1 - errors) * hold_s / tags - overhead;
    CHECK(closed == Approx(461.4).margin(0.1));
    CHECK(crossover == Approx(closed).epsilon(0.01));
    const auto found = study.find("--find traffic.read_size.bytes=440..500 --until 'F4>=0.999'");
    REQUIRE(found.size() == 3);
    const double sharp = found[0]["traffic.read_size.bytes"],
                 sharp_closed = ceiling * hold_s / tags - overhead;
    CHECK(sharp == Approx(sharp_closed).epsilon(0.01));
    study.expect_on_page(
        header({"crossover", "closed form B", "simulated B", "above it %"}) +
        row({"with 3 % retries", fixed(closed, 1), fixed(crossover, 1), percent_above(crossover, closed)}) +
        row({"without retries", fixed(sharp_closed, 1), fixed(sharp, 1),
             percent_above(sharp, sharp_closed)}));
}

TEST_CASE("storage FIFO by size of reads") {
    const Study study("storage_fifo");
    constexpr double word = 64, mps = 256, tags = 256, group = 2;
    Comparison comparison;
    for (const Point& p : study.points()) {
        const double size = p["traffic.read_size.bytes"], words = p["ptc.storage_words"];
        const double hold_s = p["predicted.idle_hold"];
        const double part = std::min(size, mps);
        const double part_s = part / link_rate(gen4_x16, part, completion_overhead);
        // A group is granted while one word more is free than it takes.
        const double fifo = resource_rate({words - 1, std::ceil(size / word), group, std::ceil(size / mps)},
                                          size, hold_s + word_cycles * open_cycle_s, part_s);
        const Limit limit = least({{"words", fifo},
                                   {"tags", tags * size / (hold_s + tag_cycles * open_cycle_s)},
                                   {"link", link_rate(gen4_x16, part, completion_overhead)}});
        comparison.add(fixed(words, 0), bytes_text(size), p["down.useful_rate"], limit);
        // The verdict calls a link full from 85 % on.
        const std::string& verdict = p.text("verdict.first");
        CAPTURE(words, size, verdict, limit.name);
        if (limit.name == "link") CHECK(verdict == "link_down_full");
        if (limit.name == "words" && p["F4"] < 0.65) CHECK(verdict == "storage");
        if (limit.name == "tags") CHECK(verdict == "tags");
    }
    study.expect_on_page(comparison.rates("words \\ read"));
    study.expect_on_page(comparison.deviations());
}

TEST_CASE("completion headers by RCB") {
    const Study study("completion_headers");
    constexpr double mps = 512, tags = 256;
    Comparison comparison;
    std::map<double, std::array<std::string, 2>> entries;
    std::map<double, double> completions;
    for (const Point& p : study.points()) {
        const double size = p["traffic.read_size.bytes"], rcb = p["link.rcb"],
                     headers = p["ptc.completion_headers"];
        const double hold_s = p["predicted.idle_hold"];
        const double part = std::min(size, mps);
        const double part_s = part / link_rate(gen5_x16, part, completion_overhead);
        const double per_read = std::ceil(size / rcb);
        const double metered = resource_rate({headers, per_read, 1, std::ceil(size / mps)}, size,
                                             hold_s + header_cycles * open_cycle_s, part_s);
        const Limit limit = least({{"headers", metered},
                                   {"tags", tags * size / (hold_s + tag_cycles * open_cycle_s)},
                                   {"link", link_rate(gen5_x16, part, completion_overhead)}});
        comparison.add(fixed(headers, 0) + ", RCB " + bytes_text(rcb), bytes_text(size),
                       p["down.useful_rate"], limit);
        CAPTURE(headers, rcb, size, limit.name);
        CHECK(p.text("verdict.first") == (limit.name == "headers" ? "completion_headers" : limit.name));
        entries[size][rcb == 64 ? 0 : 1] = fixed(per_read, 0);
        completions[size] = std::round(p["measured.completions"] / p["measured.reads_done"]);
    }
    study.expect_on_page(comparison.rates("entries \\ read"));
    study.expect_on_page(comparison.deviations());
    std::string table =
        header({"read", "entries at RCB 64 B", "entries at RCB 128 B", "completions that come"});
    for (const auto& [size, taken] : entries) {
        CHECK(completions[size] == std::ceil(size / mps));
        table += row({bytes_text(size), taken[0], taken[1], fixed(completions[size], 0)});
    }
    study.expect_on_page(table);
}

TEST_CASE("MRRS by latency") {
    const Study study("mrrs_latency");
    constexpr double mps = 256, tags = 64;
    // Grant to RQ 9, RQ, RX 2, RC, storage FIFO 13, its headers, and 6 from the release to the next grant.
    constexpr double cycles = 9 + 1 + 2 + 1 + 13 + 1 + tag_cycles;
    Comparison comparison;
    for (const Point& p : study.points()) {
        const double latency = p["host.latency"], mrrs = p["link.mrrs"];
        const double part = std::min(mrrs, mps);
        const double link = link_rate(gen4_x16, part, completion_overhead);
        const double hold_s =
            latency + cycles * open_cycle_s + request_overhead / link_rate(gen4_x16, 1, 0) + mrrs / link;
        const Limit limit = least({{"tags", tags * mrrs / hold_s}, {"link", link}});
        comparison.add(fixed(latency * 1e9, 0) + " ns", bytes_text(mrrs), p["down.useful_rate"], limit);
        CHECK(p.text("verdict.first") == (limit.name == "tags" ? "tags" : "link_down_full"));
        // Little's law: what is under way is the rate by the time under way, whatever binds.
        if (limit.name == "tags")
            CHECK(p["tags_held"] * mrrs ==
                  Approx(p["down.useful_rate"] * (hold_s - tag_cycles * open_cycle_s)).epsilon(0.01));
    }
    study.expect_on_page(comparison.rates("latency \\ MRRS"));
    study.expect_on_page(comparison.deviations());
}
