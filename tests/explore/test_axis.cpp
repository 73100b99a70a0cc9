// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/explore/axis.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using explore::Axis;

namespace {

Axis axis(const std::string& values, const std::string& name = "ptc.tags") {
    return Axis({name, values, "plan.ini:7: axes." + name});
}

std::string all(const Axis& a) {
    std::string text;
    for (std::uint64_t i = 0; i < a.size(); ++i) {
        std::string value;
        for (const std::string& part : a.values(i))
            value += (value.empty() ? "" : "&") + part;
        text += (i == 0 ? "" : " ") + value;
    }
    return text;
}

std::string all(const std::string& values) {
    return all(axis(values));
}

void refused(const std::string& values, const std::string& sentence, const std::string& name = "ptc.tags") {
    CAPTURE(values);
    CHECK_THROWS_WITH(axis(values, name), "plan.ini:7: axes." + name + ": " + sentence);
}

}  // namespace

TEST_CASE("values and ranges of an axis") {
    CHECK(all("32") == "32");
    CHECK(all("32, 64 ,65") == "32 64 65");
    CHECK(all("7..10") == "7 8 9 10");
    CHECK(all("10..30 step 7") == "10 17 24");
    CHECK(all("64..512 log2") == "64 128 256 512");
    CHECK(all("64..500 log2") == "64 128 256");
    CHECK(all("1us..10ms log10") == "1us 10us 100us 1ms 10ms");
    CHECK(all("0..100 lin 5") == "0 25 50 75 100");
    CHECK(all("1..100 log 3") == "1 10 100");
    CHECK(all("1..4 lin 10") == "1 2 3 4");
    CHECK(all("1..1000 log 4, 5, 7..8") == "1 10 100 1000 5 7 8");
    CHECK(all("fast, slow") == "fast slow");
    CHECK(all("(1, 2), (3,4)") == "1, 2 3,4");
}

TEST_CASE("ranges count in the unit of their ends") {
    CHECK(all("64B..4KiB log2") == "64B 128B 256B 512B 1KiB 2KiB 4KiB");
    CHECK(all("100ns..1us step 300ns") == "100ns 400ns 700ns 1us");
    CHECK(all("100MHz..300MHz step 100MHz") == "100MHz 200MHz 300MHz");
    CHECK(all("0%..100% lin 3") == "0% 50% 100%");
    CHECK(all("0.5..0.75 lin 2") == "50% 75%");
    CHECK(all("1GB/s..3GB/s lin 3") == "1GB/s 2GB/s 3GB/s");
    CHECK(all("10Gb/s..30Gb/s lin 2") == "10Gb/s 30Gb/s");
    CHECK(all("1M/s..2M/s lin 2") == "1M/s 2M/s");
    // Only steps that parameters know.
    CHECK(all("0.0001%..0.1% log 2") == "1ppm 1000ppm");
}

TEST_CASE("linked axes move together") {
    const Axis a = axis("128B & 64, 256B..1KiB log2 & 1..3, 4KiB & 8", "link.mps & ptc.tags");
    CHECK(a.names() == std::vector<std::string>{"link.mps", "ptc.tags"});
    CHECK(a.title() == "link.mps & ptc.tags");
    CHECK(all(a) == "128B&64 256B&1 512B&2 1KiB&3 4KiB&8");
    // One value stands beside a whole range.
    CHECK(all(axis("true & 64..256 log2", "link.extended_tag & ptc.tags")) == "true&64 true&128 true&256");
}

TEST_CASE("a huge range needs no memory") {
    const Axis a = axis("0..1000000000000");
    CHECK(a.size() == 1'000'000'000'001);
    CHECK(a.values(999'999'999'999).front() == "999999999999");
    CHECK(a.sample(0.5).front() == "500000000000");
}

TEST_CASE("an axis is sampled over all of its values") {
    const Axis list = axis("1, 2, 4, 8");
    CHECK(list.sample(0).front() == "1");
    CHECK(list.sample(0.49).front() == "2");
    CHECK(list.sample(0.999999).front() == "8");
    const Axis logarithmic = axis("1us..100us log");
    CHECK(logarithmic.unbounded());
    CHECK(logarithmic.sample(0).front() == "1us");
    CHECK(logarithmic.sample(0.5).front() == "10us");
    CHECK_FALSE(list.unbounded());
}

TEST_CASE("badly formed axes are refused in a sentence") {
    refused("", "expected values separated by commas, found nothing");
    refused("1,,2", "expected a value, found nothing");
    refused("512..64", "expected a range from a lower to a higher number, found '512..64'");
    refused("64..64", "expected a range from a lower to a higher number, found '64..64'");
    refused("64B..1us", "expected a range between two numbers of one unit, found '64B..1us'");
    refused("a..b", "expected a range between two numbers of one unit, found 'a..b'");
    refused("64.. 512", "expected a range between two numbers of one unit, found '64..'");
    refused("64 to..512", "expected a range such as 64..512, or a value in parentheses, found '64'");
    refused("64..512 by 2", "expected step S, lin N, log N, log2 or log10 behind the range, found 'by 2'");
    refused("64..512 step", "expected a step in the unit of the range, found nothing");
    refused("64..512 step 0", "expected a step in the unit of the range, found '0'");
    refused("1us..2us step 5", "expected a step in the unit of the range, found '5'");
    refused("64..512 lin 1", "expected a number of values from 2 to 1000000, found '1'");
    refused("64..512 log x", "expected a number of values from 2 to 1000000, found 'x'");
    refused("0..512 log2", "expected a range that begins above 0 for steps of log, found '0..512'");
    refused("1 & 2", "expected one value between two commas, found '1 & 2'");
    refused("1", "expected 2 values with & between them, found '1'", "a & b");
    refused("1..3 & 1..2", "expected ranges of equally many values, found '1..3 & 1..2'", "a & b");
    refused("1", "expected NAME, or NAME & NAME, found 'a &'", "a &");
    refused("1 & 1", "expected different parameters, found 'a' twice", "a & a");
}
