// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/regs/telemetry_registers.hpp>

#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace tlmetry;

namespace {

constexpr regs::Field low{"LOW", 0, 4, "low bits"};
constexpr regs::Field high{"HIGH", 28, 4, "high bits"};

regs::Register reg(const char* name, std::uint32_t offset, regs::Fields fields = {}) {
    return {name, offset, regs::Access::ro, 1, 4, fields, "0", "a register"};
}

bool well_formed(const regs::Register& a, const regs::Register& b) {
    return regs::table_well_formed(std::array<regs::Register, 2>{a, b});
}

}  // namespace

TEST_CASE("the map holds the offsets of the documentation") {
    const auto at = [](std::uint32_t offset) { return std::string(regs::find_register(offset)->name); };
    CHECK(at(0x0000) == "MAGIC");
    CHECK(at(0x0018) == "CFG_DRAIN");
    CHECK(at(0x0028) == "READ_SEL");
    CHECK(at(0x0030) == "CFG_WIDTH");
    CHECK(at(0x003C) == "CFG_WIDTH_DMA");
    CHECK(at(0x0040) == "PCIE_STATUS");
    CHECK(at(0x007C) == "PCIE_STATUS");
    CHECK(at(0x0080) == "PCIE_TAGS");
    CHECK(at(0x00C0) == "PCIE_STFIFO");
    CHECK(at(0x00FC) == "PCIE_STFIFO");
    CHECK(regs::find_register(0x0100) == nullptr);
    CHECK(at(0x8000) == "COUNTERS");
    CHECK(at(0xFFFC) == "COUNTERS");
    CHECK(regs::find_register(0x10000) == nullptr);
    CHECK(regs::find_register(regs::command)->access == regs::Access::wo);
    CHECK(regs::find_register(regs::read_sel)->access == regs::Access::rw);
}

TEST_CASE("a field cuts, places and keeps its neighbours") {
    const regs::Field field{"F", 8, 8, "a field"};
    CHECK(field.mask() == 0x0000FF00);
    CHECK(field.extract(0x12345678) == 0x56);
    CHECK(field.insert(0x12345678, 0x1AB) == 0x1234AB78);
    CHECK(field.make(0xAB) == 0xAB00);
    const regs::Field whole{"W", 0, 32, "a whole word"};
    CHECK(whole.extract(0xFFFFFFFF) == 0xFFFFFFFF);
    CHECK(whole.mask() == 0xFFFFFFFF);
}

TEST_CASE("a map that is not well formed is noticed") {
    CHECK(well_formed(reg("A", 0, {low, high}), reg("B", 4)));
    CHECK_FALSE(well_formed(reg("A", 4), reg("B", 0)));
    CHECK_FALSE(well_formed(reg("A", 0), reg("B", 0)));
    CHECK_FALSE(well_formed(reg("A", 0), reg("B", 6)));
    CHECK_FALSE(well_formed(reg("A", 0), reg("A", 4)));
    CHECK_FALSE(well_formed(reg("A", 0), reg("", 4)));
    CHECK_FALSE(well_formed(reg("A", 0, {high, low}), reg("B", 4)));
    CHECK_FALSE(well_formed(reg("A", 0, {low, {"OVER", 3, 2, "overlaps"}}), reg("B", 4)));
    CHECK_FALSE(well_formed(reg("A", 0, {low, {"LOW", 4, 2, "same name"}}), reg("B", 4)));
    CHECK_FALSE(well_formed(reg("A", 0, {{"WIDE", 28, 5, "beyond bit 31"}}), reg("B", 4)));
    CHECK_FALSE(well_formed(reg("A", 0, {{"NONE", 0, 0, "no bits"}}), reg("B", 4)));
    regs::Register array = reg("A", 0);
    array.count = 2;
    CHECK_FALSE(well_formed(array, reg("B", 4)));
    CHECK(well_formed(array, reg("B", 8)));
}
