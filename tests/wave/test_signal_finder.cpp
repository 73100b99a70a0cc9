// SPDX-License-Identifier: BSD-3-Clause
#include "history.hpp"

#include <catch2/catch.hpp>

using namespace tlmetry;
using namespace tlmetry::wave;
using namespace tlmetry::wave::test;
using Catch::Matchers::Contains;

namespace {

VcdReader reader_of(const std::string& declarations) {
    return VcdReader(
        Input::from_memory("test.vcd", "$timescale 1ps $end\n" + declarations + "\n$enddefinitions $end\n"));
}

const std::string hierarchy =
    "$scope module tb $end $var wire 1 ! clk $end $var wire 4 a data [3:0] $end $var wire 1 q Mixed $end\n"
    "$scope module dut $end $var wire 1 ! clk $end $var wire 8 b data [7:0] $end $var real 64 r level $end\n"
    "$scope module sub $end $var wire 1 ! clk $end $var wire 8 c data [7:0] $end $upscope $end\n"
    "$upscope $end $upscope $end";

}  // namespace

TEST_CASE("a path names a variable, its last part does, and aliases are one signal") {
    const VcdReader reader = reader_of(hierarchy);
    const SignalFinder finder(reader.header());
    CHECK(finder.find("clk", 1).name == "tb.clk");
    CHECK(finder.find("dut.clk", 1).name == "tb.dut.clk");
    CHECK(finder.find("tb.data", 4).name == "tb.data");
    CHECK(finder.find("sub.data").width == 8);
    CHECK(finder.find("dut.data[5:2]", 4).name == "tb.dut.data[5:2]");
    CHECK_FALSE(finder.look_up("lk"));
    CHECK_FALSE(finder.look_up("b.clk"));
    CHECK_FALSE(finder.look_up(""));
    CHECK_FALSE(finder.look_up("nothing[3]"));
    CHECK_THROWS_WITH(finder.find("nothing"),
                      "test.vcd: signal 'nothing': expected a signal of this name, found none");
    CHECK_THROWS_WITH(finder.find("tb.data", 8),
                      "test.vcd: signal 'tb.data': expected 8 bits, found 4 (tb.data)");
    CHECK_THROWS_WITH(finder.find("level"), Contains("expected a variable made of bits"));
}

TEST_CASE("an ambiguous name is refused with its candidates") {
    const VcdReader reader = reader_of(hierarchy);
    CHECK_THROWS_WITH(
        SignalFinder(reader.header()).find("data"),
        "test.vcd: signal 'data': expected one signal of this name (give its full path or more of it), "
        "found 3 different ones: tb.data, tb.dut.data, tb.dut.sub.data");
}

TEST_CASE("the case of letters counts only where it helps") {
    const VcdReader reader = reader_of(hierarchy + " $var wire 1 1 same $end $var wire 1 2 SAME $end");
    const SignalFinder finder(reader.header());
    CHECK(finder.find("TB.MIXED").name == "tb.Mixed");
    CHECK(finder.find("mixed").name == "tb.Mixed");
    CHECK(finder.find("same").name == "same");
    CHECK(finder.find("SAME").name == "SAME");
    CHECK_THROWS_WITH(finder.find("Same"), Contains("found 2 different ones: SAME, same"));
}

TEST_CASE("bits and parts of a vector are put together, whatever their order") {
    VcdReader reader = reader_of(
        "$var wire 1 a v[0] $end $var wire 1 c v[2] $end $var wire 1 b v[1] $end\n"
        "$var wire 4 d w [7:4] $end $var wire 3 e w [2:0] $end $var wire 1 f w [3] $end\n"
        "$var wire 2 g up (0 to 1) $end $var wire 2 h up (2 to 3) $end\n"
        "$var wire 4 i whole [3:0] $end $var wire 1 j whole [2] $end\n"
        "$var wire 4 k fixed [1:-2] $end");
    const SignalFinder finder(reader.header());
    CHECK(finder.find("v").width == 3);
    CHECK(finder.find("w").width == 8);
    CHECK(finder.find("w[4:3]").pieces.size() == 2);
    CHECK(finder.find("whole").pieces.size() == 1);
    CHECK(finder.find("fixed[-1:-2]").pieces.front().variable_lsb == 0);
    CHECK(finder.find("fixed[-1]").pieces.front().variable_lsb == 1);
    // of an ascending vector the last bits are the right ones
    const Signal up = finder.find("up");
    REQUIRE(up.width == 4);
    CHECK(reader.header().variables[up.pieces.front().variable].range->left == 2);
    CHECK(finder.find("up[1:2]").pieces.size() == 2);
    CHECK_THROWS_WITH(finder.find("w[8]"), Contains("expected bits within 7:0, found 8"));
    CHECK_THROWS_WITH(finder.find("w[3:4]"), Contains("expected bits in the direction of 7:0, found 3:4"));
}

TEST_CASE("missing and double bits, and what is too wide, are refused") {
    const VcdReader reader = reader_of(
        "$var wire 1 a v[0] $end $var wire 1 c v[2] $end $var wire 1 d w $end $var wire 1 e w $end\n"
        "$var wire 3 f o[2:0] $end $var wire 3 g o[4:2] $end $var wire 65537 h huge $end $var wire 0 i null "
        "$end\n"
        "$var wire 65536 j big [65535:0] $end $var wire 1 k big [65536] $end $var wire 4294967295 l most "
        "$end");
    const SignalFinder finder(reader.header());
    CHECK_THROWS_WITH(finder.find("v"), Contains("expected bit 1, found no variable that holds it"));
    CHECK_THROWS_WITH(finder.find("w"), Contains("expected one variable for each bit"));
    CHECK_THROWS_WITH(finder.find("o"), Contains("found two of this path for bit 2"));
    for (const char* const name : {"huge", "big", "most"})
        CHECK_THROWS_WITH(finder.find(name), Contains("expected at most 65536 bits"));
    CHECK_THROWS_WITH(finder.find("null"), Contains("width 0"));
}

TEST_CASE("one index on several bits is an element of an array, not a bit") {
    const VcdReader reader =
        reader_of("$var wire 8 a mem[3] $end $var wire 8 b mem [4] $end $var wire 8 c \\m [5] $end");
    const SignalFinder finder(reader.header());
    CHECK(finder.find("mem[3]", 8).name == "mem[3]");
    CHECK(finder.find("mem[4]", 8).name == "mem[4]");
    CHECK(finder.find("m[5]", 8).name == "m[5]");
    CHECK(finder.find("mem[4][7]", 1).name == "mem[4][7]");
    CHECK_FALSE(finder.look_up("mem"));
}

TEST_CASE("aliases of different widths cannot be followed together") {
    VcdReader reader = reader_of("$var wire 4 a x $end $var wire 2 a y $end");
    const SignalFinder finder(reader.header());
    reader.select(finder.find("x"));
    CHECK_THROWS_WITH(reader.select(finder.find("y")), Contains("expected 4 bits as another variable"));
}

TEST_CASE("one variable feeds any number of signals") {
    const auto h =
        read_histories("$timescale 1fs $end $var wire 100 ! v [99:0] $end $enddefinitions $end #1 b1" +
                           std::string(70, '0') + "1z !\n",
                       {"v[71:60]", "v[1:0]", "v", "v[99:1]"});
    CHECK(h[0] == History{{1, "000000000000"}});
    CHECK(h[1] == History{{1, "1x"}});
    CHECK(h[2] == History{{1, std::string(27, '0') + "1" + std::string(70, '0') + "1x"}});
    CHECK(h[3] == History{{1, std::string(27, '0') + "1" + std::string(70, '0') + "1"}});
}

TEST_CASE("names and their ranges") {
    const auto split = [](std::string_view text) {
        const IndexedName parts = split_index(text);
        std::string range = "-";
        if (parts.range) range = std::to_string(parts.range->left) + "," + std::to_string(parts.range->right);
        return std::string(parts.name) + "|" + range;
    };
    CHECK(split("a") == "a|-");
    CHECK(split("a[3:0]") == "a|3,0");
    CHECK(split("a [ 3 : 0 ]") == "a|3,0");
    CHECK(split("a(3 DOWNTO 0)") == "a|3,0");
    CHECK(split("a(-1 to 4)") == "a|-1,4");
    CHECK(split("a[7]") == "a|7,7");
    CHECK(split("m[1][7:0]") == "m[1]|7,0");
    CHECK(split("a[x]") == "a[x]|-");
    CHECK(split("a]") == "a]|-");
    CHECK(split("a[]") == "a[]|-");
    CHECK(split("a[3:]") == "a[3:]|-");
    CHECK(split("a[99999999999]") == "a[99999999999]|-");
    CHECK(split("") == "|-");
}
