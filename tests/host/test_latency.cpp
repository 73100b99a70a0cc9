// SPDX-License-Identifier: BSD-3-Clause
#include "requests.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/host/histogram.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>

using namespace tlmetry;
using namespace tlmetry::host;

namespace {

/// A file of this text, as long as it is in use.
class TextFile {
public:
    TextFile(std::string name, const std::string& text) : m_name(std::move(name)) {
        std::ofstream(m_name, std::ios::binary) << text;
    }
    ~TextFile() { std::remove(m_name.c_str()); }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;
    const std::string& name() const { return m_name; }

private:
    std::string m_name;
};

struct Sample {
    double mean = 0;
    double deviation = 0;
    time_fs least = never;
    time_fs greatest = 0;
};

Sample sample(const Config& config, int count = 400'000) {
    RootComplex host(config, 1, 5);
    Sample result;
    double squares = 0;
    for (int i = 0; i < count; ++i) {
        const time_fs t = i * ns;
        const time_fs latency = host.read(0, read_at(t)) - t;
        result.least = std::min(result.least, latency);
        result.greatest = std::max(result.greatest, latency);
        const double x = static_cast<double>(latency) / static_cast<double>(ns);
        result.mean += x;
        squares += x * x;
    }
    result.mean /= count;
    result.deviation = std::sqrt(squares / count - result.mean * result.mean);
    CHECK(result.least >= host.least_latency_fs());
    CHECK(host.total().read_latency_fs == Approx(result.mean * count * static_cast<double>(ns)));
    CHECK(host.total().read_wait_fs == 0);
    return result;
}

std::string refusal(const std::string& text) {
    const TextFile file("histogram_refused.txt", text);
    try {
        read_histogram(file.name());
    } catch (const UserError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("A constant latency is met to the femtosecond") {
    RootComplex host(plain(1'330'000'001), 1, 1);
    CHECK(host.least_latency_fs() == 1'330'000'001);
    CHECK(host.read(0, read_at(7)) == 1'330'000'008);
    CHECK(host.read(0, read_at(7, 0x123, 4096)) == 1'330'000'008);
    CHECK(host.line_ready(64) == 1'330'000'008);
}

TEST_CASE("Uniform latencies have their mean, variance and limits") {
    Config config;
    config.latency = Latency::uniform;
    config.latency_low_fs = 300 * ns;
    config.latency_high_fs = 900 * ns;
    const Sample s = sample(config);
    CHECK(s.mean == Approx(600).margin(1));
    CHECK(s.deviation == Approx(600 / std::sqrt(12)).margin(0.7));
    CHECK(s.least >= 300 * ns);
    CHECK(s.least < 301 * ns);
    CHECK(s.greatest <= 900 * ns);
    CHECK(s.greatest > 899 * ns);

    config.latency_high_fs = config.latency_low_fs + 1;
    const Sample two = sample(config, 1000);
    CHECK(two.greatest - two.least == 1);
}

TEST_CASE("Uniform latencies wider than 32 bits of femtoseconds reach their ends") {
    Config config;
    config.latency = Latency::uniform;
    config.latency_low_fs = 0;
    config.latency_high_fs = 100 * fs_per_us;
    const Sample s = sample(config);
    CHECK(s.mean == Approx(50'000).margin(200));
    CHECK(s.greatest > 99 * fs_per_us);
}

TEST_CASE("Normal latencies have their mean and variance") {
    Config config;
    config.latency = Latency::normal;
    config.latency_fs = 700 * ns;
    config.latency_deviation_fs = 40 * ns;
    config.latency_low_fs = 0;
    const Sample s = sample(config);
    CHECK(s.mean == Approx(700).margin(0.3));
    CHECK(s.deviation == Approx(40).margin(0.2));
    CHECK(s.greatest > 860 * ns);
    CHECK(s.greatest <= 940 * ns);
}

TEST_CASE("Normal latencies are cut at their minimum") {
    Config config;
    config.latency = Latency::normal;
    config.latency_fs = 700 * ns;
    config.latency_deviation_fs = 100 * ns;
    config.latency_low_fs = 650 * ns;
    CHECK(RootComplex(config, 1, 1).least_latency_fs() == 650 * ns);
    const Sample s = sample(config);
    CHECK(s.least >= 650 * ns);
    CHECK(s.least < 651 * ns);
    // What is left of a normal distribution above -0.5: mean and variance by its density and tail.
    const double density = std::exp(-0.125) / std::sqrt(2 * 3.14159265358979);
    const double ratio = density / (0.5 * std::erfc(-0.5 / std::sqrt(2.0)));
    CHECK(s.mean == Approx(700 + 100 * ratio).margin(0.6));
    CHECK(s.deviation == Approx(100 * std::sqrt(1 - 0.5 * ratio - ratio * ratio)).margin(0.6));
}

TEST_CASE("A histogram gives its latencies as often as it counts them") {
    const TextFile file("histogram.txt", "\xEF\xBB\xBF# ns count\n\n400 1\r\n500.25\t6\n450 0\n  520 3  \n");
    Config config;
    config.latency = Latency::histogram;
    config.latency_file = file.name();
    RootComplex host(config, 1, 3);
    CHECK(host.least_latency_fs() == 400 * ns);
    std::map<time_fs, int> seen;
    constexpr int count = 100'000;
    for (int i = 0; i < count; ++i)
        ++seen[host.read(0, read_at(0))];
    CHECK(seen.size() == 3);
    CHECK(seen[400 * ns] == Approx(0.1 * count).epsilon(0.05));
    CHECK(seen[500'250'000] == Approx(0.6 * count).epsilon(0.01));
    CHECK(seen[520 * ns] == Approx(0.3 * count).epsilon(0.02));
}

TEST_CASE("A mistake in a histogram is told with its file and line") {
    const std::string place = "histogram histogram_refused.txt, line ";
    CHECK(refusal("1 2\n3\n") == place + "2: expected a latency in ns and a count, found \"3\"");
    CHECK(refusal("1 2 3\n") == place + "1: expected a latency in ns and a count, found \"1 2 3\"");
    CHECK(refusal("#\n-1 2\n") ==
          place + "2: expected a latency in ns with at most 6 decimals, below 1000000000, found \"-1\"");
    CHECK(refusal("1.1234567 2\n").find(place + "1: expected a latency") == 0);
    CHECK(refusal("1000000000 2\n").find(place + "1: expected a latency") == 0);
    CHECK(refusal("1 x\n") == place + "1: expected a count from 0 to 9007199254740992, found \"x\"");
    CHECK(refusal("1 -1\n").find(place + "1: expected a count") == 0);
    CHECK(refusal("1 0\n2 0\n") ==
          place + "2: expected a latency with a count above 0, found none up to the end");
    CHECK(refusal(std::string(1025, '1'))
              .find(place + "1: expected at most 1024 characters in a line, found") == 0);
    CHECK_THROWS_WITH(
        read_histogram("/dev/zero"),
        Catch::Contains("histogram /dev/zero, line 1: expected at most 1024 characters in a line"));
    CHECK_THROWS_WITH(read_histogram("no/such/file"),
                      "histogram no/such/file cannot be opened: No such file or directory");
}

TEST_CASE("Data is in caches and nodes by their shares, with their own latencies") {
    Config config = plain(500 * ns);
    config.cache_ppm = 200'000;
    config.remote_ppm = 300'000;
    config.cache_added_fs = -100 * ns;
    config.memory_added_fs = 10 * ns;
    config.remote_added_fs = 150 * ns;
    RootComplex host(config, 1, 9);
    CHECK(host.least_latency_fs() == 400 * ns);
    std::map<time_fs, int> seen;
    constexpr int count = 100'000;
    for (int i = 0; i < count; ++i)
        ++seen[host.read(0, read_at(0, 0, 128))];
    CHECK(seen.size() == 3);
    CHECK(seen[400 * ns] == Approx(0.2 * count).epsilon(0.03));
    CHECK(seen[510 * ns] == Approx(0.5 * count).epsilon(0.02));
    CHECK(seen[650 * ns] == Approx(0.3 * count).epsilon(0.03));
    const Statistics total = host.total();
    CHECK(total.reads_cached == static_cast<std::uint64_t>(seen[400 * ns]));
    CHECK(total.reads_remote == static_cast<std::uint64_t>(seen[650 * ns]));
    CHECK(total.lines_cached == 2 * total.reads_cached);
    CHECK(total.lines_read + total.lines_cached == 2 * total.reads);
}

TEST_CASE("The least latency looks only at places that are used") {
    Config config = plain(500 * ns);
    config.cache_added_fs = -300 * ns;
    CHECK(RootComplex(config, 1, 1).least_latency_fs() == 500 * ns);
    config.cache_ppm = 1;
    CHECK(RootComplex(config, 1, 1).least_latency_fs() == 200 * ns);
    config.cache_ppm = million;
    config.memory_added_fs = -400 * ns;
    CHECK(RootComplex(config, 1, 1).least_latency_fs() == 200 * ns);
    config.cache_added_fs = -501 * ns;
    CHECK_THROWS_WITH(RootComplex(config, 1, 1),
                      "host.latency: expected at least 0s with what is added for the fastest place, found "
                      "-1ns");
}

TEST_CASE("Ordered reads become ready in their order, each endpoint by itself") {
    Config config;
    config.latency = Latency::uniform;
    const auto overtaken = [](const Config& c) {
        RootComplex host(c, 2, 4);
        int count = 0;
        time_fs before[2] = {0, 0};
        bool endpoints_overtake = false;
        for (int i = 0; i < 1000; ++i) {
            const std::uint32_t e = i % 3 == 0 ? 1 : 0;
            const time_fs ready = host.read(e, read_at(i * ns));
            count += ready < before[e] ? 1 : 0;
            endpoints_overtake = endpoints_overtake || ready < before[1 - e];
            before[e] = ready;
            CHECK(ready >= i * ns + host.least_latency_fs());
        }
        CHECK(endpoints_overtake);
        return count;
    };
    CHECK(overtaken(config) > 100);
    config.ordered = true;
    CHECK(overtaken(config) == 0);
}

TEST_CASE("Random latencies follow from seed and name, whatever else is on") {
    Config config;
    config.latency = Latency::uniform;
    const auto latencies = [](const Config& c, std::uint64_t seed, const char* name) {
        RootComplex host(c, 1, seed, name);
        std::vector<time_fs> result;
        for (int i = 0; i < 100; ++i) {
            const time_fs t = i * fs_per_us;
            host.read(0, read_at(t, static_cast<std::uint64_t>(i) * 4096));
            host.write(0, write_at(t));
            result.push_back(host.read(0, read_at(t + fs_per_us / 2, 0)));
        }
        return result;
    };
    const std::vector<time_fs> expected = latencies(config, 1, "host");
    CHECK(latencies(config, 1, "host") == expected);
    CHECK(latencies(config, 2, "host") != expected);
    CHECK(latencies(config, 1, "other") != expected);
    // None of these ever binds here, but all of them are asked.
    config.remote_ppm = 500'000;
    config.lines_in_flight = 64;
    config.iotlb_entries = 256;
    config.iotlb_miss_fs = 0;
    config.memory_bytes_per_s = 100'000'000'000;
    config.lost_reads = {1'000};
    CHECK(latencies(config, 1, "host") == expected);
}
