// SPDX-License-Identifier: BSD-3-Clause
// The root complex behind the endpoints of a card.
#include "requests.hpp"

#include <tlmetry/base/clock_domain.hpp>

#include <catch2/catch.hpp>

#include <deque>

using namespace tlmetry;
using namespace tlmetry::host;

namespace {

/// Reads of 512 bytes, more than a port can take.
class Reads : public endpoint::RequestSource {
public:
    std::size_t fetch(endpoint::Request* out, std::size_t most, time_fs now) override {
        std::size_t count = 0;
        for (; count < most; ++count) {
            const time_fs arrival = static_cast<time_fs>(m_count) * 30 * ns;
            if (arrival >= now) break;
            out[count] = {arrival, 512 * m_count++, 512, true, 0};
        }
        return count;
    }

private:
    std::uint64_t m_count = 0;
};

/// Bytes per second that come down to every endpoint.
std::vector<double> completion_rates(const Config& config, std::uint32_t endpoints) {
    RootComplex host(config, endpoints, 1);
    endpoint::Config card;
    card.host.least_latency_fs = host.least_latency_fs();
    std::deque<Reads> sources;
    std::deque<endpoint::Endpoint> parts;
    std::vector<endpoint::Endpoint*> pointers;
    for (std::uint32_t e = 0; e < endpoints; ++e) {
        endpoint::RequestSource& source = sources.emplace_back();
        parts.emplace_back(card, ClockDomain(2'500'000, 0), ClockDomain(5'000'000, 0),
                           std::vector<endpoint::RequestSource*>{&source});
        pointers.push_back(&parts.back());
    }
    endpoint::System system(pointers, host);
    constexpr time_fs warm = 100 * fs_per_us;
    constexpr time_fs end = 600 * fs_per_us;
    const auto bytes = [&](std::uint32_t e) { return parts[e].statistics().completion_bytes; };
    system.advance(warm);
    std::vector<std::uint64_t> before;
    for (std::uint32_t e = 0; e < endpoints; ++e)
        before.push_back(bytes(e));
    system.advance(end);
    std::vector<double> rates;
    for (std::uint32_t e = 0; e < endpoints; ++e)
        rates.push_back(rate(bytes(e) - before[e], end - warm));
    CHECK(host.total().reads > 0);
    return rates;
}

}  // namespace

TEST_CASE("Endpoints of a card share the memory's ceiling") {
    Config config = plain(500 * ns);
    const double alone = completion_rates(config, 1)[0];
    CHECK(alone > 10e9);
    config.memory_read_bytes_per_s = 9'000'000'000;
    for (const std::uint32_t endpoints : {1U, 2U, 3U}) {
        double sum = 0;
        for (const double r : completion_rates(config, endpoints)) {
            sum += r;
            CHECK(r == Approx(9e9 / endpoints).epsilon(0.03));
        }
        CHECK(sum == Approx(9e9).epsilon(0.002));
    }
}

TEST_CASE("Lines in flight limit what an endpoint reads") {
    Config config = plain(500 * ns);
    config.lines_in_flight = 32;
    config.line_service_fs = 400 * ns;
    CHECK(completion_rates(config, 1)[0] == Approx(32 * 64 / 400e-9).epsilon(0.002));
}
