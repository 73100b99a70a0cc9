// SPDX-License-Identifier: BSD-3-Clause
#include "requests.hpp"

#include <tlmetry/base/random.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <list>

using namespace tlmetry;
using namespace tlmetry::host;

namespace {

/// Hits of least recently used replacement, as its name says.
class LiteralLru {
public:
    explicit LiteralLru(std::size_t entries) : m_entries(entries) {}
    bool use(std::uint64_t page) {
        const auto place = std::find(m_pages.begin(), m_pages.end(), page);
        const bool hit = place != m_pages.end();
        if (hit) m_pages.erase(place);
        m_pages.push_front(page);
        if (m_pages.size() > m_entries) m_pages.pop_back();
        return hit;
    }

private:
    std::size_t m_entries;
    std::list<std::uint64_t> m_pages;
};

/// Share of hits of 20000 requests, each compared with the literal one.
double hit_rate(std::uint32_t entries, std::uint32_t page_bytes,
                const std::function<std::uint64_t(int)>& address_of) {
    IoTlb tlb(entries, page_bytes);
    LiteralLru literal(entries);
    int hits = 0;
    int different = 0;
    constexpr int count = 20'000;
    for (int i = 0; i < count; ++i) {
        const std::uint64_t address = address_of(i);
        bool hit = false;
        const IoTlb::Translation& translation = tlb.use(address, hit);
        different += hit != literal.use(address / page_bytes) ? 1 : 0;
        different += translation.page != address / page_bytes ? 1 : 0;
        hits += hit ? 1 : 0;
    }
    CHECK(different == 0);
    return static_cast<double>(hits) / count;
}

}  // namespace

TEST_CASE("The IO-TLB hits as least recently used replacement does") {
    Random random(1, "test");
    const auto sequential = [](int i) { return static_cast<std::uint64_t>(i) * 256; };
    const auto among = [&random](std::uint32_t pages) {
        return
            [&random, pages](int) { return std::uint64_t{random.below(pages)} * 4096 + random.below(4096); };
    };
    const auto around = [](std::uint64_t pages) {
        return [pages](int i) { return static_cast<std::uint64_t>(i) % pages * 4096; };
    };
    for (const std::uint32_t entries : {1U, 2U, 3U, 64U, 100U}) {
        INFO(entries << " entries");
        CHECK(hit_rate(entries, 4096, sequential) == Approx(15.0 / 16));
        CHECK(hit_rate(entries, 1 << 21, sequential) == Approx(1).margin(0.001));
        CHECK(hit_rate(entries, 4096, among(entries)) == Approx(1).margin(0.01));
        CHECK(hit_rate(entries, 4096, among(4 * entries)) == Approx(0.25).margin(0.015));
        CHECK(hit_rate(entries, 4096, around(entries)) == Approx(1).margin(0.01));
        CHECK(hit_rate(entries, 4096, around(entries + 1)) == 0);
    }
}

TEST_CASE("A miss costs a walk, and who needs the same page waits for it") {
    Config config = plain(500 * ns);
    config.iotlb_entries = 2;
    config.iotlb_miss_fs = 300 * ns;
    RootComplex host(config, 2, 1);
    CHECK(host.least_latency_fs() == 500 * ns);
    CHECK(host.read(0, read_at(0, 0x1000)) == 800 * ns);
    CHECK(host.read(1, read_at(100 * ns, 0x1FC0)) == 800 * ns);
    CHECK(host.read(0, read_at(301 * ns, 0x1000)) == 801 * ns);
    host.write(0, write_at(400 * ns, 0x2000));
    CHECK(host.last_commit(0) == 800 * ns);
    CHECK(host.read(0, read_at(1000 * ns, 0x3000)) == 1800 * ns);
    CHECK(host.read(0, read_at(2000 * ns, 0x1000)) == 2800 * ns);  // the third page pushed it out
    CHECK(host.total().iotlb_misses == 4);
    CHECK(host.statistics(0).iotlb_hits == 1);
    CHECK(host.statistics(1).iotlb_hits == 1);
    CHECK(host.total().read_wait_fs == static_cast<std::uint64_t>((300 + 200 + 300 + 300) * ns));
}

TEST_CASE("Walks at a time are bounded") {
    Config config = plain(500 * ns);
    config.iotlb_entries = 64;
    config.iotlb_miss_fs = 300 * ns;
    config.iotlb_walks = 2;
    RootComplex host(config, 1, 1);
    CHECK(host.read(0, read_at(0, 0x1000)) == 800 * ns);
    CHECK(host.read(0, read_at(0, 0x2000)) == 800 * ns);
    CHECK(host.read(0, read_at(0, 0x3000)) == 1100 * ns);
    CHECK(host.read(0, read_at(0, 0x1000)) == 800 * ns);
    CHECK(host.read(0, read_at(0, 0x4000)) == 1100 * ns);
}
