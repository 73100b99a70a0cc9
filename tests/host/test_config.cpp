// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/host/config.hpp>

#include <catch2/catch.hpp>

#include <functional>
#include <string>

using namespace tlmetry;
using namespace tlmetry::host;

namespace {

std::string refusal(const std::function<void(Config&)>& change) {
    Config config;
    change(config);
    try {
        config.validate("rc");
    } catch (const UserError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("The default configuration is valid") {
    CHECK(refusal([](Config&) {}) == "accepted");
}

TEST_CASE("Configurations that make no sense are refused with parameter, rule and value") {
    CHECK(refusal([](Config& c) { c.latency_fs = -1; }) == "rc.latency: expected 0s to 1s, found -1fs");
    CHECK(refusal([](Config& c) {
              c.latency = Latency::uniform;
              c.latency_high_fs = c.latency_low_fs - 1;
          }).find("rc.latency_high: expected 400ns to 1s (not below latency_low)") == 0);
    CHECK(refusal([](Config& c) {
              c.latency = Latency::normal;
              c.latency_deviation_fs = 0;
          }).find("rc.latency_deviation: expected 1ps to 1s") == 0);
    CHECK(refusal([](Config& c) {
              c.latency = Latency::normal;
              c.latency_low_fs = c.latency_fs + 3 * c.latency_deviation_fs + 1;
          }).find("rc.latency_low: expected 0s to 650ns") == 0);
    CHECK(refusal([](Config& c) { c.latency = Latency::histogram; }) ==
          "rc.latency_file: expected the file of a histogram, found none");
    CHECK(refusal([](Config& c) {
              c.cache_ppm = 600'000;
              c.remote_ppm = 400'001;
          }) == "rc.remote_share: expected 0 to 400000 ppm (with cache_share at most all), found 400001");
    CHECK(refusal([](Config& c) { c.iotlb_page_bytes = 5000; }) ==
          "rc.iotlb_page: expected a power of two, found 5000");
    CHECK(refusal([](Config& c) { c.iotlb_page_bytes = 2048; }) ==
          "rc.iotlb_page: expected 4096 to 1073741824 bytes, found 2048");
    CHECK(refusal([](Config& c) { c.memory_bytes_per_s = 999'999; }) ==
          "rc.memory_rate: expected 1000000 to 100000000000000 bytes/s, or 0 for no limit, found 999999");
    CHECK(refusal([](Config& c) { c.write_weight = 0; }) ==
          "rc.write_weight: expected 1 to 100 shares, found 0");
    CHECK(refusal([](Config& c) { c.lost_ppb = 1'000'000'001; }) ==
          "rc.lost_ppb: expected 0 to 1000000000 of 10^9 reads, found 1000000001");
}

TEST_CASE("Parameters of a distribution that is not used do not matter") {
    CHECK(refusal([](Config& c) {
              c.latency_low_fs = -5;
              c.latency_high_fs = -6;
              c.latency_deviation_fs = 0;
          }) == "accepted");
}
