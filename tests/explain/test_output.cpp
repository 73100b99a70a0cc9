// SPDX-License-Identifier: BSD-3-Clause
// Reports are read as they are; the text fits a terminal, and every share in text and JSON adds up.
#include "../sw/files.hpp"
#include "healthy.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/report/report.hpp>
#include <tlmetry/verdict/explanation.hpp>
#include <tlmetry/verdict/report_file.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <functional>

using namespace tlmetry;
using nlohmann::json;
using verdict::Explanation;
using verdict::LinkFacts;

namespace {

const LinkFacts gen4x16{{{4, 16}}, {{4, 16}}, 64, false};

std::vector<std::string> report_files() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(TLMETRY_TEST_DATA "/reports"))
        files.push_back((entry.path() / "report.json").string());
    std::sort(files.begin(), files.end());
    REQUIRE(files.size() == 10);
    return files;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

/// Numbers of the columns `first` to `last` (from 1) of the rows under the header that begins so, from the
/// end of the line; columns are parted by two blanks or more.
std::vector<std::vector<double>> table(const std::string& text, const std::string& header, std::size_t first,
                                       std::size_t last) {
    std::vector<std::vector<double>> rows;
    const std::vector<std::string> lines = lines_of(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].compare(0, header.size(), header) != 0) continue;
        for (i += 2; i < lines.size() && lines[i].size() > 2 && lines[i].find("  ", 2) != std::string::npos;
             ++i) {
            std::vector<std::string> cells;
            std::string line = lines[i] + "  ";
            while (!line.empty()) {
                line.erase(0, line.find_first_not_of(' '));
                if (line.empty()) break;
                const std::size_t end = line.find("  ");
                cells.push_back(line.substr(0, end));
                line.erase(0, end);
            }
            std::vector<double> numbers;
            for (std::size_t column = first; column <= last && column < cells.size(); ++column)
                if (cells[column] != "-") numbers.push_back(std::stod(cells[column]));
            if (!numbers.empty()) rows.push_back(numbers);
        }
    }
    return rows;
}

void check_sums(const std::vector<std::vector<double>>& rows) {
    for (const std::vector<double>& row : rows) {
        double sum = 0;
        for (const double share : row)
            sum += share;
        CHECK(std::lround(100 * sum) == 10'000);
    }
}

json changed(const std::function<void(json&)>& change) {
    json report = json::parse(test::read_file(TLMETRY_TEST_DATA "/reports/01_ep1_port1/report.json"));
    change(report);
    return report;
}

}  // namespace

TEST_CASE("every report reads back as it was written") {
    for (const std::string& file : report_files()) {
        CAPTURE(file);
        const std::string text = test::read_file(file);
        CHECK(report::format_json(verdict::read_report(file, text)) == text);
    }
}

TEST_CASE("a histogram beyond the first two belongs to the clock that its bands are nearer to") {
    const std::string file = TLMETRY_TEST_DATA "/reports/09_extra_brakes_hists_bands/report.json";
    const driver::Measurement m = verdict::read_report(file, test::read_file(file));
    REQUIRE(m.endpoints[0].histograms.size() == 3);
    CHECK(m.layout.pcie.histograms + m.layout.dma.histograms == 3);
    CHECK(verdict::check(m, {}).size() == 2);  // nothing but marks that contradict the histograms
}

TEST_CASE("the histograms of tags and storage FIFO belong to the PCIe clock whatever they hold") {
    const json report = changed([](json& j) {
        j["data"]["endpoints"][0]["hists"][0] = {0, 0, 0, 200'000'000};
    });
    const driver::Measurement m = verdict::read_report("r", report.dump());
    CHECK(m.endpoints[0].histograms[0].pcie_clock);
    const std::vector<verdict::Doubt> doubts = verdict::check(m, {});
    CHECK(std::any_of(doubts.begin(), doubts.end(),
                      [](const verdict::Doubt& d) { return d.id == "histogram"; }));
}

TEST_CASE("the text fits into 100 columns and its shares add up, with a link and without") {
    for (const std::string& file : report_files())
        for (const LinkFacts& facts : {LinkFacts{}, gen4x16}) {
            CAPTURE(file);
            const driver::Measurement m = verdict::read_report(file, test::read_file(file));
            const std::string text = verdict::format_text(Explanation(m, facts));
            for (const std::string& line : lines_of(text)) {
                CAPTURE(line);
                CHECK(line.size() <= 100);
                CHECK((line.empty() || line.back() != ' '));
            }
            const auto buses = table(text, "  Bus ", 1, 3);
            CHECK(buses.empty() == (file.find("05_zero") != std::string::npos));
            check_sums(buses);
            check_sums(table(text, "  Free ", 4, 99));
            const auto link = table(text, "  Link Gen4", 2, 5);
            CHECK(link.empty() == (!facts.trained || file.find("05_zero") != std::string::npos ||
                                   file.find("08_interval0") != std::string::npos));
            check_sums(link);
        }
}

TEST_CASE("the JSON has a schema, and its shares add up") {
    for (const std::string& file : report_files()) {
        CAPTURE(file);
        const driver::Measurement m = verdict::read_report(file, test::read_file(file));
        const json j = json::parse(verdict::format_json(Explanation(m, gen4x16)));
        CHECK(j["schema"] == "tlmetry.explanation/1");
        CHECK(j["link"]["trained"]["line_gbytes"] == Approx(32));
        CHECK(j["endpoints"].size() == m.endpoints.size());
        for (const json& endpoint : j["endpoints"]) {
            for (const json& bus : endpoint["buses"])
                if (!bus["busy_percent"].is_null())
                    CHECK(bus["busy_percent"].get<double>() + bus["held_percent"].get<double>() +
                              bus["idle_percent"].get<double>() ==
                          Approx(100));
            for (const json& resource : endpoint["resources"]) {
                double sum = 0;
                for (const json& band : resource["bands_percent"])
                    sum += band.get<double>();
                CHECK((sum == Approx(100) || sum == 0));
            }
            for (const char* direction : {"towards_host", "from_host"}) {
                const json& link = endpoint[direction]["link"];
                if (!link.is_null())
                    CHECK(link["encoding_percent"].get<double>() + link["headers_percent"].get<double>() +
                              link["payload_percent"].get<double>() + link["rest_percent"].get<double>() ==
                          Approx(100));
            }
        }
        double before = 100.0001;
        for (const json& finding : j["verdict"]) {
            CHECK(finding["share_percent"] >= 1);
            if (finding["cause"] != "source") {
                CHECK(finding["share_percent"].get<double>() <= before);
                before = finding["share_percent"];
            }
        }
    }
}

TEST_CASE("a remedy is told once") {
    driver::Measurement m = test::healthy();
    m.layout.endpoints = 2;
    m.endpoints.push_back(m.endpoints[0]);
    const std::string text = verdict::format_text(Explanation(m, {}));
    const std::string remedy = "-> Ask for more at a time";
    CHECK(text.find(remedy) != std::string::npos);
    CHECK(text.find(remedy) == text.rfind(remedy));
    CHECK_THAT(text, Catch::Contains("-> As for 1.\n"));
}

TEST_CASE("an endpoint whose counters went backwards has no verdict") {
    driver::Measurement m = test::healthy();
    m.endpoints[0].buses[test::rc_bus].items = ~std::uint64_t{0} >> 16;
    const Explanation e(m, {});
    CHECK(!e.trusted());
    CHECK(e.verdict.empty());
    CHECK_THAT(verdict::format_text(e), Catch::Contains("THE NUMBERS CANNOT BE TRUSTED") &&
                                            Catch::Contains("Nothing held it in 1 % of the time or more."));
}

TEST_CASE("a report may say its schema and more than is known") {
    const json report = changed([](json& j) {
        j["schema"] = "tlmetry.report/1";
        j["data"]["endpoints"][0]["temperature"] = 47.5;
    });
    CHECK(verdict::read_report("r", report.dump()).endpoints.size() == 1);
}

TEST_CASE("what is no report is refused with the key, what was expected and what was found") {
    struct Case {
        std::function<void(json&)> change;
        const char* message;
    };
    const char* rq = "PTC -> PCIe (RQ)";
    const std::vector<Case> cases = {
        {[](json& j) { j["schema"] = "tlmetry.config/1"; },
         "key schema: expected \"tlmetry.report/1\" or no such key, found \"tlmetry.config/1\""},
        {[](json& j) { j["schema"] = 2; }, "key schema: expected a text, found 2"},
        {[](json& j) { j.erase("data"); }, "key data is missing"},
        {[](json& j) { j.erase("seconds"); }, "key seconds is missing"},
        {[](json& j) { j["seconds"] = 0; }, "key seconds: expected a number from 1e-18 to 1e9"},
        {[](json& j) { j["seconds"] = "1"; }, "key seconds: expected a number"},
        {[](json& j) { j["data"] = json::array(); }, "key data: expected an object, found an array"},
        {[](json& j) { j["data"]["endpoints"] = json::array(); },
         "key data.endpoints: expected 1 elements, found 0"},
        {[](json& j) { j["data"]["endpoints"] = 1; }, "key data.endpoints: expected an array"},
        {[](json& j) { j["data"]["config"]["pcie_endpoints"] = 17; },
         "key data.config.pcie_endpoints: expected an integer from 1 to 16, found 17"},
        {[](json& j) { j["data"]["config"]["item_bytes"] = 0; }, "item_bytes: expected an integer from 1"},
        {[](json& j) { j["data"]["config"].erase("drain_period"); },
         "key data.config.drain_period is missing"},
        {[](json& j) { j["data"]["endpoints"][0]["link_up"] = 1; },
         "link_up: expected true or false, found 1"},
        {[](json& j) { j["data"]["endpoints"][0]["index"] = 1; }, "index: expected 0, as endpoints"},
        {[](json& j) { j["data"]["endpoints"][0]["brakes"][2] = -5; },
         "key data.endpoints[0].brakes[2]: expected a count, which is never negative"},
        {[](json& j) { j["data"]["endpoints"][0]["brakes"][2] = 1.5; },
         "expected a count, which is an integer below 2^64, found 1.5"},
        {[](json& j) { j["data"]["endpoints"][0]["brakes"] = nullptr; }, "brakes: expected an array"},
        {[](json& j) { j["data"]["endpoints"][0]["pcie_cycles"] = "many"; }, "found \"many\""},
        {[](json& j) { j["data"]["endpoints"][0]["hists"][1].erase(0); },
         "hists[1]: expected 4 elements, found 3"},
        {[](json& j) { j["data"]["endpoints"][0]["tags_free"] = 65536; }, "tags_free: expected an integer"},
        {[=](json& j) { j["data"]["endpoints"][0]["buses"].erase(rq); },
         "key data.endpoints[0].buses.PTC -> PCIe (RQ) is missing"},
        {[=](json& j) { j["data"]["endpoints"][0]["buses"][rq].erase("words"); }, "(RQ).words is missing"},
        {[=](json& j) { j["data"]["endpoints"][0]["buses"][rq]["regions"] = json::array(); },
         "regions: expected 1 to 2 elements, found 0"},
        {[=](json& j) { j["data"]["endpoints"][0]["buses"][rq]["region_bytes"] = 33; },
         "region_bytes: expected a multiple of the 4 bytes"},
        {[=](json& j) { j["data"]["endpoints"][0]["buses"][rq]["pcie_clk"] = false; },
         "pcie_clk: expected true, found false"},
        {[](json& j) { j["data"]["status"].erase("busy"); }, "key data.status.busy is missing"},
        {[](json& j) { j["data"]["status"]["cleared"] = "yes"; }, "cleared: expected true or false"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.message);
        const std::string text = changed(c.change).dump();
        CHECK_THROWS_WITH(verdict::read_report("r.json", text),
                          Catch::StartsWith("r.json: ") && Catch::Contains(c.message));
        CHECK_THROWS_AS(verdict::read_report("r.json", text), UserError);
    }
    CHECK_THROWS_WITH(verdict::read_report("r.json", "[]"), Catch::Contains("expected a JSON object"));
    CHECK_THROWS_WITH(verdict::read_report("r.json", "{"), Catch::Contains("expected JSON"));
    CHECK_THROWS_WITH(verdict::read_report("r.json", ""), Catch::Contains("expected JSON"));
}
