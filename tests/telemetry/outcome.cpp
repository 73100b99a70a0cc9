// SPDX-License-Identifier: BSD-3-Clause
#include "telemetry/outcome.hpp"

#include <algorithm>
#include <sstream>

namespace tlmetry::testing {

namespace {

std::string text(std::uint64_t counter) {
    return std::to_string(counter);
}
std::string text(const std::optional<std::uint32_t>& answer) {
    if (!answer) return "no data";
    std::ostringstream hex;
    hex << "data 0x" << std::hex << *answer;
    return hex.str();
}
std::string text(const Outcome::Delta& d) {
    return std::to_string(d.value) + " of channel " + std::to_string(d.channel) + ", stream " +
           std::to_string(d.stream);
}

/// The first place at which two lists differ: what it is called, its index, expected and found.
template <class T, class Describe>
std::string first_difference(const char* what, const std::vector<T>& found, const std::vector<T>& expected,
                             const Describe& describe) {
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
        if (found[i] == expected[i]) continue;
        return std::string(what) + " " + std::to_string(i) + describe(i) + ": expected " + text(expected[i]) +
               ", found " + text(found[i]);
    }
    if (found.size() == expected.size()) return {};
    return std::string("number of ") + what + "s: expected " + std::to_string(expected.size()) + ", found " +
           std::to_string(found.size());
}
template <class T>
std::string first_difference(const char* what, const std::vector<T>& found, const std::vector<T>& expected) {
    return first_difference(what, found, expected, [](std::size_t) { return std::string(); });
}

/// When an MI edge was, and what the answer behind it answers: the read that the edge before has sampled.
std::string describe_mi_edge(std::size_t edge, std::uint64_t seed, Drive drive) {
    Scenario scenario(seed);
    std::ostringstream text;
    text << " at " << scenario.mi.first + static_cast<time_fs>(edge) * scenario.mi.period << " fs";
    const std::size_t moves = drive == Drive::after ? edge - 1 : edge;
    for (std::size_t i = 0; edge != 0 && i < moves; ++i)
        scenario.after_mi_edge();
    const MiPins& pins = scenario.mi_pins;
    if (pins.rd) text << " to a read of 0x" << std::hex << pins.addr;
    return text.str();
}

}  // namespace

std::uint64_t Outcome::answer_count() const {
    return static_cast<std::uint64_t>(
        std::count_if(answers.begin(), answers.end(), [](const auto& answer) { return answer.has_value(); }));
}

std::string difference(const Outcome& found, const Outcome& expected, std::uint64_t seed, Drive drive) {
    std::string text =
        first_difference("answer behind MI edge", found.answers, expected.answers,
                         [&](std::size_t edge) { return describe_mi_edge(edge, seed, drive); });
    if (text.empty()) text = first_difference("delta", found.deltas, expected.deltas);
    if (text.empty()) text = first_difference("live counter", found.live, expected.live);
    if (text.empty()) text = first_difference("snapshot counter", found.snapshot, expected.snapshot);
    return text;
}

Drive drive_of(std::uint64_t seed) {
    return seed % 5 == 4 ? Drive::with : Drive::after;
}

}  // namespace tlmetry::testing
