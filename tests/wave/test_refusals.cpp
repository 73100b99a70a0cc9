// SPDX-License-Identifier: BSD-3-Clause
// Each way in which a recording can be wrong, and what the reader says.

#include "history.hpp"

#include <catch2/catch.hpp>
#include <unistd.h>

#include <cstdio>
#include <fstream>

using namespace tlmetry;
using namespace tlmetry::wave;
using namespace tlmetry::wave::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string declared =
    "$timescale 1ps $end\n$var wire 1 ! a $end\n$var wire 4 \" b [3:0] $end\n$var real 64 # r $end\n"
    "$enddefinitions $end\n";
const std::vector<std::string> both{"a", "b"};

std::string after_header(const std::string& changes) {
    return refusal(declared + changes, both);
}

}  // namespace

TEST_CASE("the sample itself is accepted") {
    CHECK(after_header("#0\n0!\nb1x \"\nr1 #\n").empty());
}

TEST_CASE("headers that are none") {
    const auto [text, message] = GENERATE(table<std::string, std::string>({
        {"", "test.vcd:1: expected $enddefinitions, found the end of the file"},
        {"hello world\n",
         "test.vcd:1: expected a VCD declaration such as $var or $enddefinitions, found 'hello'"},
        {std::string("\0\0\1FST\n", 7), std::string("found '") + std::string(3, '?') + "FST'"},
        {"$end\n", "found '$end'"},
        {"$enddefinitions $end\n", "expected a $timescale before $enddefinitions, found none"},
        {"$timescale 1ps $end\n$enddefinitions\n#0\n",
         "test.vcd:3: expected $end behind $enddefinitions, found '#0'"},
        {"$timescale 3ps $end\n",
         "expected a timescale of 1, 10 or 100 fs, ps, ns, us, ms or s, found '3ps'"},
        {"$timescale 1 $end\n", "found '1'"},
        {"$timescale ps $end\n", "found 'ps'"},
        {"$timescale 1 as $end\n", "found '1 as'"},
        {"$timescale $end\n", "found ''"},
        {"$timescale 1ps $end $timescale 1ns $end\n",
         "expected one timescale, found a second, different one of '1ns'"},
        {"\n$upscope $end\n", "test.vcd:2: expected a $scope for every $upscope, found one $upscope more"},
        {"$scope module a $end $upscope\n$var\n", "expected $end behind $upscope, found '$var'"},
        {"$scope $end\n", "expected a scope type behind $scope, found '$end'"},
        {"$scope module a\n$var wire 1 ! b $end\n", "expected $end behind $scope, found '$var'"},
        {"$var wire x ! a $end\n", "expected the width of the variable, found 'x'"},
        {"$var wire -1 ! a $end\n", "expected the width of the variable, found '-1'"},
        {"$var wire 1 $end\n", "expected the identifier code of the variable, found '$end'"},
        {"$var wire 1 ! $end\n", "expected the name of the variable, found '$end'"},
        {"$var wire 1 ! a\n$var wire 1 \" b $end\n", "test.vcd:2: expected $end behind $var, found '$var'"},
        {"$var wire 1 ! a\n", "test.vcd:2: expected $end behind $var, found the end of the file"},
        {"$var wire\n", "expected the width of the variable, found the end of the file"},
        {"\n$comment never closed\n\n",
         "test.vcd:2: expected $end behind $comment, found the end of the file"},
    }));
    CAPTURE(text);
    CHECK_THAT(refusal(text), StartsWith("test.vcd:") && Contains(message));
}

TEST_CASE("changes that are none") {
    const auto [text, message] = GENERATE(table<std::string, std::string>({
        {"#0\n1?\n", "test.vcd:7: expected an identifier code that the header declares, found '?'"},
        {"#0\n1\n!\n", "test.vcd:7: expected an identifier code that the header declares, found ''"},
        {"#0\n1!!\n", "found '!!'"},
        {"b1 !!!!\n", "found '!!!!'"},
        {"1\x01\n", "found '?'"},
        {"1!\x01\n", "found '!?'"},
        {"b11 !\n", "expected at least 1 and at most 1 digits 0, 1, x, z for '!', found 'b11'"},
        {"b10000 \"\n", "at most 4 digits 0, 1, x, z for '\"', found 'b10000'"},
        {"b12 \"\n", "found 'b12'"},
        {"b \"\n", "found 'b'"},
        {"r1.5 \"\n", "at most 4 digits"},
        {"sab !\n", "at most 1 digits"},
        {"#0\nb1\n", "test.vcd:7: expected an identifier code behind 'b1', found the end of the file"},
        {"sa\x01 #\n", "expected printable characters in a value, found 'sa?'"},
        {"#\n", "expected a time stamp of # and digits, found '#'"},
        {"#12a\n", "found '#12a'"},
        {"#-1\n", "found '#-1'"},
        {"# 1\n", "found '#'"},
        {"#5\n\n#4\n", "test.vcd:8: expected time stamps that never go back, so at least #5, found '#4'"},
        {"#99999999999999999999999\n", "expected time stamps below 4611 s"},
        {"#4611000000000000\n", "expected time stamps below 4611 s, found '#4611000000000000'"},
        {"$end\n", "expected a $dump... section before its $end, found '$end'"},
        {"$dumpvars 1! $end $end\n", "expected a $dump... section before its $end"},
        {"$dumpvars\n1!\n", "expected $end behind $dump..., found the end of the file"},
        {"$comment\n", "test.vcd:6: expected $end behind $comment, found the end of the file"},
        {"$var wire 1 % c $end\n", "expected all declarations before $enddefinitions, found '$var'"},
        {"pD 6 0 !\n", "(record with $dumpvars), found one of $dumpports, 'pD'"},
        {"q!\n", "expected a value change or a time stamp, found 'q!'"},
        {std::string("\0\0\0\0\n", 5), std::string("found '") + std::string(4, '?')},
        {"#0\n1!\n#1", "expected a line end behind '#1', found the end of the file (it is cut off)"},
        {"#0\n1", "test.vcd:7: expected a line end behind '1', found the end of the file (it is cut off)"},
    }));
    CAPTURE(text);
    CHECK_THAT(after_header(text), StartsWith("test.vcd:") && Contains(message));
}

TEST_CASE("a time stamp ends $dumpvars where its $end is missing, and the $end may still come") {
    CHECK(after_header("$dumpvars\n1!\n#5\n0!\n").empty());
    CHECK(after_header("$dumpvars\n1!\n#5\n0!\n$end\n").empty());
}

TEST_CASE("the last time before never is accepted") {
    CHECK(after_header("#2305843009213693\n").empty());
}

TEST_CASE("variables that nobody selected are skipped unread") {
    CHECK(refusal(declared + "b12 \"\nrnonsense #\nb \"\n").empty());
}

TEST_CASE("a last word without a line end is good when nothing can be missing") {
    CHECK(after_header("$dumpvars 1! $end").empty());
    CHECK(refusal("$timescale 1ps $end $enddefinitions $end").empty());
}

TEST_CASE("words without end are refused, not stored") {
    CHECK_THAT(after_header("b" + std::string(40'000'000, '0')),
               Contains("expected words of at most 8388608 characters, found a longer one"));
    CHECK_THAT(refusal("$comment " + std::string(40'000'000, 'a')), Contains("found a longer one"));
}

TEST_CASE("headers without end are refused, not stored") {
    std::string text = "$timescale 1ps $end\n";
    for (int i = 0; i < 4096; ++i)
        text += "$scope module s $end\n";
    CHECK(refusal(text + "$enddefinitions $end\n").empty());
    CHECK_THAT(refusal(text + "$scope module s $end\n"),
               Contains("test.vcd:4098: expected at most 4096 nested scopes"));
}

TEST_CASE("gzip data that is cut off or damaged") {
    std::string text = declared;
    for (int i = 0; i < 50'000; ++i)
        text += "#" + std::to_string(i * 7919LL) + "\n" + std::to_string(i % 2) + "!\n";
    const std::string packed = gzip(text);
    REQUIRE(refusal(packed, both).empty());
    for (const std::size_t size : {std::size_t{2}, std::size_t{9}, std::size_t{100}, packed.size() / 2,
                                   packed.size() - 9, packed.size() - 1})
        CHECK_THAT(refusal(packed.substr(0, size), both),
                   StartsWith("test.vcd:") &&
                       Contains("expected the recording to go on, found the end of the file in "
                                "the middle of its gzip data (it is cut off)"));
    CHECK_THAT(refusal(packed + "tail", both), Contains("found damaged gzip data (incorrect header check)"));
    for (std::size_t at = 4; at < packed.size(); at += 97) {
        std::string damaged = packed;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        if (at == 4) continue;  // the date in the gzip header
        CHECK_THAT(refusal(damaged, both), StartsWith("test.vcd:") && Contains("expected "));
    }
}

TEST_CASE("cutting a recording anywhere is noticed, or ends it at a line end") {
    const std::string text = declared + "$dumpvars\n0!\nb0 \"\n$end\n#10\n1!\nb1111 \"\n#1200\n0!\n";
    for (std::size_t size = 0; size < text.size(); ++size) {
        const std::string message = refusal(text.substr(0, size), {});
        CAPTURE(size, message);
        const bool complete_line = text[size] == '\n' || (size > 0 && text[size - 1] == '\n');
        if (message.empty()) CHECK((complete_line && size + 1 >= declared.size()));
    }
}

TEST_CASE("files that cannot be read") {
    CHECK_THROWS_WITH(Input::open("/nonexistent.vcd"),
                      "/nonexistent.vcd: cannot open the recording: No such file or directory");
    CHECK_THROWS_WITH(Input::open("/"), "/: expected a recording, found a directory");
}

TEST_CASE("a file and the standard input") {
    const std::string path = "test_wave_" + std::to_string(::getpid()) + ".vcd.gz";
    const std::string packed = gzip(declared + "#3\n1!\n");
    std::ofstream(path, std::ios::binary) << packed;
    VcdReader file(Input::open(path));
    CHECK(file.header().source == path);
    CHECK(file.total_bytes() == packed.size());
    CHECK(read_histories(file, {"a"})[0] == History{{3 * fs_per_ps, "1"}});
    CHECK(file.consumed_bytes() == packed.size());

    REQUIRE(std::freopen(path.c_str(), "rb", stdin) != nullptr);
    VcdReader piped(Input::open("-"));
    CHECK(piped.header().source == "standard input");
    CHECK(read_histories(piped, {"a"})[0] == History{{3 * fs_per_ps, "1"}});
    CHECK(std::remove(path.c_str()) == 0);
}
