// SPDX-License-Identifier: BSD-3-Clause
// The reference tables that come along, row by row.
#include "reference.hpp"

using namespace tlmetry::test;
using Catch::Contains;

namespace {

/// All rows within the tolerance, and each with so many comparisons.
void check_table(const std::string& name, std::size_t rows, std::size_t comparisons) {
    const auto file = json_of(shipped(name), 0);
    CHECK(file.at("rows").size() == rows);
    CHECK(file.at("failed_rows") == 0);
    for (const auto& row : file.at("rows")) {
        CAPTURE(row.at("line"));
        CHECK(row.at("columns").size() == comparisons);
    }
}

/// The text with the cell of a column in the row behind the header changed.
std::string with_cell(const std::string& text, const std::string& column, const std::string& cell) {
    const std::size_t header_end = text.find('\n');
    std::istringstream names(text.substr(0, header_end));
    std::istringstream cells(text.substr(header_end + 1, text.find('\n', header_end + 1) - header_end - 1));
    std::string changed = text.substr(0, header_end + 1);
    std::string name;
    std::string old;
    bool found = false;
    while (std::getline(names, name, ',') && std::getline(cells, old, ',')) {
        found = found || name == column;
        changed += (changed.back() == '\n' ? "" : ",") + (name == column ? cell : old);
    }
    REQUIRE(found);
    return changed + text.substr(text.find('\n', header_end + 1));
}

std::string cell_of(const std::string& text, const std::string& column) {
    std::istringstream lines(text);
    std::string header;
    std::string row;
    std::getline(lines, header);
    std::getline(lines, row);
    std::istringstream names(header);
    std::istringstream cells(row);
    std::string name;
    std::string cell;
    while (std::getline(names, name, ',') && std::getline(cells, cell, ',')) {
        if (name == column) return cell;
    }
    FAIL("no column " << column);
    return "";
}

/// A few rows of a table, of which a number in the first is 5 % larger, must fail in just this column.
void check_change(const std::string& name, const std::string& column, const std::string& reported) {
    std::istringstream lines(read_file(shipped(name)));
    std::string text;
    std::string line;
    for (int i = 0; i < 3 && std::getline(lines, line); ++i)
        text += line + "\n";
    TemporaryFolder folder;
    const std::string path = folder.path("table.csv");
    std::ofstream(path) << text;
    CHECK(reference(path).code == 0);
    std::ofstream(path) << with_cell(text, column, std::to_string(1.05 * std::stod(cell_of(text, column))));
    const Result result = reference(path);
    CAPTURE(name, column, result.out);
    CHECK(result.code == 1);
    CHECK_THAT(result.out, Contains("line 2: FAILED") && Contains("line 3: ok"));
    CHECK_THAT(result.out, Contains("BEYOND " + reported + " ") && Contains("(-4."));
    CHECK_THAT(result.out, Contains("worst: line 2, " + reported));
    CHECK_THAT(result.out, Contains("2 rows, 1 failed"));
    // An allowance of the user's own takes the place of the table's.
    CHECK(reference(path + " --tolerance 5").code == 0);
    CHECK(reference(path + " --tolerance 4.7").code == 1);
}

}  // namespace

TEST_CASE("counters of the whole PTC are those that were measured") {
    check_table("reference_tables/ptc_full_rtl_telemetry", 33, 43);
}

TEST_CASE("the tag manager stops and goes on as the measured one") {
    check_table("reference_tables/ptc_tag_manager_rtl_measured", 37, 8);
}

TEST_CASE("simulated payload rates of gen3 x8 are those of the analytic model") {
    check_table("pcie/pciebench_gen3x8_mpschunks", 81, 14);
    check_table("pcie/pciebench_gen3x8_rcbchunks", 81, 14);
}

TEST_CASE("simulated payload rates of all links are those of the analytic model") {
    check_table("pcie/pciebench_matrix_sample", 110, 14);
}

TEST_CASE("simulated reads with few tags and with retries are as useful as the formula says") {
    check_table("reference_tables/seed002_payload_sweep", 7, 12);
    check_table("reference_tables/seed002_tags_sweep_256B", 13, 12);
    check_table("reference_tables/seed002_retry_sweep_512B", 13, 12);
}

TEST_CASE("tables of the rules of PCI Express are equal to the last digit") {
    check_table("pcie/pciebench_link_rates", 123, 10);
    check_table("pcie/pciebench_tlp_overhead", 10, 4);
    check_table("pcie/completion_split", 342, 9);
    check_table("reference_tables/seed003_efficiency", 20, 5);
    check_table("reference_tables/seed003_link_width", 35, 7);
    check_table("reference_tables/seed003_alignment", 6, 7);
    check_table("reference_tables/seed003_alignment_sweep", 160, 3);
}

TEST_CASE("a number that is 5 % larger is found and reported") {
    check_change("reference_tables/ptc_full_rtl_telemetry", "RQ_words", "RQ_words");
    check_change("reference_tables/ptc_full_rtl_telemetry", "UP_mvb_stall", "UP_mvb_stall");
    check_change("reference_tables/ptc_tag_manager_rtl_measured", "max_outstanding", "max_outstanding");
    check_change("reference_tables/ptc_tag_manager_rtl_measured", "cycles_for_issued", "cycles_for_issued");
    check_change("pcie/pciebench_gen3x8_rcbchunks", "wr_eff_gbps", "wr_eff_gbps");
    check_change("pcie/pciebench_gen3x8_rcbchunks", "rd_eff_gbps", "rd_eff_gbps");
    check_change("reference_tables/seed002_payload_sweep", "useful_GBps", "useful_GBps");
    check_change("pcie/pciebench_link_rates", "tlp_gbps", "tlp_gbps");
    check_change("reference_tables/seed003_link_width", "one_way_GBps", "one_way_GBps");
}

TEST_CASE("rows may be given with columns in any order and lines as Windows ends them") {
    std::istringstream lines(read_file(shipped("reference_tables/ptc_tag_manager_rtl_measured")));
    std::string text = "\xEF\xBB\xBF";
    std::string line;
    for (int i = 0; i < 3 && std::getline(lines, line); ++i) {
        const std::size_t first = line.find(',');
        text += line.substr(first + 1) + "," + line.substr(0, first) + "\r\n";
    }
    TemporaryFolder folder;
    const std::string path = folder.path("table.csv");
    std::ofstream(path, std::ios::binary) << text << "\r\n";
    const auto file = json_of(path, 0);
    CHECK(file.at("table") == "ptc_tag_manager_rtl_measured");
    CHECK(file.at("rows").size() == 2);
    CHECK(file.at("rows").at(1).at("line") == 3);
}

TEST_CASE("the number of threads changes nothing, and several files are run one after the other") {
    const std::string files = shipped("reference_tables/ptc_tag_manager_rtl_measured") + " " +
                              shipped("reference_tables/seed003_alignment");
    const auto without_seconds = [&](const std::string& jobs) {
        auto json = nlohmann::json::parse(reference(files + " --json --jobs " + jobs).out);
        for (auto& file : json.at("files"))
            file.erase("seconds");
        return json;
    };
    const auto one = without_seconds("1");
    CHECK(one.at("files").size() == 2);
    CHECK(one == without_seconds("3"));
}
