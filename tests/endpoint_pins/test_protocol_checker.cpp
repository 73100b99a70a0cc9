// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/endpoint_pins/protocol_checker.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace tlmetry;
using namespace tlmetry::endpoint_pins;

namespace {

MfbState word(std::uint64_t sof, std::uint64_t eof, std::uint64_t eof_pos = 0) {
    return {true, true, true, sof, eof, eof_pos};
}

MfbState waiting(MfbState state) {
    state.dst_rdy = false;
    return state;
}

const MfbState idle;

/// The first rule that the pins break, one state a cycle; two regions of eight items.
std::string broken(const std::vector<MfbState>& cycles, MfbRules rules = {2, 8, 3, 0, false, false}) {
    MfbChecker checker(rules);
    for (std::size_t c = 0; c < cycles.size(); ++c)
        checker.change(static_cast<cycle_t>(c), cycles[c]);
    checker.advance(static_cast<cycle_t>(cycles.size()));
    return checker.broken();
}

}  // namespace

TEST_CASE("legal frames are no fault") {
    CHECK(broken({idle, word(1, 0), word(0, 2, 7 << 3), word(3, 3), waiting(word(1, 2)), waiting(word(1, 2)),
                  word(1, 2), idle})
              .empty());
    CHECK(broken({word(2, 0), idle, word(0, 1), idle}).empty());
    CHECK(broken({word(2, 0), word(2, 1), word(0, 2)}).empty());  // an end and a start in one word
}

TEST_CASE("words that wait keep what they are") {
    CHECK(broken({waiting(word(1, 1)), idle}) == "cycle 1: SRC_RDY falls before DST_RDY");
    CHECK(broken({waiting(word(1, 1)), word(1, 2)}) == "cycle 1: a word changes while it waits");
    MfbState unknown = waiting(word(0, 0));
    unknown.known = false;
    CHECK(broken({unknown, waiting(word(1, 2)), word(1, 2)}).empty());
    unknown.dst_rdy = true;
    CHECK(broken({word(1, 0), unknown}) == "cycle 1: a word moves whose content is not known");
}

TEST_CASE("frames start and end in their order") {
    CHECK(broken({word(1, 0), word(1, 1)}) == "cycle 1: SOF inside a frame");
    CHECK(broken({word(0, 1)}) == "cycle 0: a word without a frame moves");
    CHECK(broken({word(1, 3)}) == "cycle 0: EOF without SOF");
    CHECK(broken({word(0, 0)}) == "cycle 0: a word without a frame moves");
    CHECK(broken({word(4, 4)}) == "cycle 0: SOF or EOF in a region that the bus does not have");
    CHECK(broken({word(1, 1, 5)}, {2, 4, 3, 0, false, false}) ==
          "cycle 0: EOF_POS behind the last item of a region");
}

TEST_CASE("rules of single buses") {
    const MfbRules gapless{2, 8, 3, 0, true, false};
    CHECK(broken({word(1, 0), idle, word(0, 1)}, gapless) == "cycle 1: a gap inside a frame");
    CHECK(broken({word(1, 0), waiting(word(0, 1)), word(0, 1), idle}, gapless).empty());
    const MfbRules one_start{2, 8, 3, 0, false, true};
    CHECK(broken({word(2, 2)}, one_start) == "cycle 0: SOF in another region than the first");
    CHECK(broken({word(3, 3)}, one_start) == "cycle 0: SOF in another region than the first");
    const MfbRules short_frames{2, 8, 3, 20, false, false};
    CHECK(broken({word(1, 0), word(0, 1, 3)}, short_frames).empty());
    CHECK(broken({word(1, 0), word(0, 1, 4)}, short_frames) ==
          "cycle 1: a frame is longer than the MPS allows");
}

TEST_CASE("a reset ends what is open") {
    MfbChecker checker({2, 8, 3, 0, true, false});
    checker.change(0, word(1, 0));
    checker.change(1, waiting(word(0, 0)));
    checker.reset(5);
    checker.change(5, idle);
    checker.change(7, word(1, 1));
    checker.advance(8);
    CHECK(checker.broken().empty());
    CHECK(checker.frames() == 1);
    CHECK(checker.words() == 2);
    CHECK(checker.stalled() == 4);
}

TEST_CASE("words of an MVB have items, not more than fit, and keep them") {
    const auto fault = [](std::vector<MvbState> cycles) {
        MvbChecker checker(2);
        for (std::size_t c = 0; c < cycles.size(); ++c)
            checker.change(static_cast<cycle_t>(c), cycles[c]);
        return checker.broken();
    };
    CHECK(fault({{true, false, true, 2}, {true, true, true, 2}, {}}).empty());
    CHECK(fault({{true, false, true, 2}, {true, true, true, 1}}) ==
          "cycle 1: MVB: a word changes while it waits");
    CHECK(fault({{true, false, true, 2}, {}}) == "cycle 1: MVB: SRC_RDY falls before DST_RDY");
    CHECK(fault({{true, true, true, 0}}) == "cycle 0: MVB: a word without items");
    CHECK(fault({{true, true, true, 3}}) == "cycle 0: MVB: a word has more items than VLD has bits");
}
