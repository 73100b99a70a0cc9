// SPDX-License-Identifier: BSD-3-Clause
#include "fake_component.hpp"
#include "files.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/report/report.hpp>
#include <tlmetry/tool/saved_device.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <sstream>

using namespace tlmetry;
using Json = nlohmann::ordered_json;

namespace {

const std::string sample = std::string(TLMETRY_TEST_DATA) + "/reports/01_ep1_port1/registers.json";

/// What opening a file with this text says, without the name of the file; empty if it opens.
std::string refusal_of(const std::string& text) {
    test::TemporaryFolder folder;
    const std::string path = folder.write("saved.json", text);
    try {
        tool::read_register_file(path);
    } catch (const UserError& error) {
        const std::string message = error.what();
        REQUIRE(message.find(path + ":") == 0);
        CHECK(message.find('\n') == std::string::npos);
        const std::string behind = message.substr(path.size() + 1);
        return behind.front() == ' ' ? behind.substr(1) : behind;
    }
    return "";
}

/// The same for the sample with a change.
std::string refusal(const std::function<void(Json&)>& change) {
    Json file = Json::parse(test::read_file(sample));
    change(file);
    return refusal_of(file.dump());
}

}  // namespace

TEST_CASE("the sample opens, and so it does without what is optional") {
    CHECK(refusal([](Json&) {}) == "");
    CHECK(refusal([](Json& f) { f["schema"] = "tlmetry.registers/1"; }) == "");
    for (const char* key : {"case", "description", "topology", "interval_arg", "seconds", "counter_window",
                            "counter_layout", "registers_at_second_snapshot"})
        CHECK(refusal([&](Json& f) { f.erase(key); }) == "");
    for (const char* offset : {"0x0020", "0x0028"})
        CHECK(refusal([&](Json& f) { f["registers"].erase(offset); }) == "");
}

TEST_CASE("missing keys and registers are named") {
    CHECK(refusal([](Json& f) { f.erase("registers"); }) == "key \"registers\" is missing");
    CHECK(refusal([](Json& f) { f.erase("snapshots"); }) == "key \"snapshots\" is missing");
    for (const auto& [offset, name] : {std::pair{"0x0000", "MAGIC"},
                                       {"0x0004", "VERSION"},
                                       {"0x0008", "CFG_TOPOLOGY"},
                                       {"0x000c", "CFG_LAYOUT"},
                                       {"0x0010", "CFG_PCIE"},
                                       {"0x0014", "CFG_DMA"},
                                       {"0x0018", "CFG_DRAIN"},
                                       {"0x001c", "CNT_BASE"},
                                       {"0x0024", "STATUS"},
                                       {"0x002c", "CFG_REGIONS"},
                                       {"0x0030", "CFG_WIDTH"},
                                       {"0x0034", "CFG_HIST"},
                                       {"0x0038", "CFG_CAPACITY"},
                                       {"0x003c", "CFG_WIDTH_DMA"},
                                       {"0x0040", "PCIE_STATUS"},
                                       {"0x0080", "PCIE_TAGS"},
                                       {"0x00c0", "PCIE_STFIFO"}})
        CHECK(refusal([o = offset](Json& f) { f["registers"].erase(o); }) ==
              std::string("register ") + name + " (" + offset + ") is missing");
}

TEST_CASE("values of another kind are refused by key") {
    CHECK(refusal([](Json& f) { f["schema"] = "tlmetry.registers/2"; }) ==
          "key \"schema\": expected \"tlmetry.registers/1\", found \"tlmetry.registers/2\"");
    CHECK(refusal([](Json& f) { f["registers"] = Json::array(); }) ==
          "key \"registers\": expected an object of registers, found an array");
    const std::string word = "expected 32 bits as a string such as \"0x00020000\", found ";
    for (const auto& [value, found] : {std::pair<Json, std::string>{5, "5"},
                                       {nullptr, "null"},
                                       {"0x00zz", "\"0x00zz\""},
                                       {"0x", "\"0x\""},
                                       {"20000", "\"20000\""},
                                       {"0x-1", "\"0x-1\""},
                                       {"0x100000000", "\"0x100000000\""},
                                       {Json::array(), "an array"}})
        CHECK(refusal([v = value](Json& f) { f["registers"]["0x0004"] = v; }) ==
              "key \"registers\" \"0x0004\": " + word + found);
    CHECK(refusal([](Json& f) { f["registers_at_second_snapshot"]["0x0080"] = 1; }) ==
          "key \"registers_at_second_snapshot\" \"0x0080\": " + word + "1");
    for (const char* offset : {"zz", "0x0003", "0x10000", "8", "a\nb"})
        CHECK(refusal([&](Json& f) { f["registers"][offset] = "0x0"; }) ==
              "key \"registers\": expected register offsets such as \"0x0008\", found " +
                  Json(offset).dump());
    CHECK(refusal([](Json& f) { f["registers"]["0x00"] = "0x0"; }) ==
          "key \"registers\": expected each register once, found \"0x00\"");
    for (const Json& seconds : {Json(-1), Json(0), Json("1"), Json(true), Json(0.0), Json(5e-324),
                                Json(9e-19), Json(1.1e9), Json(1e308)})
        CHECK(refusal([&](Json& f) { f["seconds"] = seconds; }) ==
              "key \"seconds\": expected a number from 1e-18 to 1e9, or null for totals, found " +
                  seconds.dump());
    CHECK(refusal([](Json& f) { f["counter_window"] = "0x4000"; }) ==
          "key \"counter_window\": expected \"0x8000\" as CNT_BASE says, found \"0x4000\"");
}

TEST_CASE("snapshots are checked counter by counter") {
    CHECK(refusal([](Json& f) { f["snapshots"] = 1; }) ==
          "key \"snapshots\": expected an array of one or two snapshots, found 1");
    CHECK(refusal([](Json& f) { f["snapshots"] = Json::array(); }) ==
          "key \"snapshots\": expected one or two snapshots, found 0");
    CHECK(refusal([](Json& f) { f["snapshots"].push_back(1); }) ==
          "key \"snapshots\": expected one or two snapshots, found 3");
    CHECK(refusal([](Json& f) { f["snapshots"].erase(1); }) ==
          "key \"snapshots\": expected two, the start and the end of the interval that \"seconds\" gives, "
          "found one");
    CHECK(refusal([](Json& f) { f["snapshots"][0] = Json::object(); }) ==
          "key \"snapshots\"[0]: expected an array of counters, found an object");
    CHECK(refusal([](Json& f) { f["snapshots"][1].push_back(0); }) ==
          "key \"snapshots\"[1]: expected 64 counters as CFG_LAYOUT says, found 65");
    CHECK(refusal([](Json& f) { f["snapshots"][0][3] = (std::uint64_t{1} << 48) - 1; }) == "");
    for (const Json& value : {Json(std::uint64_t{1} << 48), Json(-1), Json(1.5), Json("1"), Json(nullptr)})
        CHECK(refusal([&](Json& f) { f["snapshots"][0][3] = value; }) ==
              "key \"snapshots\"[0][3]: expected an integer of 48 bits, found " + value.dump());
}

TEST_CASE("what is no JSON object is refused") {
    CHECK(refusal_of("{\n\"seconds\":") == "2: expected JSON, found an error at byte 11 of the line");
    CHECK(refusal_of("[1, 2]") == "expected a JSON object, found array");
    CHECK(refusal_of("{\"seconds\": 1, \"seconds\": 2}") ==
          "key 'seconds': expected once, found a second time");
}

TEST_CASE("contradictions between registers name file and register") {
    CHECK(refusal([](Json& f) { f["registers"]["0x0008"] = "0x00020100"; }) ==
          "CFG_TOPOLOGY.ENDPOINTS is 0 (PCIe endpoints), expected 1..16");
    CHECK(refusal([](Json& f) {
              f["registers"]["0x0008"] = "0x00040102";
          }).find("CFG_LAYOUT.COUNTERS is 64 ") == 0);
}

TEST_CASE("a file saved while busy ends in a timeout of its own time") {
    Json file = Json::parse(test::read_file(sample));
    file["registers"]["0x0024"] = "0x00000001";
    test::TemporaryFolder folder;
    tool::SavedDevice device(folder.write("busy.json", file.dump()));
    driver::Telemetry telemetry(device.bus(), device.clock());
    CHECK_THROWS_WITH(telemetry.record(1),
                      folder.path("busy.json") + ": STATUS.BUSY is still set 1 s after a command");
}

TEST_CASE("one snapshot without a length serves totals and no interval") {
    Json file = Json::parse(test::read_file(sample));
    file["snapshots"].erase(1);
    file.erase("seconds");
    test::TemporaryFolder folder;
    const std::string path = folder.write("one.json", file.dump());
    tool::SavedDevice totals(path);
    CHECK_FALSE(totals.recorded_interval());
    CHECK_NOTHROW(driver::Telemetry(totals.bus(), totals.clock()).record(0));
    tool::SavedDevice interval(path);
    CHECK_THROWS_WITH(
        driver::Telemetry(interval.bus(), interval.clock()).record(1),
        path + ": key \"snapshots\": expected two for an interval, found one (--interval 0 shows it)");
}

TEST_CASE("rates are numbers for every length of an interval that is accepted") {
    const double seconds = GENERATE(driver::shortest_interval_s, driver::longest_interval_s);
    Json file = Json::parse(test::read_file(sample));
    file["seconds"] = seconds;
    for (std::size_t i = 0; i < 64; ++i) {
        file["snapshots"][0][i] = 1;
        file["snapshots"][1][i] = 0;  // the largest difference
    }
    test::TemporaryFolder folder;
    tool::SavedDevice device(folder.write("file.json", file.dump()));
    driver::Telemetry telemetry(device.bus(), device.clock());
    const driver::Recording recording = telemetry.record(*device.recorded_interval());
    const driver::Measurement measured =
        driver::difference(telemetry.layout(), recording.first, *recording.second, *recording.seconds());
    for (const std::string& text : {report::format_text(measured), report::format_json(measured)}) {
        CHECK_THAT(text, !Catch::Contains("inf") && !Catch::Contains("nan"));
    }
}

TEST_CASE("a saved session renders the report of the session") {
    test::FakeComponent bus;
    test::FakeClock clock;
    for (std::size_t i = 0; i < bus.counters.size(); ++i)
        bus.counters[i] = 10 * i;
    clock.on_sleep = [&] {
        for (std::uint64_t& counter : bus.counters)
            counter += 400'000'000;
        bus.registers[0x80] = 0x00020033;
        bus.registers[0x24] = 2;
    };
    const double interval = GENERATE(0.0, 0.3);
    driver::Telemetry telemetry(bus, clock);
    const driver::Recording recording = telemetry.record(interval);

    test::TemporaryFolder folder;
    std::ostringstream saved;
    tool::write_register_file(saved, tool::make_register_file(telemetry.configuration(), recording));
    CHECK(Json::parse(saved.str()).begin().key() == "schema");
    tool::SavedDevice device(folder.write("session.json", saved.str()));
    CHECK(device.recorded_interval() == recording.seconds().value_or(0));

    driver::Telemetry again(device.bus(), device.clock());
    const driver::Measurement expected = driver::evaluate(telemetry.layout(), recording);
    const driver::Measurement found =
        driver::evaluate(again.layout(), again.record(*device.recorded_interval()));
    CHECK(report::format_text(found) == report::format_text(expected));
    CHECK(report::format_json(found) == report::format_json(expected));
}
