// SPDX-License-Identifier: BSD-3-Clause
#include "moments.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/generator/shape_table.hpp>
#include <tlmetry/generator/size.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <map>

using namespace tlmetry;
using namespace tlmetry::generator;
using Catch::Contains;

namespace {

Size spread(SizeKind kind, std::uint32_t min, std::uint32_t max, std::uint32_t step, std::uint32_t mean = 0,
            std::uint32_t deviation = 0) {
    Size size;
    size.kind = kind;
    size.min_bytes = min;
    size.max_bytes = max;
    size.step_bytes = step;
    size.mean_bytes = mean;
    size.deviation_bytes = deviation;
    return size;
}

/// How often each size comes when the random bits of shape and size take 2^11 evenly spaced values each.
std::map<std::uint32_t, double> shares(const Size& size) {
    std::vector<ShapeTable::Weighted> shapes;
    for (const SizeBand& band : size.bands("size"))
        shapes.push_back({{band.base, band.step, band.count, false, 0}, band.weight});
    const ShapeTable table(shapes);
    constexpr std::uint32_t points = 2048;
    constexpr std::uint32_t spacing = 0x1'0000'0000 / points;
    std::map<std::uint32_t, double> result;
    for (std::uint32_t i = 0; i < points; ++i) {
        const Shape& shape = table.draw(i * spacing + spacing / 2);
        for (std::uint32_t j = 0; j < points; ++j)
            result[shape.bytes(j * spacing + spacing / 2)] += 1.0 / points / points;
    }
    return result;
}

/// Mean and variance of the bands, each value by itself.
Moments exact(const Size& size) {
    double sum = 0;
    double squares = 0;
    double total = 0;
    for (const SizeBand& band : size.bands("size")) {
        for (std::uint32_t i = 0; i < band.count; ++i) {
            const double bytes = band.base + band.step * i;
            sum += band.weight / band.count * bytes;
            squares += band.weight / band.count * bytes * bytes;
            total += band.weight / band.count;
        }
    }
    // Two values with the same moments.
    const double mean = sum / total;
    const double deviation = std::sqrt(squares / total - mean * mean);
    Moments moments;
    moments.add(mean - deviation);
    moments.add(mean + deviation);
    return moments;
}

}  // namespace

TEST_CASE("A fixed size is the only one") {
    CHECK(shares(Size::fixed(1500)) == std::map<std::uint32_t, double>{{1500, 1.0}});
}

TEST_CASE("The sizes of a list come by their weights") {
    const auto found = shares(Size::weighted("64:0.4, 256 : 0.5,1500:0.1"));
    REQUIRE(found.size() == 3);
    CHECK(found.at(64) == Approx(0.4).margin(0.002));
    CHECK(found.at(256) == Approx(0.5).margin(0.002));
    CHECK(found.at(1500) == Approx(0.1).margin(0.002));
    CHECK(mean_bytes(Size::weighted("64:0.4,256:0.5,1500:0.1").bands("")) == Approx(303.6).epsilon(1e-12));
}

TEST_CASE("Weights need not sum up to one, may be left out and may be nothing") {
    const auto found = shares(Size::weighted("64,128:3,256:0"));
    REQUIRE(found.size() == 2);
    CHECK(found.at(64) == Approx(0.25).margin(0.001));
    CHECK(found.at(128) == Approx(0.75).margin(0.001));
}

TEST_CASE("The sizes of a range are equally frequent and end at the last step below its maximum") {
    const auto found = shares(spread(SizeKind::range, 100, 199, 24));
    REQUIRE(found.size() == 5);
    for (const std::uint32_t bytes : {100u, 124u, 148u, 172u, 196u})
        CHECK(found.at(bytes) == Approx(0.2).margin(0.001));
    CHECK(largest_bytes(spread(SizeKind::range, 100, 199, 24).bands("")) == 196);
}

TEST_CASE("Normal sizes have the mean and the deviation asked for") {
    SECTION("each size by itself") {
        const Moments moments = exact(spread(SizeKind::normal, 1, 2000, 1, 1000, 60));
        CHECK(moments.mean() == Approx(1000).epsilon(1e-9));
        CHECK(moments.variance() == Approx(3600).epsilon(1e-6));
    }
    SECTION("in bands") {
        const Moments moments = exact(spread(SizeKind::normal, 1, 16'000'000, 1, 8'000'000, 1'000'000));
        CHECK(moments.mean() == Approx(8'000'000).epsilon(1e-6));
        CHECK(moments.variance() == Approx(1e12).epsilon(1e-3));
    }
    SECTION("in steps") {
        const Moments moments = exact(spread(SizeKind::normal, 64, 4096, 64, 2048, 256));
        CHECK(moments.mean() == Approx(2048).epsilon(1e-6));
        CHECK(moments.variance() == Approx(65536).epsilon(1e-6));
    }
    SECTION("drawn with the shape of a bell") {
        const auto found = shares(spread(SizeKind::normal, 64, 448, 64, 256, 64));
        REQUIRE(found.size() == 7);
        CHECK(found.at(192) / found.at(256) == Approx(std::exp(-0.5)).epsilon(0.01));
        CHECK(found.at(128) / found.at(256) == Approx(std::exp(-2.0)).epsilon(0.02));
        CHECK(found.at(320) == Approx(found.at(192)).epsilon(0.01));
    }
}

TEST_CASE("Geometric sizes have exactly the mean asked for and fall by a constant factor") {
    SECTION("far from the maximum the variance is that of the endless distribution") {
        const Moments moments = exact(spread(SizeKind::geometric, 1, 1'000'000, 1, 401));
        CHECK(moments.mean() == Approx(401).epsilon(1e-9));
        CHECK(moments.variance() == Approx(400.0 * 401).epsilon(1e-3));
    }
    SECTION("in steps") {
        const auto found = shares(spread(SizeKind::geometric, 64, 4096, 64, 192));
        CHECK(found.at(128) / found.at(64) == Approx(2.0 / 3).epsilon(0.01));
        CHECK(found.at(192) / found.at(128) == Approx(2.0 / 3).epsilon(0.01));
    }
    SECTION("cut by the maximum the mean stays") {
        CHECK(exact(spread(SizeKind::geometric, 64, 512, 4, 250)).mean() == Approx(250).epsilon(1e-9));
        CHECK(exact(spread(SizeKind::geometric, 1, 1 << 24, 1, 8'000'000)).mean() ==
              Approx(8e6).epsilon(1e-6));
    }
}

TEST_CASE("Mistakes in sizes are named") {
    const auto refused = [](const Size& size, const std::string& message) {
        CHECK_THROWS_WITH(size.validate("generator.read_size"), Contains(message));
    };
    refused(Size::fixed(0), "generator.read_size.bytes: expected 1 to 16777216 bytes, found 0");
    refused(Size::fixed((1u << 24) + 1), "found 16777217");
    refused(Size::weighted(""), "expected sizes with weights such as 64:0.4,256:0.6, found \"\"");
    refused(Size::weighted("64:0.4,"), "found \"\"");
    refused(Size::weighted("64:-1"), "found \"64:-1\"");
    refused(Size::weighted("64:nan"), "found \"64:nan\"");
    refused(Size::weighted("64:1e300"), "found \"64:1e300\"");
    refused(Size::weighted("64x:1"), "found \"64x:1\"");
    refused(Size::weighted("0:1"), "generator.read_size.list: expected 1 to 16777216 bytes, found 0");
    refused(Size::weighted("64:0"), "expected a weight above 0");
    refused(spread(SizeKind::range, 0, 64, 1), "generator.read_size.min: expected 1 to");
    refused(spread(SizeKind::range, 65, 64, 1), "generator.read_size.max: expected 65 to");
    refused(spread(SizeKind::range, 64, 128, 0), "generator.read_size.step: expected 1 to");
    refused(spread(SizeKind::normal, 64, 512, 4, 600, 10), "generator.read_size.mean: expected 64 to 512");
    refused(spread(SizeKind::normal, 64, 512, 64, 128, 31), "generator.read_size.deviation: expected 32 to");
    refused(spread(SizeKind::geometric, 64, 512, 4, 64), "generator.read_size.mean: expected 65 to 287");
    refused(spread(SizeKind::geometric, 64, 512, 4, 288), "generator.read_size.mean: expected 65 to 287");

    std::string many = "64";
    for (int i = 0; i < 1024; ++i)
        many += ",64";
    refused(Size::weighted(many), "expected at most 1024 sizes, found 1025");
}
