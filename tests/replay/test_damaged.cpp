// SPDX-License-Identifier: BSD-3-Clause
// Recordings that the hardware would not have made: the first wrong answer is named.
#include "program.hpp"
#include "recorded.hpp"

#include <tlmetry/base/quantity.hpp>

using namespace tlmetry;
using namespace tlmetry::test;
using Catch::Contains;

namespace {

const std::string name = "prof_stall";

std::string hex(unsigned long value, int digits) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%0*lx", digits, value);
    return text;
}

/// A read whose neighbours are some cycles away, and its number.
std::pair<GoldenRead, std::size_t> lonely_read() {
    const auto reads = golden_reads(params(name));
    for (std::size_t i = reads.size() / 2; i + 1 < reads.size(); ++i) {
        if (reads[i].answer_ps - reads[i - 1].answer_ps > 30'000 &&
            reads[i + 1].answer_ps - reads[i].answer_ps > 30'000) {
            return {reads[i], i};
        }
    }
    FAIL("no such read");
    return {};
}

struct Outcome {
    std::string expected, found;
    std::size_t compared;
};

/// The difference at `read` and no other message of weight.
void check_difference(const Recorded& recorded, const GoldenRead& read, const Outcome& outcome) {
    const TemporaryFolder folder;
    const std::string file = folder.write("damaged.vcd", recorded.vcd());
    const Result result = replay(file + " --params " + params(name));
    CHECK(result.code == 1);
    CHECK(result.out == "");
    const std::string address = hex(std::stoul(read.address, nullptr, 16), 4);
    CHECK_THAT(result.err, Contains(file + ": read of " + address + " ("));
    CHECK_THAT(result.err,
               Contains(" at " + format_quantity(read.sample_ps * fs_per_ps, time_units) + ": expected " +
                        outcome.expected + " as recorded, found " + outcome.found + " in the model\n"));
    CHECK_THAT(result.err, Contains(file + ": " + std::to_string(outcome.compared) +
                                    (outcome.compared == 1 ? " answer" : " answers") +
                                    " compared up to the first difference\n"));
}

}  // namespace

TEST_CASE("a recording written again is the same") {
    const TemporaryFolder folder;
    const std::string file = folder.write("same.vcd", Recorded::read(wave(name)).vcd());
    const Result result = replay(file + " --params " + params(name));
    CHECK(result.code == 0);
    CHECK_THAT(result.err, Contains(": 1130 answers compared, all equal, "));
}

TEST_CASE("one wrong bit of an answer") {
    Recorded recorded = Recorded::read(wave(name));
    const auto reads = golden_reads(params(name));
    for (const std::size_t number : {std::size_t{0}, std::size_t{500}, reads.size() - 1}) {
        const GoldenRead& read = reads[number];
        CAPTURE(number, read.address);
        Recorded damaged = recorded;
        std::string digits = recorded.value("mi_drd", read.answer_ps);
        digits.back() = digits.back() == '0' ? '1' : '0';
        damaged.set("mi_drd", read.answer_ps, digits);
        const unsigned long data = std::stoul(read.data, nullptr, 16);
        check_difference(damaged, read, {hex(data ^ 1, 8), hex(data, 8), number + 1});
    }
}

TEST_CASE("an unknown bit of an answer is not compared") {
    Recorded recorded = Recorded::read(wave(name));
    const GoldenRead read = golden_reads(params(name)).at(500);
    std::string digits = recorded.value("mi_drd", read.answer_ps);
    digits.back() = 'x';
    recorded.set("mi_drd", read.answer_ps, digits);
    const TemporaryFolder folder;
    const Result result = replay(folder.write("x.vcd", recorded.vcd()) + " --params " + params(name));
    CHECK(result.code == 0);
    CHECK_THAT(result.err, Contains(": 1130 answers compared, all equal, "));
}

TEST_CASE("an answer one cycle late") {
    Recorded recorded = Recorded::read(wave(name));
    const auto [read, number] = lonely_read();
    const std::int64_t period = read.sample_ps - read.answer_ps;
    recorded.set("mi_drdy", read.answer_ps, "0");
    recorded.set("mi_drdy", read.answer_ps + period, "1");
    recorded.set("mi_drdy", read.answer_ps + 2 * period, "0");
    const std::string found = hex(std::stoul(read.data, nullptr, 16), 8);
    check_difference(recorded, read, {"no answer (DRDY = 0)", found, number});
}

TEST_CASE("an answer that is missing") {
    Recorded recorded = Recorded::read(wave(name));
    const auto [read, number] = lonely_read();
    recorded.set("mi_drdy", read.answer_ps, "0");
    const std::string found = hex(std::stoul(read.data, nullptr, 16), 8);
    check_difference(recorded, read, {"no answer (DRDY = 0)", found, number});
}

TEST_CASE("an answer to no read") {
    Recorded recorded = Recorded::read(wave(name));
    const auto [read, number] = lonely_read();
    const std::int64_t period = read.sample_ps - read.answer_ps;
    recorded.set("mi_drdy", read.answer_ps - period, "1");
    const TemporaryFolder folder;
    const Result result = replay(folder.write("extra.vcd", recorded.vcd()) + " --params " + params(name));
    CHECK(result.code == 1);
    CHECK_THAT(result.err,
               Contains(": no read at " + format_quantity(read.answer_ps * fs_per_ps, time_units) +
                        ": expected 0x"));
    CHECK_THAT(result.err, Contains(" as recorded, found no answer (DRDY = 0) in the model\n"));
}
