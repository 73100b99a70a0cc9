// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with a table is said in one sentence.
#include "reference.hpp"

using namespace tlmetry::test;
using Catch::Contains;

namespace {

const std::string header =
    "offset,bytes,lines(=snoops=reads for read),partial_lines(=reads for write),"
    "line_writes_for_write\n";

/// Exit code 2, nothing on stdout and one sentence on stderr, in which FILE stands for the table.
void check_refused(const std::string& table, const std::string& sentence) {
    TemporaryFolder folder;
    const std::string path = folder.path("table.csv");
    std::ofstream(path, std::ios::binary) << table;
    const Result result = reference(path);
    CAPTURE(table);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    std::string expected = "tlmetry-reference: " + sentence + "\n";
    for (std::size_t at = expected.find("FILE"); at != std::string::npos; at = expected.find("FILE"))
        expected.replace(at, 4, path);
    CHECK(result.err == expected);
}

void check_option_refused(const std::string& arguments, const std::string& sentence) {
    const Result result = reference(arguments);
    CAPTURE(arguments);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK(result.err == "tlmetry-reference: " + sentence + "\n");
}

}  // namespace

TEST_CASE("a header that is none of the tables is refused") {
    check_refused("", "FILE: expected a header line, found an empty file");
    check_refused("\n\n", "FILE: expected a header line, found an empty file");
    check_refused("a,b\n1,2\n",
                  "FILE:1: expected the header of one of the reference tables (tools/reference --list names "
                  "them), found 'a' and others");
    check_refused("offset,bytes\n1,2\n",
                  "FILE:1: expected the header of one of the reference tables (tools/reference --list names "
                  "them), found 'offset' and others");
}

TEST_CASE("a missing, unknown or double column is refused") {
    check_refused("offset,bytes,lines(=snoops=reads for read),partial_lines(=reads for write)\n0,4,1,1\n",
                  "FILE:1: expected the column line_writes_for_write of seed003_alignment_sweep, found none "
                  "of this name");
    check_refused(
        "offset,byte,lines(=snoops=reads for read),partial_lines(=reads for write),"
        "line_writes_for_write\n0,4,1,1,1\n",
        "FILE:1, column 2: expected a column of seed003_alignment_sweep, such as bytes, found "
        "'byte'");
    check_refused("colour," + header + "red,0,4,1,1,1\n",
                  "FILE:1, column 1: expected a column of seed003_alignment_sweep, found 'colour'");
    check_refused("bytes," + header + "4,0,4,1,1,1\n",
                  "FILE:1, column 3: expected a column once, found a second bytes");
}

TEST_CASE("a bad cell is refused before anything is run") {
    const std::string good = header + "0,4,1,1,1\n";
    check_refused(good + "0,x,1,1,1\n",
                  "FILE:3, column bytes: expected a whole number from 1 to 1048576, found 'x'");
    check_refused(good + "0,4.5,1,1,1\n",
                  "FILE:3, column bytes: expected a whole number from 1 to 1048576, found '4.5'");
    check_refused(good + "0,0,1,1,1\n",
                  "FILE:3, column bytes: expected a whole number from 1 to 1048576, found '0'");
    check_refused(good + "0,,1,1,1\n",
                  "FILE:3, column bytes: expected a whole number from 1 to 1048576, found nothing");
    check_refused(good + "\n0,4,nan,1,1\n",
                  "FILE:4, column lines(=snoops=reads for read): expected a number that is not negative, "
                  "found 'nan'");
    check_refused(good + "0,4,-1,1,1\n",
                  "FILE:3, column lines(=snoops=reads for read): expected a number that is not negative, "
                  "found '-1'");
    check_refused(good + "0,4,1e400,1,1\n",
                  "FILE:3, column lines(=snoops=reads for read): expected a number that is not negative, "
                  "found '1e400'");
    check_refused(good + "0,4,1,1\n", "FILE:3: expected 5 cells as in the header, found 4");
    check_refused(good + "0,4,1,1,1,1\n", "FILE:3: expected 5 cells as in the header, found 6");
    check_refused(good + "0,4,\"1,1,1\n", "FILE:3: expected a closing quote, found the end of the line");
    check_refused(header, "FILE: expected rows below the header, found none");
    check_refused(
        "tlp,addr_bits,ecrc,link_framing_B,generic_hdr_B,specific_hdr_B,digest_B,total_B\n"
        "MWr,48,0,8,4,8,0,20\n",
        "FILE:2, column addr_bits: expected 32, 64 or -, found '48'");
}

TEST_CASE("what a model refuses is told with the line of the row") {
    std::string table = read_file(shipped("reference_tables/ptc_full_rtl_telemetry"));
    const std::string cell = "1,0,32,512,0,250,256,";
    const std::size_t at = table.find(cell);
    REQUIRE(at != std::string::npos);
    table.replace(at, cell.size(), "1,0,32,512,0,250,100,");
    check_refused(table, "FILE:2: completion_bytes: expected a power of two up to 4096, found 100");
}

TEST_CASE("a table that no model can do yet is named") {
    check_refused("counter,max_increment_per_cycle,clk_MHz,cnt_width,overflow_hours\ncycles,1,400,33,0.006\n",
                  "FILE: seed000_counter_overflow (times until counters wrap) is not supported yet");
    check_refused("quantity,seed says,computed,verdict\n\"a, b\",\"\"\"c\"\"\",1,ok\n",
                  "FILE: seed002_check, seed003_check (statements of a document and what is right) is not "
                  "supported yet");
}

TEST_CASE("mistakes in options are refused") {
    const std::string table = shipped("reference_tables/seed003_alignment");
    check_option_refused("", "expected files, found none: see --help");
    check_option_refused(table + " --tolerance much",
                         "option --tolerance: expected a number of percent, found 'much'");
    check_option_refused(table + " --tolerance=-1",
                         "option --tolerance: expected a number of percent, found '-1'");
    check_option_refused(table + " --jobs 0", "option --jobs: expected a number from 1 to 256, found '0'");
    CHECK(reference(table + " --tolerance 0%").code == 0);
    const Result missing = reference(table + " no_such_file.csv");
    CHECK(missing.code == 2);
    CHECK(missing.out.empty());
    CHECK_THAT(missing.err, Contains("no_such_file.csv"));
}

TEST_CASE("the help fits a terminal, and all tables are listed") {
    const Result help = reference("--help");
    CHECK(help.code == 0);
    CHECK(help.err.empty());
    CHECK_THAT(help.out, Contains("Exit codes: 0 ") && Contains("--tolerance"));
    check_width(help.out);
    const Result list = reference("--list");
    CHECK(list.code == 0);
    CHECK_THAT(list.out, Contains("ptc_full_rtl_telemetry\n") && Contains("not supported yet"));
}
