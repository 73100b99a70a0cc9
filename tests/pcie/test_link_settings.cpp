// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/pcie/link_settings.hpp>

#include <catch2/catch.hpp>

#include <functional>
#include <string>

using tlmetry::UserError;
using tlmetry::pcie::LinkSettings;

namespace {

/// What validate() says about the defaults after a change; empty if it accepts.
std::string refusal(const std::function<void(LinkSettings&)>& change) {
    LinkSettings settings;
    change(settings);
    try {
        settings.validate();
        return "";
    } catch (const UserError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("the default link and every width of the specification are accepted") {
    CHECK(refusal([](LinkSettings&) {}).empty());
    for (const std::uint32_t lanes : {1U, 2U, 4U, 8U, 12U, 16U, 32U})
        CHECK(refusal([=](LinkSettings& s) { s.lanes = lanes; }).empty());
}

TEST_CASE("what no link can be is refused in one sentence that names it") {
    CHECK(refusal([](LinkSettings& s) { s.generation = 0; }) ==
          "link.generation: expected 1, 2, 3, 4, 5, 6 or 7, found 0");
    CHECK(refusal([](LinkSettings& s) { s.generation = 8; }) ==
          "link.generation: expected 1, 2, 3, 4, 5, 6 or 7, found 8");
    CHECK(refusal([](LinkSettings& s) { s.lanes = 3; }) ==
          "link.lanes: expected 1, 2, 4, 8, 12, 16 or 32, found 3");
    CHECK(refusal([](LinkSettings& s) { s.mps_bytes = 64; }) ==
          "link.mps: expected 128, 256, 512, 1024, 2048 or 4096, found 64");
    CHECK(refusal([](LinkSettings& s) { s.mrrs_bytes = 8192; }) ==
          "link.mrrs: expected 128, 256, 512, 1024, 2048 or 4096, found 8192");
    CHECK(refusal([](LinkSettings& s) { s.rcb_bytes = 256; }) == "link.rcb: expected 64 or 128, found 256");
    CHECK(refusal([](LinkSettings& s) { s.address_bits = 48; }) ==
          "link.address_bits: expected 32 or 64, found 48");
}
