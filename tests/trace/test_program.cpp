// SPDX-License-Identifier: BSD-3-Clause
// `tlmetry trace decode` as a program: files, pipes, filters, outputs and mistakes.
#include "../support/shell.hpp"
#include "trace_builder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace tlmetry;
using namespace tlmetry::test;
using nlohmann::json;
using ptt::Format;
using tlp::Header;
using tlp::Kind;

namespace {

const std::string program = TLMETRY_PROGRAM;

void write_file(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

Result decode(const std::string& words) {
    return shell(program + " trace decode " + words);
}

void refused(const std::string& words, const std::string& sentence) {
    CAPTURE(words);
    const Result result = decode(words);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Catch::StartsWith("tlmetry: ") && Catch::Contains(sentence));
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

/// Reads of two devices and their completions, writes and a message, 10 ticks apart.
std::string some_trace(Format format, unsigned rounds = 25) {
    std::string bytes;
    std::uint32_t time = 0;
    const auto add = [&](const Header& h) { bytes += record_of(format, h, time += 10); };
    for (unsigned i = 0; i < rounds; ++i) {
        Header h;
        h.length_dwords = 16;
        h.requester = static_cast<std::uint16_t>(0x0100 + i % 2);
        h.tag = static_cast<std::uint16_t>(i % 1024);
        h.first_be = h.last_be = 0xf;
        h.address = 0x1000 * i;
        add(h);
        h.kind = Kind::memory_write;
        add(h);
        Header answer;
        answer.kind = Kind::completion_data;
        answer.length_dwords = 16;
        answer.requester = h.requester;
        answer.tag = h.tag;
        answer.byte_count = 64;
        add(answer);
        Header message;
        message.kind = Kind::message;
        message.requester = h.requester;
        message.message_code = 0x18;
        add(message);
    }
    return bytes;
}

std::vector<json> objects_of(const std::string& lines) {
    std::vector<json> objects;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);)
        objects.push_back(json::parse(line));
    return objects;
}

class TraceFiles {
public:
    TraceFiles() {
        write_file(eight, some_trace(Format::eight_dwords));
        write_file(four, some_trace(Format::four_dwords));
    }
    TemporaryFolder folder;
    std::string eight = folder.path("eight.bin");
    std::string four = folder.path("four.bin");
};

}  // namespace

TEST_CASE("a file, a redirected one and a pipe give the same") {
    const TraceFiles files;
    for (const std::string& file : {files.eight, files.four}) {
        for (const std::string layout :
             {"", "--perf", "--legacy", "--text", "--json", "--csv", "--analyse"}) {
            CAPTURE(file, layout);
            const Result from_file = decode(file + " " + layout);
            CHECK(from_file.code == 0);
            CHECK(from_file.out.size() > 100);
            CHECK(decode("- " + layout + " <" + file).out == from_file.out);
            CHECK(shell("cat " + file + " | " + program + " trace decode - " + layout).out == from_file.out);
        }
    }
    CHECK(decode(files.eight).out == decode(files.eight + " --perf").out);
    CHECK(decode(files.eight).out != decode(files.eight + " --legacy").out);
    CHECK_THAT(decode(files.eight).err,
               Catch::Equals("100 records (8DW), 100 chosen, 0 damaged and skipped, 0 time wraps\n"));
    CHECK(decode(files.eight + " --quiet").err.empty());
}

TEST_CASE("filters choose what they say, together too") {
    const TraceFiles files;
    const auto all = objects_of(decode(files.eight + " --json").out);
    REQUIRE(all.size() == 100);
    const auto chosen = [&](const std::string& words, auto&& wanted) {
        CAPTURE(words);
        std::vector<json> expected;
        std::copy_if(all.begin(), all.end(), std::back_inserter(expected), wanted);
        const Result result = decode(files.eight + " --json " + words);
        CHECK(result.code == 0);
        CHECK(!expected.empty());
        CHECK(expected.size() < all.size());
        CHECK(objects_of(result.out) == expected);
        CHECK_THAT(result.err, Catch::Contains(" " + std::to_string(expected.size()) + " chosen"));
    };
    chosen("--type posted", [](const json& tlp) { return tlp["kind"] == "MWr" || tlp["kind"] == "Msg"; });
    chosen("--type non-posted", [](const json& tlp) { return tlp["kind"] == "MRd"; });
    chosen("--type completion", [](const json& tlp) { return tlp["kind"] == "CplD"; });
    chosen("--type completion,posted", [](const json& tlp) { return tlp["kind"] != "MRd"; });
    chosen("--requester 01:00.0", [](const json& tlp) { return tlp["requester"] == "01:00.0"; });
    chosen("--requester 0000:01:00.1", [](const json& tlp) { return tlp["requester"] == "01:00.1"; });
    chosen("--from 500", [](const json& tlp) { return tlp["time"] >= 500; });
    chosen("--to 500", [](const json& tlp) { return tlp["time"] < 500; });
    chosen("--from 0.2us --to 300ns",
           [](const json& tlp) { return tlp["time"] >= 200 && tlp["time"] < 300; });
    chosen("--from 0.2us --to 301ns --tick 2ns",
           [](const json& tlp) { return tlp["time"] >= 100 && tlp["time"] < 151; });
    chosen("--requester 01:00.1 --type posted --from 100", [](const json& tlp) {
        return tlp["requester"] == "01:00.1" && tlp["type"] == "posted" && tlp["time"] >= 100;
    });
    CHECK(decode(files.eight + " --json --requester 01:00.0,01:00.1").out ==
          decode(files.eight + " --json").out);
    CHECK(decode(files.eight + " --json --requester 02:00.0").out.empty());
}

TEST_CASE("the format may be given") {
    const TraceFiles files;
    CHECK(decode(files.eight + " --format 8dw").out == decode(files.eight).out);
    CHECK(decode(files.four + " --format 4dw").out == decode(files.four + " --format auto").out);
    const Result wrong = decode(files.four + " --format 8dw --json");
    CHECK(wrong.code == 0);
    CHECK(wrong.out.empty());
    CHECK_THAT(wrong.err, Catch::Contains("0 records (8DW), 0 chosen, 50 damaged and skipped"));
}

TEST_CASE("damaged, cut off, wrapped and empty traces") {
    const TraceFiles files;
    const std::string file = files.folder.path("trace");
    std::string bytes = some_trace(Format::eight_dwords);
    bytes[32] = bytes[33] = bytes[34] = 0;
    write_file(file, bytes.substr(0, bytes.size() - 5));
    Result result = decode(file + " --json");
    CHECK(result.code == 0);
    CHECK(objects_of(result.out).size() == 98);
    CHECK(result.err ==
          "98 records (8DW), 98 chosen, 1 damaged and skipped, 0 time wraps, 27 bytes behind the last whole "
          "record\n");

    write_file(file, some_trace(Format::four_dwords, 100));
    result = decode(file + " --json");
    CHECK(result.err == "400 records (4DW), 400 chosen, 0 damaged and skipped, 1 time wraps\n");
    CHECK(objects_of(result.out).back()["time"] == 4000);

    write_file(file, "");
    for (const std::string& from : {file, "- <" + file, std::string("- </dev/null")}) {
        result = decode(from);
        CHECK(result.code == 0);
        CHECK(result.out.empty());
        CHECK(result.err == "0 records, 0 chosen, 0 damaged and skipped, 0 time wraps\n");
    }

    const std::string perf =
        perf_file_of(auxtrace_info_of(6) + auxtrace_of(some_trace(Format::eight_dwords)) +
                     auxtrace_of(some_trace(Format::four_dwords)));
    write_file(file, perf);
    CHECK(decode(file).out == decode(files.eight).out + decode(files.four).out);
    CHECK(shell("cat " + file + " | " + program + " trace decode -").out == decode(file).out);
    write_file(file, perf.substr(0, perf.size() - 20));
    CHECK_THAT(decode(file).err, Catch::Contains("198 records (4DW and 8DW)") &&
                                     Catch::Contains("cut off: 20 bytes are missing"));
}

TEST_CASE("a long pipe needs no more memory than a short one") {
#ifdef __SANITIZE_ADDRESS__
    const std::string limit = "true";  // the sanitizer needs all there is
#else
    const std::string limit = "ulimit -d 65536";  // KiB, less than goes through the pipe
#endif
    const TemporaryFolder folder;
    const std::string file = folder.path("trace");
    write_file(file, some_trace(Format::eight_dwords, 8192));  // 1 MiB
    const std::string repeat = "i=0; while [ $i -lt 80 ]; do cat " + file + "; i=$((i+1)); done";
    for (const std::string layout : {"--json", "--perf", "--analyse"}) {
        const Result result = shell("{ " + repeat + "; } | (" + limit + "; " + program + " trace decode - " +
                                    layout + " | wc -c)");
        CHECK(result.code == 0);
        CHECK_THAT(result.err, Catch::StartsWith(std::to_string(80 * 4 * 8192) + " records (8DW)"));
    }
}

TEST_CASE("-o writes the file as a whole, and nothing when that fails") {
    const TraceFiles files;
    const std::string file = files.folder.path("out");
    const std::string expected = decode(files.eight + " --csv").out;
    const Result result = decode(files.eight + " --csv -o " + file);
    CHECK(result.code == 0);
    CHECK(result.out.empty());
    CHECK(read_file(file) == expected);
    CHECK(decode(files.four + " --analyse --json --output " + file).code == 0);
    CHECK(json::parse(read_file(file))["schema"] == "tlmetry.trace_analysis/1");
    refused(files.eight + " -o " + files.folder.path("none/out"), "option --output: ");
    refused(files.eight + " -o " + files.eight, "option --output: expected a file of its own");
    refused(files.eight + " -o /dev/full", "option --output: /dev/full cannot be written");
    CHECK(decode(files.eight + " -o /dev/null").code == 0);
    CHECK(decode(files.eight + " -o /dev/stdout").out == decode(files.eight).out);
    // A mistake in the trace keeps what was there.
    write_file(files.folder.path("bad"), perf_file_of(words_of({1, 4U << 16})));
    const std::string before = read_file(file);
    refused(files.folder.path("bad") + " -o " + file, "expected an event of 8 bytes");
    CHECK(read_file(file) == before);
    CHECK(shell("ls " + files.folder.path("out.part") + "*").code != 0);
}

TEST_CASE("a reader that leaves ends it without a word") {
    const TemporaryFolder folder;
    const std::string file = folder.path("trace");
    write_file(file, some_trace(Format::eight_dwords, 20'000));
    const Result result = shell(program + " trace decode " + file + " | head -n 3");
    CHECK(result.code == 0);
    CHECK(std::count(result.out.begin(), result.out.end(), '\n') == 3);
    CHECK(result.err.empty());
    CHECK(decode(file + " >/dev/full").code == 2);
}

TEST_CASE("Ctrl-C ends it with what it has") {
    const TraceFiles files;
    // The pipe stays open.
    const std::string pipe = files.folder.path("pipe");
    const std::string file = files.folder.path("out");
    const Result result =
        shell("mkfifo " + pipe + "; exec 3<>" + pipe + "; cat " + files.eight + " >&3; " +
              in_background(program + " trace decode " + pipe + " --json -o " + file, catches_interrupt) +
              "sleep 0.2; kill -INT $pid; wait $pid");
    CHECK(result.code == 130);
    CHECK(read_file(file) == decode(files.eight + " --json").out);
    CHECK(result.err == "100 records (8DW), 100 chosen, 0 damaged and skipped, 0 time wraps\n");
}

TEST_CASE("the analysis of a file") {
    const TraceFiles files;
    const json all = json::parse(decode(files.eight + " --analyse --json --mps 128 --mrrs 512").out);
    CHECK(all["kinds"]["MRd"]["tlps"] == 25);
    CHECK(all["latency"]["count"] == 25);
    CHECK(all["latency"]["most_fs"] == 20'000'000);
    CHECK(all["requesters"].size() == 2);
    for (const json& violation : all["violations"])
        CHECK(violation["count"] == 0);
    const json slow = json::parse(decode(files.eight + " --analyse --json --tick 4ns").out);
    CHECK(slow["latency"]["most_fs"] == 80'000'000);
    const json four = json::parse(decode(files.four + " --analyse --json").out);
    CHECK(four["latency"]["buckets_fs"] == all["latency"]["buckets_fs"]);
    const json one = json::parse(decode(files.eight + " --analyse --json --requester 01:00.1").out);
    CHECK(one["kinds"]["MRd"]["tlps"] == 12);
    const Result text = decode(files.eight + " --analyse --text");
    CHECK_THAT(text.out,
               Catch::StartsWith("100 TLPs in 990.0 ns") && Catch::Contains("Against the rules: 0\n"));
    CHECK(text.out == decode(files.eight + " --analyse").out);
}

TEST_CASE("the example of the page is what the program prints") {
    const std::string page = read_file(TLMETRY_DOCS "/trace.md");
    const std::string command = "    $ tlmetry trace decode tests/data/traces/example_8dw.bin --text\n";
    const std::size_t at = page.find(command);
    REQUIRE(at != std::string::npos);
    std::string expected;
    std::istringstream lines(page.substr(at + command.size()));
    for (std::string line; std::getline(lines, line) && line.compare(0, 4, "    ") == 0;)
        expected += line.substr(4) + "\n";
    const Result result = decode(TLMETRY_TEST_DATA "/traces/example_8dw.bin --text");
    CHECK(result.out + result.err == expected);
}

TEST_CASE("help, and mistakes in one sentence") {
    const TraceFiles files;
    const Result help = decode("--help");
    CHECK(help.code == 0);
    for (const char* option :
         {"--perf", "--legacy", "--text", "--json", "--csv", "--analyse", "--format", "--type", "--requester",
          "--from", "--to", "--tick", "--mps", "--mrrs", "--output", "--quiet"})
        CHECK_THAT(help.out, Catch::Contains(option));
    check_width(help.out);
    CHECK_THAT(shell(program + " --help").out, Catch::Contains("\n  trace "));
    CHECK_THAT(shell(program + " trace --help").out, Catch::Contains("\n  decode  "));
    CHECK_THAT(shell(program + " help trace").out, Catch::Contains("\n  decode  "));
    CHECK_THAT(shell(program + " trace").err,
               Catch::Contains("trace: expected a command, record, tune or decode, found none"));
    CHECK_THAT(shell(program + " trace encode").err,
               Catch::Contains("trace: expected a command, record, tune or decode, found 'encode'"));

    const std::string& good = files.eight;
    refused("", "trace decode: expected one trace FILE or -, found none");
    refused(good + " " + good, "trace decode: expected one trace FILE or -, found ");
    refused("/nowhere/trace", "/nowhere/trace: cannot open the trace: No such file");
    refused("/", "/: expected a trace, found a directory");
    refused(good + " --text --json", "option --json: expected one layout, found --text too");
    refused(good + " --analyse --csv", "option --analyse: expected --text or --json with it, found --csv");
    refused(good + " --analyse --perf", "found --perf");
    refused(good + " --format 16dw", "option --format: expected auto, 4dw or 8dw, found '16dw'");
    refused(good + " --type read", "option --type: expected posted, non-posted or completion, found 'read'");
    refused(good + " --type posted,",
            "option --type: expected posted, non-posted or completion, found nothing");
    refused(good + " --requester 0100",
            "option --requester: expected bus, device and function such as 01:00.0");
    refused(good + " --from soon", "option --from: expected ticks or a time such as 2.5us, found 'soon'");
    refused(good + " --from 10 --to 9", "option --to: expected no time before that of --from, found '9'");
    refused(good + " --to -1", "--to");
    refused(good + " --tick 5", "option --tick: expected a time from 1fs to 1ms, found '5'");
    refused(good + " --tick 0ns", "option --tick: ");
    refused(good + " --tick 2s", "option --tick: ");
    refused(good + " --mps 256", "option --mps: expected --analyse with it, found none");
    refused(good + " --analyse --mps 100", "option --mps: expected ");
    refused(good + " --analyse --mrrs 8KiB", "option --mrrs: expected ");
    refused(good + " --speed 1", "--speed");
}
