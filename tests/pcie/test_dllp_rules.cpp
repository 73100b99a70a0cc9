// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/pcie/dllp_rules.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using namespace tlmetry::pcie;

namespace {

LinkSettings link(std::uint32_t generation, std::uint32_t lanes, std::uint32_t mps_bytes) {
    LinkSettings settings;
    settings.generation = generation;
    settings.lanes = lanes;
    settings.mps_bytes = mps_bytes;
    return settings;
}

}  // namespace

TEST_CASE("the limits of the specification are symbol times of one lane") {
    const DllpRules slow(link(1, 1, 128));  // 237 symbols of 4 ns, replay after 711
    CHECK(slow.ack_interval_fs() == 948 * fs_per_ns);
    CHECK(slow.fc_interval_fs() == 948 * fs_per_ns);
    CHECK(slow.replay_timer_fs() == 711 * 4 * fs_per_ns);
    const DllpRules fast(link(5, 16, 256));  // 168 symbols of 0.25 ns
    CHECK(fast.ack_interval_fs() == 42 * fs_per_ns);
    CHECK(DllpRules::bytes == 8);
}

TEST_CASE("without the rules of the specification no DLLP is sent on its own") {
    for (const DllpMode mode : {DllpMode::analytic, DllpMode::off}) {
        LinkSettings settings = link(3, 8, 256);
        settings.dllp = mode;
        const DllpRules rules(settings);
        CHECK(rules.ack_interval_fs() == never);
        CHECK(rules.fc_interval_fs() == never);
        CHECK(rules.replay_timer_fs() == never);
    }
}

TEST_CASE("SKP ordered sets take their share of the time") {
    LinkSettings settings = link(2, 8, 256);
    CHECK(skip_fraction(settings) == Ratio(4, 1538));
    settings.generation = 3;
    CHECK(skip_fraction(settings) == Ratio(1, 375));
    settings.dllp = DllpMode::analytic;
    CHECK(skip_fraction(settings) == Ratio(4, 1538));
    settings.dllp = DllpMode::off;
    CHECK(skip_fraction(settings) == Ratio(0, 1));
}
