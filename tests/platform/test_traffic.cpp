// SPDX-License-Identifier: BSD-3-Clause
// The random traffic: every word is legal, shares are what was asked for, nothing depends on who looks when,
// and the telemetry counts what stands on the pins.
#include "bus_checker.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/telemetry/telemetry.hpp>
#include <tlmetry/traffic/random_activity.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using test::BusTrace;
using traffic::BusRole;
using traffic::BusSource;

namespace {

constexpr std::uint64_t seed = 7;
constexpr std::uint32_t settings = 0x251;
constexpr std::uint32_t item_bytes = 4;

struct Case {
    const char* name;
    traffic::Config config;
};

std::vector<Case> cases() {
    std::vector<Case> result{{"default", {}}};
    const auto add = [&](const char* name) -> traffic::Config& {
        result.push_back({name, {}});
        return result.back().config;
    };
    auto& full = add("full load");
    full.activity_ppm = full.packing_ppm = traffic::million;
    full.stall_ppm = full.mvb_stall_ppm = 0;
    auto& tiny = add("tiny frames");
    tiny.frame_bytes = 1;
    tiny.packing_ppm = traffic::million;
    auto& large = add("long frames");
    large.frame_bytes = 8192;
    auto& stalled = add("stalled");
    stalled.stall_ppm = stalled.mvb_stall_ppm = 900'000;
    stalled.stall_cycles = 3;
    auto& reads = add("reads");
    reads.read_ppm = traffic::max_read_ppm;
    auto& sparse = add("sparse");
    sparse.activity_ppm = 1000;
    sparse.burst_words = 1;
    sparse.packing_ppm = 0;
    auto& silent = add("silent");
    silent.activity_ppm = 0;
    return result;
}

BusTrace trace(const traffic::Config& config, BusRole role, std::uint32_t regions, std::uint32_t region_items,
               cycle_t end, cycle_t piece) {
    BusSource source(config, role, regions, region_items, item_bytes, seed, "bus");
    BusTrace result;
    for (cycle_t c = 0; c < end; c += piece)
        source.tell(std::min(end, c + piece), result);
    return result;
}

double share(std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

TEST_CASE("random words keep the rules of the bus") {
    constexpr cycle_t cycles = 4'000;
    for (const auto& [name, config] : cases()) {
        for (const BusRole role : {BusRole::rq, BusRole::rc, BusRole::up, BusRole::down}) {
            for (const std::uint32_t regions : {1u, 2u, 4u, 64u}) {
                for (const std::uint32_t region_items : {1u, 8u, 16u}) {
                    CAPTURE(name, static_cast<int>(role), regions, region_items);
                    const BusTrace words = trace(config, role, regions, region_items, cycles + 1, 512);
                    CHECK(words.broken_rule(cycles, regions, region_items) == "");
                    CHECK_FALSE(words.goes_back());
                }
            }
        }
    }
}

TEST_CASE("the checker of the bus rules finds what breaks them") {
    const auto rule = [](const std::vector<telemetry::MfbPins>& cycles) {
        BusTrace words;
        for (std::size_t c = 0; c < cycles.size(); ++c)
            words.mfb(static_cast<cycle_t>(c), cycles[c]);
        return words.broken_rule(static_cast<cycle_t>(cycles.size()), 2, 8);
    };
    CHECK(rule({{true, true, 1, 2, {0, 7}}, {}}) == "");
    CHECK(rule({{true, true, 1, 0, {0, 0}}, {true, true, 1, 2, {0, 0}}}) == "SOF inside a frame in cycle 1");
    CHECK(rule({{true, true, 2, 1, {0, 0}}}) == "EOF outside a frame in cycle 0");
    CHECK(rule({{true, true, 1, 1, {8, 0}}}) == "EOF_POS out of range in cycle 0");
    CHECK(rule({{true, false, 1, 1, {3, 0}}, {true, true, 1, 1, {4, 0}}}) == "MFB word not held in cycle 0");
    CHECK(rule({{true, false, 1, 1, {3, 0}}, {}}) == "MFB word not held in cycle 0");
    CHECK(rule({{true, true, 0, 0, {0, 0}}}) == "word without data in cycle 0");
    CHECK(rule({{true, true, 4, 4, {0, 0}}}) == "region out of range in cycle 0");
    CHECK(rule({{true, false, 1, 0, {0, 0}}, {true, true, 1, 0, {0, 0}}, {true, true, 0, 2, {0, 1}}}) == "");
}

TEST_CASE("random words do not depend on how they are asked for") {
    constexpr cycle_t cycles = 10'000;
    for (const auto& [name, config] : cases()) {
        CAPTURE(name);
        const BusTrace whole = trace(config, BusRole::up, 2, 8, cycles, cycles);
        for (const cycle_t piece : {1, 7, 4096}) {
            const BusTrace pieces = trace(config, BusRole::up, 2, 8, cycles, piece);
            const auto a = whole.count(0, 0, cycles, 2, 8);
            const auto b = pieces.count(0, 0, cycles, 2, 8);
            bool equal = true;
            for (cycle_t c = 0; c < cycles; ++c) {
                const auto x = whole.mfb_at(c), y = pieces.mfb_at(c);
                equal = equal && x.src_rdy == y.src_rdy && x.dst_rdy == y.dst_rdy && x.sof == y.sof &&
                        x.eof == y.eof && x.eof_pos == y.eof_pos &&
                        whole.mvb_at(c).items == pieces.mvb_at(c).items &&
                        whole.mvb_at(c).dst_rdy == pieces.mvb_at(c).dst_rdy;
            }
            CHECK(equal);
            CHECK(a.mvb_items == b.mvb_items);
        }
    }
}

TEST_CASE("random words have the shares that were asked for") {
    constexpr cycle_t cycles = 400'000;
    traffic::Config config;
    config.activity_ppm = 600'000;
    config.stall_ppm = 0;
    const auto count = [&](BusRole role) {
        return trace(config, role, 2, 8, cycles, 4096).count(0, 0, cycles, 2, 8);
    };

    CHECK(share(count(BusRole::rc).words, cycles) == Approx(0.6).margin(0.01));

    const auto up = count(BusRole::up);
    CHECK(share(up.mvb_items - up.transactions, up.mvb_items) == Approx(0.25).margin(0.01));
    CHECK(share(up.items * item_bytes, up.transactions) == Approx(config.frame_bytes).epsilon(0.03));

    config.stall_ppm = 200'000;
    const auto down = count(BusRole::down);
    CHECK(share(down.stalled, down.stalled + down.words) == Approx(0.2).margin(0.01));
    // A header may come before its word has moved, or wait behind others.
    CHECK(std::max(down.mvb_items, down.transactions) - std::min(down.mvb_items, down.transactions) <= 4);
}

TEST_CASE("sources of one seed differ by their names, and by the seed") {
    const auto words = [](std::uint64_t with_seed, const char* name) {
        BusSource source({}, BusRole::rq, 2, 8, item_bytes, with_seed, name);
        BusTrace result;
        source.tell(5000, result);
        return result.count(0, 0, 5000, 2, 8).items;
    };
    CHECK(words(1, "a") == words(1, "a"));
    CHECK(words(1, "a") != words(1, "b"));
    CHECK(words(1, "a") != words(2, "a"));
}

TEST_CASE("the telemetry counts what stands on the pins") {
    telemetry::Config generics;
    generics.pcie_endpoints = 2;
    generics.dma_ports = 2;
    generics.pcie_rq_mfb_regions = 4;  // RC is padded
    generics.padding = telemetry::Padding::documented;
    generics.drain_period = 2048;
    const telemetry::Clocks clocks{ClockDomain(7'000'001, 0),
                                   ClockDomain(5'000'000, 3),
                                   {ClockDomain(2'500'000, 0), ClockDomain(3'300'001, 9)}};
    const traffic::Config config;
    const time_fs look = 300 * fs_per_us + 11;
    // No pin is seen before the synchronised reset of power-up is over, three edges; the MVB has no reset
    // there.
    constexpr cycle_t first = 3;

    for (const time_fs piece : {look, 10 * fs_per_us + 1}) {
        telemetry::Telemetry component(generics, clocks);
        const traffic::RandomActivity activity(config, settings, seed, component);
        for (time_fs t = 0; t < look; t += piece)
            component.advance_to(std::min(look, t + piece));
        component.advance_to(look);
        CHECK(component.dropped_deltas() == 0);

        for (std::uint32_t e = 0; e < generics.pcie_endpoints; ++e) {
            const std::string endpoint = "endpoint" + std::to_string(e) + ".";
            const std::uint32_t pcie_entry = e * component.layout().channels_per_endpoint;
            const std::uint32_t dma_entry = pcie_entry + component.layout().pcie.channels;
            const auto check = [&](const std::string& name, BusRole role, const telemetry::BusShape& shape,
                                   const ClockDomain& clock, std::uint32_t entry) {
                CAPTURE(name);
                const cycle_t end = clock.first_at_or_after(look);
                BusSource source(config, role, shape.regions, shape.region_items, item_bytes, seed, name);
                BusTrace words;
                source.tell(end, words);
                const auto expected = words.count(first, first - 1, end, shape.regions, shape.region_items);
                namespace channel = telemetry::bus_channel;
                CHECK(component.counted(entry + channel::words) == expected.words);
                CHECK(component.counted(entry + channel::stalled) == expected.stalled);
                CHECK(component.counted(entry + channel::transactions) == expected.transactions);
                CHECK(component.counted(entry + channel::mvb_items) == expected.mvb_items);
                CHECK(component.counted(entry + channel::mvb_stalled) == expected.mvb_stalled);
                CHECK(component.counted(entry + channel::items) == expected.items);
                for (std::uint32_t r = 0; r < shape.probe_regions; ++r) {
                    CHECK(component.counted(entry + channel::region0 + r) ==
                          (r < shape.regions ? expected.regions[r] : 0));
                }
                CHECK(expected.items > 0);
            };
            const auto& pcie = component.layout().pcie;
            const auto& dma = component.layout().dma;
            check(endpoint + "rq", BusRole::rq, component.pcie_bus(0), clocks.pcie[e],
                  pcie_entry + pcie.bus_base(0));
            check(endpoint + "rc", BusRole::rc, component.pcie_bus(1), clocks.pcie[e],
                  pcie_entry + pcie.bus_base(1));
            for (std::uint32_t p = 0; p < generics.dma_ports; ++p) {
                const std::string port = endpoint + "dma" + std::to_string(p) + ".";
                check(port + "up", BusRole::up, component.dma_bus(0), clocks.dma,
                      dma_entry + dma.bus_base(2 * p));
                check(port + "down", BusRole::down, component.dma_bus(1), clocks.dma,
                      dma_entry + dma.bus_base(2 * p + 1));
            }

            traffic::BrakeSource brakes(config, seed, endpoint + "brakes");
            const cycle_t end = clocks.pcie[e].first_at_or_after(look);
            std::vector<std::uint64_t> cycles(telemetry::brake_pins);
            cycle_t since = 0;
            std::uint32_t held = 0;
            const auto hold = [&](cycle_t from, std::uint32_t mask) {
                for (cycle_t c = std::max(first, since); c < from; ++c) {
                    for (std::uint32_t pin = 0; pin < cycles.size(); ++pin)
                        cycles[pin] += held >> pin & 1;
                }
                since = from;
                held = mask;
            };
            brakes.tell(end, hold);
            hold(end, 0);
            for (std::uint32_t pin = 0; pin < cycles.size(); ++pin) {
                CHECK(component.counted(pcie_entry + pcie.brake_base() + pin) == cycles[pin]);
                CHECK(cycles[pin] > 0);
            }
        }
    }
}

TEST_CASE("brakes stop for the share that was asked for") {
    for (const std::uint32_t ppm : {0u, 100'000u, traffic::million}) {
        CAPTURE(ppm);
        traffic::Config config;
        config.brake_ppm = ppm;
        traffic::BrakeSource source(config, seed, "brakes");
        constexpr cycle_t cycles = 500'000;
        std::uint64_t stopped = 0;
        cycle_t since = 0;
        std::uint32_t held = 0;
        const auto hold = [&](cycle_t from, std::uint32_t mask) {
            stopped +=
                static_cast<std::uint64_t>(from - since) * static_cast<unsigned>(__builtin_popcount(held));
            since = from;
            held = mask;
        };
        source.tell(cycles, hold);
        hold(cycles, 0);
        CHECK(share(stopped, cycles * telemetry::brake_pins) == Approx(ppm / 1e6).margin(0.005));
    }
}

TEST_CASE("levels walk between nothing and their capacities") {
    traffic::LevelSource source({}, settings, 256, 1000, seed, "levels");
    std::uint32_t lowest = 256, lowest_words = 1000;
    bool legal = true;
    source.tell(1'000'000, [&](cycle_t, const telemetry::StatusPins& pins) {
        lowest = std::min(lowest, pins.free_tags);
        lowest_words = std::min(lowest_words, pins.free_words);
        legal = legal && pins.free_tags <= 256 && pins.free_words <= 1000;
    });
    CHECK(legal);
    CHECK(lowest == 0);
    CHECK(lowest_words == 0);
}

TEST_CASE("an idle endpoint says so once") {
    traffic::Config config;
    config.kind = traffic::Kind::idle;
    traffic::LevelSource source(config, settings, 256, 1000, seed, "levels");
    int holds = 0;
    const auto count = [&](cycle_t from, const telemetry::StatusPins& pins) {
        ++holds;
        CHECK(from == 0);
        CHECK(pins.free_tags == 256);
        CHECK(pins.free_words == 1000);
        CHECK(pins.settings == 0x251);  // 256 B, 512 B, extended tag, link up
    };
    source.tell(1'000'000, count);
    source.tell(2'000'000, count);
    CHECK(holds == 1);
}

TEST_CASE("parameters out of range are refused") {
    const auto message = [](const traffic::Config& config) {
        try {
            config.validate();
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(message({}) == "");
    traffic::Config config;
    config.stall_ppm = traffic::million;
    CHECK(message(config) == "pins.stall: expected 0 to 990000 ppm, found 1000000");
    config = {};
    config.burst_words = 0;
    CHECK(message(config) == "pins.burst: expected 1 to 1000000 words, found 0");
}
