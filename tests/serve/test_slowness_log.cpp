// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/app/slowness_log.hpp>

#include <catch2/catch.hpp>

#include <sstream>

using namespace tlmetry;

namespace {

/// What a log says about seconds that reached these parts of the pace.
std::string log_of(const std::vector<double>& reached) {
    std::ostringstream out;
    app::SlownessLog log(out);
    device::SharedCard::Status status;
    for (const double part : reached) {
        status.ratio = part;
        status.lost_s += 1 - part;
        log.look(status);
    }
    return out.str();
}

std::string slow(const char* factor) {
    return std::string("warning: the simulation reaches ") + factor +
           " of the pace: rates that software works out with host time are too low by this factor\n";
}

const std::string again = "the simulation keeps pace again\n";

}  // namespace

TEST_CASE("slowness is said once, and again when it has changed for good") {
    CHECK(log_of({1, 1, 1}).empty());
    CHECK(log_of({1, 0.03, 0.036, 0.028, 0.044, 0.03, 0.02, 0.035, 0.044, 0.03}) == slow("0.030"));
    CHECK(log_of({0.03, 0.06, 0.06}) == slow("0.030"));
    CHECK(log_of({0.03, 0.06, 0.06, 0.06, 0.06}) == slow("0.030") + slow("0.060"));
    CHECK(log_of({0.9, 0.5, 0.5, 0.5}) == slow("0.900") + slow("0.500"));
}

TEST_CASE("that the pace is kept again is said when it lasts") {
    CHECK(log_of({0.5, 1, 1, 0.5, 1, 1, 0.5}) == slow("0.500"));
    CHECK(log_of({0.5, 1, 1, 1, 1}) == slow("0.500") + again);
    CHECK(log_of({0.5, 1, 1, 1, 0.5}) == slow("0.500") + again + slow("0.500"));
}
