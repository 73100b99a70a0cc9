// SPDX-License-Identifier: BSD-3-Clause
// The trace unit register by register: what it selects, where it writes to, when it interrupts.
#include "sent.hpp"
#include "trace_bench.hpp"

#include <tlmetry/ptt/link_headers.hpp>

#include <catch2/catch.hpp>

#include <algorithm>

using namespace tlmetry;
using endpoint::LinkTlp;
using test::TraceBench;
using Kind = LinkTlp::Kind;
namespace reg = ptt::reg;

namespace {

constexpr std::uint32_t eight = reg::ctrl_eight_dwords;
constexpr std::uint32_t every_type = 7u << reg::ctrl_type;
constexpr std::uint32_t outbound = 1u << reg::ctrl_direction;
constexpr std::uint32_t first_port = 1u << reg::ctrl_target;

ptt::TraceUnit::Config unit_of(const card::Topology& topology, std::uint32_t core = 0) {
    ptt::TraceUnit::Config config;
    config.topology = topology;
    config.core = core;
    return config;
}

/// What the documentation of the device says that these fields select, word for word.
bool documented(const LinkTlp& tlp, std::uint32_t direction, std::uint32_t types, bool eight_dwords) {
    const std::uint32_t type = tlp.kind == Kind::write ? 1 : tlp.kind == Kind::read ? 2 : 4;
    if ((types & type) == 0) return false;
    const bool out = !tlp.inbound;
    // CPL A: completions of CHI, DMA and native non-posted requests, except for CPL B: completions of DMA
    // remote2local and peer-to-peer non-posted requests.
    const bool cpl_a = tlp.inbound && tlp.kind == Kind::completion && tlp.native;
    const bool cpl_b = tlp.inbound && tlp.kind == Kind::completion && !tlp.native;
    const bool requests_in = tlp.inbound && tlp.kind != Kind::completion;
    if (eight_dwords) {
        if (direction == 1) return out;
        if (direction == 2) return requests_in || cpl_b;
        return cpl_a;
    }
    if (direction == 0) return tlp.inbound;
    if (direction == 1) return out;
    if (direction == 2) return out || requests_in || cpl_b;
    return out || cpl_a;
}

std::vector<LinkTlp> some_tlps(const card::Topology& topology, std::size_t count) {
    std::mt19937_64 random(count);
    std::vector<LinkTlp> tlps;
    for (std::size_t i = 0; i < count; ++i) {
        LinkTlp tlp = test::any_tlp(random, topology, static_cast<time_fs>(i) * 7 * fs_per_ns);
        // Completions of requests among the devices come in as well.
        if (i % 5 == 0 && tlp.kind == Kind::completion && tlp.inbound) tlp.native = false;
        tlps.push_back(tlp);
    }
    return tlps;
}

}  // namespace

TEST_CASE("every filter, type, direction and format takes just what it is said to") {
    const card::Topology topology{12, false};
    const std::vector<LinkTlp> tlps = some_tlps(topology, 3000);
    for (const std::uint32_t core : {0u, 1u}) {
        TraceBench bench(unit_of(topology, core), 1 << 20);
        std::vector<std::uint32_t> targets = {0, 0x0001, 0x0005, 0x5555, 0x4000};
        for (const std::uint32_t e : {0u, 3u, 8u, 11u})
            targets.push_back(reg::ctrl_filter_requester >> reg::ctrl_target << reg::ctrl_target |
                              topology.endpoint(e));
        for (std::size_t t = 0; t < targets.size(); ++t) {
            const bool requester = t >= 5;
            const std::uint32_t target = targets[t] & 0xffff;
            for (std::uint32_t types = 1; types <= 7; ++types) {
                for (std::uint32_t direction = 0; direction <= 3; ++direction) {
                    for (const bool eight_dwords : {false, true}) {
                        if (eight_dwords && direction == 0) continue;
                        CAPTURE(core, requester, target, types, direction, eight_dwords);
                        std::vector<LinkTlp> expected;
                        for (const LinkTlp& tlp : tlps) {
                            const bool of_core = tlp.endpoint / 8 == core;
                            const bool of_target =
                                requester ? !tlp.native && topology.endpoint(tlp.endpoint) == target
                                          : (target >> tlp.endpoint % 8 * 2 & 1) != 0;
                            if (of_core && of_target && documented(tlp, direction, types, eight_dwords))
                                expected.push_back(tlp);
                        }
                        bench.start(direction << reg::ctrl_direction | types << reg::ctrl_type |
                                    (eight_dwords ? eight : 0) |
                                    (requester ? reg::ctrl_filter_requester : 0) |
                                    target << reg::ctrl_target);
                        bench.pass(tlps);
                        const auto format =
                            eight_dwords ? ptt::Format::eight_dwords : ptt::Format::four_dwords;
                        const std::size_t bytes = ptt::record_bytes(format);
                        REQUIRE(bench.read32(reg::trace_wr_sts) == expected.size() * bytes);
                        bool all_there = true;
                        for (std::size_t i = 0; i < expected.size(); ++i) {
                            const auto record = ptt::get_record(format, bench.memory.data() + i * bytes);
                            const tlp::Words header = ptt::LinkHeaders(topology).maker()(expected[i]);
                            const auto time = static_cast<std::uint32_t>(expected[i].at / fs_per_ns);
                            all_there = all_there && record && record->header[1] == header[1] &&
                                        record->header[2] == header[2] && record->header[3] == header[3] &&
                                        record->time == (eight_dwords ? time : time % 2048);
                        }
                        CHECK(all_there);
                    }
                }
            }
        }
    }
}

TEST_CASE("everything of both directions at once") {
    const card::Topology topology{2, false};
    const std::vector<LinkTlp> tlps = some_tlps(topology, 500);
    TraceBench bench(unit_of(topology), 1 << 20);
    bench.start(reg::ctrl_both_directions | every_type | eight | 0x5u << reg::ctrl_target);
    bench.pass(tlps);
    CHECK(bench.read32(reg::trace_wr_sts) == tlps.size() * 32);
    CHECK(bench.unit.statistics().seen == tlps.size());
    CHECK(bench.unit.statistics().traced == tlps.size());
}

TEST_CASE("a switch hides the endpoints behind one root port, but not their numbers") {
    const card::Topology topology{4, true};
    const std::vector<LinkTlp> tlps = some_tlps(topology, 400);
    TraceBench bench(unit_of(topology), 1 << 20);
    bench.start(reg::ctrl_both_directions | every_type | eight | first_port);
    bench.pass(tlps);
    CHECK(bench.read32(reg::trace_wr_sts) == tlps.size() * 32);
    bench.start(reg::ctrl_both_directions | every_type | eight | reg::ctrl_filter_requester |
                std::uint32_t{topology.endpoint(2)} << reg::ctrl_target);
    bench.pass(tlps);
    const auto of_one = std::count_if(tlps.begin(), tlps.end(),
                                      [](const LinkTlp& tlp) { return tlp.endpoint == 2 && !tlp.native; });
    CHECK(bench.read32(reg::trace_wr_sts) == static_cast<std::uint32_t>(of_one) * 32);
    CHECK(bench.read32(reg::device_range) == 0x0080'0080);
}

TEST_CASE("the ring goes round, with an interrupt for each full buffer") {
    const card::Topology topology{1, false};
    LinkTlp tlp;
    TraceBench bench(unit_of(topology), 256);  // 8 records
    bench.start(outbound | every_type | eight | first_port);
    CHECK(bench.read32(reg::trace_addr_size) == 256);
    CHECK(bench.read32(reg::trace_addr_base + 8) == 0x3400'0100);
    CHECK(bench.read32(reg::trace_addr_base + 12) == 0x12);
    for (std::uint32_t i = 0; i < 40; ++i) {
        tlp.at = i * fs_per_us;
        CHECK(bench.read32(reg::trace_wr_sts) == (i / 8 % 4 << 28 | i % 8 * 32));
        bench.pass(tlp);
        CHECK(bench.interrupts.size() == (i + 1) / 8);
        if (i == 15) {
            CHECK(bench.read32(reg::trace_int_stat) == 0x3);
            bench.write32(reg::trace_int_stat, 0x1);
            CHECK(bench.read32(reg::trace_int_stat) == 0x2);
        }
    }
    CHECK(bench.interrupts.back() == 39 * fs_per_us);
    CHECK(bench.read32(reg::trace_int_stat) == 0xf);
    CHECK(bench.unit.statistics().full_buffers == 5);
    // The first buffer had been cleared before it was written over.
    CHECK(bench.read32(reg::trace_overwritten) == 0);
    for (std::uint32_t i = 40; i < 48; ++i)
        bench.pass(tlp);
    CHECK(bench.read32(reg::trace_overwritten) == 1);

    bench.write32(reg::trace_int_mask, 0x4);  // of buffer 2, which is next
    for (std::uint32_t i = 48; i < 64; ++i)
        bench.pass(tlp);
    CHECK(bench.interrupts.size() == 7);

    bench.write32(reg::trace_ctrl, 0);
    const std::uint32_t position = bench.read32(reg::trace_wr_sts);
    bench.pass(tlp);
    CHECK(bench.read32(reg::trace_wr_sts) == position);
    CHECK(bench.read32(reg::trace_sts) == reg::sts_idle);
    bench.write32(reg::trace_ctrl, reg::ctrl_reset);
    CHECK(bench.read32(reg::trace_wr_sts) == 0);
}

TEST_CASE("records that fill no buffer, memory that is not there") {
    LinkTlp tlp;
    TraceBench bench(unit_of({1, false}), 100);  // three records of 32 bytes
    bench.start(outbound | every_type | eight | first_port);
    for (int i = 0; i < 4; ++i)
        bench.pass(tlp);
    CHECK(bench.read32(reg::trace_wr_sts) == (1u << 28 | 32));
    bench.write32(reg::trace_ctrl, 0);
    bench.write32(reg::trace_addr_base + 8, 0x10);
    bench.write32(reg::trace_ctrl, outbound | every_type | eight | first_port | reg::ctrl_enable);
    bench.pass(tlp);
    CHECK(bench.unit.statistics().unwritable == 1);
    CHECK(bench.unit.statistics().traced == 4);
}

TEST_CASE("registers that say where the unit is") {
    TraceBench first(unit_of({12, false}, 0), 64);
    CHECK(first.read32(reg::device_range) == 0x00b8'0080);  // 00:17.0 and 00:10.0
    CHECK(first.read32(reg::location) == 0);
    TraceBench second(unit_of({12, false}, 1), 64);
    CHECK(second.read32(reg::device_range) == 0x0099'0081);  // 00:13.1 and 00:10.1
    CHECK(second.read32(reg::location) == 1);
    CHECK(!second.unit.read(0x7fc));
}
