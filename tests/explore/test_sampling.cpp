// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/explore/sampling.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <set>
#include <vector>

using namespace tlmetry::explore;

TEST_CASE("a permutation has every number once") {
    for (const std::uint64_t size : {1, 2, 3, 4, 5, 16, 17, 1000, 4096, 4097}) {
        const Permutation permutation(size, 7, "axis");
        std::set<std::uint64_t> seen;
        for (std::uint64_t i = 0; i < size; ++i) {
            const std::uint64_t to = permutation(i);
            CHECK(to < size);
            seen.insert(to);
        }
        CHECK(seen.size() == size);
    }
}

TEST_CASE("a latin hypercube has one point in every part of each axis") {
    constexpr std::uint64_t n = 1000;
    for (const char* axis : {"ptc.tags", "link.mps"}) {
        std::set<std::uint64_t> parts;
        for (std::uint64_t i = 0; i < n; ++i) {
            const double u = sample_part(Sampling::latin_hypercube, i, n, 3, axis);
            CHECK((u >= 0 && u < 1));
            parts.insert(static_cast<std::uint64_t>(u * n));
        }
        CHECK(parts.size() == n);
    }
}

TEST_CASE("axes of a sample are independent of one another") {
    constexpr std::uint64_t n = 4000;
    for (const Sampling sampling : {Sampling::random, Sampling::latin_hypercube}) {
        double sum = 0, square = 0;
        for (std::uint64_t i = 0; i < n; ++i) {
            const double a = sample_part(sampling, i, n, 3, "a") - 0.5;
            const double b = sample_part(sampling, i, n, 3, "b") - 0.5;
            sum += a * b;
            square += a * a;
        }
        CHECK(square / n == Approx(1.0 / 12).epsilon(0.05));
        // Of independent ones its standard deviation is 1 / sqrt(n).
        CHECK(std::abs(sum / square) < 4 / std::sqrt(double{n}));
    }
}

TEST_CASE("a sample depends on its seed and the name of the axis only") {
    const auto at = [](std::uint64_t seed, const char* axis) {
        std::vector<double> parts;
        for (std::uint64_t i = 0; i < 20; ++i)
            parts.push_back(sample_part(Sampling::latin_hypercube, i, 20, seed, axis));
        return parts;
    };
    CHECK(at(1, "a") == at(1, "a"));
    CHECK(at(1, "a") != at(2, "a"));
    CHECK(at(1, "a") != at(1, "b"));
}
