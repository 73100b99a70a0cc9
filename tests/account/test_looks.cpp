// SPDX-License-Identifier: BSD-3-Clause
// Counts at a look are final: what a later one adds is never less than nothing.
#include "configured.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace tlmetry;
using endpoint::TagManager;

namespace {

/// Looks at a card every `step` and compares with the look before. Returns the last one.
TagManager::Statistics look_at(const device::SimulatedCard::Config& config, time_fs step, int looks) {
    device::SimulatedCard simulated(config);
    card::Card& card = *simulated.card();
    TagManager::Statistics before;
    cycle_t cycle = 0;
    for (int i = 0; i < looks; ++i) {
        CAPTURE(i);
        simulated.sleep(step);
        card.advance(simulated.now());
        const cycle_t now = card.endpoint(0).pcie().first_at_or_after(simulated.now());
        const TagManager::Statistics after = card.endpoint(0).tag_manager().statistics(now);
        std::uint64_t between = after.groups - before.groups;
        for (std::size_t w = 0; w < TagManager::waits; ++w) {
            CAPTURE(w);
            CHECK(after.waited[w] >= before.waited[w]);
            between += after.waited[w] - before.waited[w];
        }
        CHECK(between <= static_cast<std::uint64_t>(now - cycle));
        CHECK(after.hold_cycles >= before.hold_cycles);
        CHECK(after.tag_cycles >= before.tag_cycles);
        CHECK(after.tag_cycles - before.tag_cycles <=
              static_cast<std::uint64_t>(now - cycle) * config.card.endpoint.ptc.tags);
        before = after;
        cycle = now;
    }
    return before;
}

std::uint64_t sum(const TagManager::Statistics& statistics) {
    return std::accumulate(statistics.waited.begin(), statistics.waited.end(), std::uint64_t{0});
}

/// Tags and words of the storage FIFO run out at about the same time.
device::SimulatedCard::Config scarce(std::vector<std::string> changes = {}) {
    for (const char* change :
         {"card.mvb_up_items=2", "ptc.tags=256", "ptc.storage_words=1024", "link.generation=4",
          "link.lanes=16", "link.mrrs=4KiB", "traffic.mix=random", "traffic.read_share=100%",
          "traffic.read_size.bytes=256B", "host.latency=950ns"})
        changes.push_back(change);
    return test::configured("card_open.ini", changes);
}

}  // namespace

TEST_CASE("a wait that a look has counted keeps its cause") {
    constexpr time_fs step = 14 * fs_per_ns;
    constexpr int looks = 3000;
    const TagManager::Statistics often = look_at(scarce(), step, looks);
    const TagManager::Statistics once = look_at(scarce(), looks * step, 1);
    CHECK(often.groups == once.groups);
    CHECK(sum(often) == sum(once));
    CHECK(often.waited[TagManager::for_tags] != 0);
    CHECK(often.waited[TagManager::for_space] != 0);
}

TEST_CASE("a wait for the place before RQ is counted once however often one looks") {
    constexpr time_fs step = 14 * fs_per_ns;
    constexpr int looks = 3000;
    device::SimulatedCard::Config config = scarce();
    for (generator::Config& port : config.card.traffic)
        port.read_ppm = 0;
    const TagManager::Statistics often = look_at(config, step, looks);
    const TagManager::Statistics once = look_at(config, looks * step, 1);
    CHECK(often.groups == once.groups);
    CHECK(sum(often) == sum(once));
    CHECK(often.waited[TagManager::for_queue] != 0);
}

TEST_CASE("a reset takes back no count") {
    look_at(scarce({"timeline.at=20us reset for 2us, 30us reset pcie for 1us"}), 100 * fs_per_ns, 400);
}
