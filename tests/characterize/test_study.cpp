// SPDX-License-Identifier: BSD-3-Clause
// Running a study, and its outputs.
#include "cards.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/characterize/study.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>

using namespace tlmetry;
using namespace tlmetry::characterize;
using Catch::Contains;
using test::card_of;

namespace {

Study quick_study(std::uint32_t jobs) {
    const Subject subject(card_of({}), true);
    const Runner runner = test::runner(jobs);
    Study study{"a card", true, subject.caveat(), {}};
    for (const PartName& part : part_names)
        study.parts.push_back(part.measure(subject, runner));
    return study;
}

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++found;
    return found;
}

}  // namespace

TEST_CASE("the number of threads changes no result") {
    const Study one = quick_study(1);
    const Study two = quick_study(2);
    REQUIRE(one.parts.size() == part_names.size());
    for (std::size_t i = 0; i < one.parts.size(); ++i)
        CHECK(part_text(one.parts[i]) == part_text(two.parts[i]));
    CHECK(csv_text(one) == csv_text(two));
    CHECK(study_json(one, {}) == study_json(two, {}));
    CHECK(study_html(one, "") == study_html(two, ""));
}

TEST_CASE("all outputs of a study say the same") {
    const Study study = quick_study(2);
    const auto json = page::Json::parse(study_json(study, {{"run", {{"seed", 1}}}}));
    CHECK(json["schema"] == "tlmetry.characterization/1");
    CHECK(json["parameters"]["run"]["seed"] == 1);
    const std::string html = study_html(study, "[run]\nseed = 1\n");
    CHECK_THAT(html, Contains("[run]\nseed = 1\n"));

    std::size_t tables = 0;
    for (const auto& [key, csv] : csv_files(study)) {
        CAPTURE(key);
        // The whole text of it is in the page.
        CHECK_THAT(html, Contains("<pre>" + csv + "</pre>"));
        const page::Json* rows = nullptr;
        for (const auto& part : json["parts"])
            if (part["tables"].contains(key)) rows = &part["tables"][key];
        REQUIRE(rows != nullptr);
        std::stringstream lines(csv);
        std::string line;
        std::getline(lines, line);
        std::size_t row = 0;
        for (; std::getline(lines, line); ++row) {
            std::stringstream fields(line);
            for (const auto& [name, value] : rows->at(row).items()) {
                std::string field;
                std::getline(fields, field, ',');
                CAPTURE(name, line);
                if (value.is_null()) {
                    CHECK(field.empty());
                } else if (value.is_string()) {
                    CHECK((value == field ||
                           "\"" + value.get<std::string>().substr(0, field.size() - 1) == field));
                    if (field[0] == '"') std::getline(fields, field, ',');
                } else {
                    CHECK(value.get<double>() == std::stod(field));
                }
            }
        }
        CHECK(row == rows->size());
        ++tables;
    }
    CHECK(tables == 10);
}

TEST_CASE("a page of a study needs nothing from elsewhere, and has all its charts") {
    const Study study = quick_study(2);
    const std::string html = study_html(study, "");
    for (const char* reference : {"src=", "url(", "@import", "href=\"http", "href=http", "href='http"}) {
        CAPTURE(reference);
        // The library of the charts is code, not references.
        const std::string before = html.substr(0, html.find("<script>"));
        CHECK(count(before, reference) == 0);
    }
    CHECK(count(html, "<script src") == 0);
    CHECK(count(html, "<link") == 0);
    std::size_t charts = 0;
    for (const Part& part : study.parts) {
        CHECK(count(html, "<h2 id=\"" + part.key + "\">") == 1);
        CHECK(count(html, "<a href=\"#" + part.key + "\">") == 1);
        charts += part.charts.size();
    }
    CHECK(charts >= 9);
    CHECK(count(html, "class=\"chart\"") == charts);
}

TEST_CASE("tables fit a terminal, and every column of numbers has a unit") {
    const Study study = quick_study(2);
    for (const Part& part : study.parts) {
        std::stringstream lines(part_text(part));
        for (std::string line; std::getline(lines, line);) {
            CAPTURE(line);
            CHECK(line.size() <= 100);
        }
    }
    for (const Part& part : study.parts) {
        for (const auto* tables : {&part.tables, &part.details}) {
            for (const page::Table& table : *tables) {
                for (std::size_t c = 0; c < table.columns.size(); ++c) {
                    CAPTURE(table.key, table.columns[c].key);
                    const bool is_text = std::holds_alternative<std::string>(table.rows.at(0)[c]);
                    CHECK((is_text || !table.columns[c].unit.empty()));
                }
            }
        }
    }
}

TEST_CASE("parts are picked by their keys, in their own order") {
    CHECK(parts_named({}).size() == part_names.size());
    const auto two = parts_named({"snoop", "throughput"});
    REQUIRE(two.size() == 2);
    CHECK(std::string(two[0].key) == "throughput");
    CHECK(std::string(two[1].key) == "snoop");
    CHECK_THROWS_WITH(parts_named({"speed"}),
                      "option --parts: expected some of throughput, latency, outstanding, alignment, snoop, "
                      "combining, scaling, settings, found 'speed'");
}

TEST_CASE("what cannot be measured is refused") {
    CHECK_THROWS_WITH(
        Subject(card_of({{"traffic.kind", "pins"}}), true),
        "characterize: expected traffic.kind = requests, the traffic of a card, found another kind");
    CHECK_THROWS_WITH(Subject(card_of({{"link.up", "false"}}), true),
                      "characterize: expected link.up = true, found false");
}

TEST_CASE("writes that nothing holds back are told about") {
    CHECK(Subject(card_of({}), true).caveat().empty());
    CHECK_THAT(Subject(card_of({{"host.memory_rate", "16GB/s"}}), true).caveat(),
               Contains("link.posted_header_credits"));
    CHECK(Subject(card_of({{"host.memory_rate", "16GB/s"}, {"link.posted_header_credits", "64"}}), true)
              .caveat()
              .empty());
}

TEST_CASE("a point that fails ends a run with its sentence, and so does who gives up") {
    const Subject subject(card_of({}), true);
    Point bad{subject.saturated(Mix::reads, 64)};
    bad.card.card.traffic[0].alignment_bytes = 3;
    const std::vector<Point> points = {{subject.saturated(Mix::reads, 64)}, bad};
    CHECK_THROWS_AS(test::runner(1).run(points), UserError);
    const Runner impatient(2, [](const std::string&, std::size_t, std::size_t) { return false; });
    const std::vector<Point> many(200, {subject.saturated(Mix::both, 64)});
    CHECK_THROWS_AS(impatient.run(many), Interrupted);
}
