// SPDX-License-Identifier: BSD-3-Clause
// Whatever is configured, the requests of a split stream are legal and tile their operations.
#include <tlmetry/generator/request_stream.hpp>
#include <tlmetry/pcie/request_rules.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace tlmetry;
using namespace tlmetry::generator;

namespace {

/// Any valid configuration.
Config any_config(Random& random) {
    Config c;
    const auto size = [&](Size& s) {
        s.kind = static_cast<SizeKind>(random.below(5));
        s.bytes = random.between(1, 20'000);
        s.list =
            std::to_string(random.between(1, 9000)) + "," + std::to_string(random.between(1, 300)) + ":2";
        s.min_bytes = random.between(1, 300);
        s.step_bytes = random.between(1, 8);
        s.max_bytes = s.min_bytes + random.between(100, 12'000);
        s.mean_bytes = s.min_bytes + random.between(1, 40);
        s.deviation_bytes = random.between(4, 3000);
    };
    c.mix = random.chance(1, 2) ? Mix::random : Mix::groups;
    c.read_ppm = random.chance(1, 4) ? million * random.below(2) : random.below(million);
    c.writes_per_group = random.below(4);
    c.reads_per_group = random.between(1, 3);
    size(c.read_size);
    size(c.write_size);
    c.no_snoop_ppm = random.below(million);
    c.relaxed_ordering_ppm = random.below(million);
    c.pattern = static_cast<Pattern>(random.below(3));
    c.alignment_bytes = std::uint64_t{1} << random.below(14);
    c.offset_bytes = random.below(static_cast<std::uint32_t>(c.alignment_bytes));
    c.base_address = c.alignment_bytes * random.below(1000);
    c.region_bytes = random.between(32'768, 200'000);
    c.stride_bytes = c.alignment_bytes * random.between(1, 3);
    c.mps_bytes = 128u << random.below(6);
    c.mrrs_bytes = 128u << random.below(6);
    c.rate = static_cast<Rate>(random.below(3));
    c.spacing = random.chance(1, 2) ? Spacing::constant : Spacing::exponential;
    c.burst_requests = random.below(5);
    return c;
}

}  // namespace

TEST_CASE("Requests are legal and tile their operations, for any configuration") {
    Random random(2024, "legality");
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t split = 0;  // operations of several requests
    for (int round = 0; round < 400; ++round) {
        const Config config = any_config(random);
        const std::string name = "round" + std::to_string(round);
        INFO(name);
        // The same operations, whole and in requests.
        Config whole_config = config;
        whole_config.split = false;
        RequestStream whole(whole_config, 7, name);
        RequestStream stream(config, 7, name);
        // Exponential distances take random words for each request, so that only the first operation agrees.
        const bool comparable = config.rate == Rate::saturate || config.spacing == Spacing::constant;
        time_fs last_arrival = 0;
        for (int operation = 0; operation < 300; ++operation) {
            const Request first = stream.front();
            REQUIRE(first.arrival >= last_arrival);
            last_arrival = first.arrival;
            std::uint64_t end = first.address;
            int requests = 0;
            for (bool last = false; !last; ++requests) {
                const Request request = stream.front();
                REQUIRE(request.length >= 1);
                const std::uint32_t limit = request.read ? config.mrrs_bytes : config.mps_bytes;
                REQUIRE(pcie::check_request(request.read, request.address, request.length, config.mps_bytes,
                                            config.mrrs_bytes) == pcie::RequestFault::none);
                REQUIRE(request.address == end);
                REQUIRE(request.read == first.read);
                REQUIRE(request.arrival == first.arrival);
                REQUIRE((request.flags & 3) == (first.flags & 3));
                end += request.length;
                last = (request.flags & flag::last) != 0;
                // None is shorter than the rules make it.
                REQUIRE((last || (request.address & 3) + request.length == limit || end % 4096 == 0));
                stream.pop();
            }
            const std::uint64_t place = first.address - config.base_address;
            REQUIRE(place % config.alignment_bytes == config.offset_bytes);
            REQUIRE(end <= config.base_address + config.region_bytes);
            if (comparable || operation == 0) {
                REQUIRE(first.address == whole.front().address);
                REQUIRE(first.read == whole.front().read);
                REQUIRE(end - first.address == whole.front().length);
                REQUIRE((whole.front().flags & flag::last) != 0);
                whole.pop();
            }
            (first.read ? reads : writes) += 1;
            split += requests > 1 ? 1 : 0;
        }
    }
    CHECK(reads > 10'000);
    CHECK(writes > 10'000);
    CHECK(split > 10'000);
}

TEST_CASE("The sequence is the same however it is fetched") {
    Random random(5, "fetching");
    for (int round = 0; round < 100; ++round) {
        Config config = any_config(random);
        config.max_requests = 2000;
        RequestStream by_pop(config, 11, "port");
        RequestStream by_block(config, 11, "port");
        std::vector<Request> block(64);
        while (!by_pop.empty()) {
            const std::size_t asked = random.between(1, 64);
            const std::size_t filled = by_block.fill(block.data(), asked);
            REQUIRE(filled <= asked);
            for (std::size_t i = 0; i < filled; ++i) {
                const Request& one = by_pop.front();
                REQUIRE(one.arrival == block[i].arrival);
                REQUIRE(one.address == block[i].address);
                REQUIRE(one.length == block[i].length);
                REQUIRE(one.read == block[i].read);
                REQUIRE(one.flags == block[i].flags);
                by_pop.pop();
            }
            REQUIRE((filled == asked || by_pop.empty()));
        }
        REQUIRE(by_block.empty());
        REQUIRE(by_block.fill(block.data(), 1) == 0);
    }
}
