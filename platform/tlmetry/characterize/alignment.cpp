// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/characterize/part.hpp"

#include <tlmetry/report/arithmetic.hpp>

#include <string>

namespace tlmetry::characterize {

namespace {

using host::Statistics;
using page::number;
using report::fixed;

struct Request {
    const char* name;  ///< of the well-known examples
    std::uint32_t offset;
    std::uint32_t bytes;
};
constexpr Request examples[] = {{"A", 0x00, 64}, {"B", 0x20, 64},  {"C", 0x00, 32},
                                {"D", 0x30, 32}, {"E", 0x00, 128}, {"X", 0x3C, 8}};

std::vector<Request> requests_of(const Subject& subject) {
    std::vector<Request> requests(std::begin(examples), std::end(examples));
    const std::vector<std::uint32_t> offsets = subject.quick()
                                                   ? std::vector<std::uint32_t>{0, 4, 32, 60}
                                                   : std::vector<std::uint32_t>{0, 4, 8, 16, 24, 32, 48, 60};
    for (const std::uint32_t bytes : {64u, 256u}) {
        for (const std::uint32_t offset : offsets)
            requests.push_back({"", offset, bytes});
    }
    return requests;
}

}  // namespace

Part alignment(const Subject& subject, const Runner& runner) {
    const std::vector<Request> requests = requests_of(subject);
    std::vector<Point> points;
    for (const Request& request : requests) {
        points.push_back({subject.at_offset(Mix::reads, request.bytes, request.offset)});
        points.push_back({subject.at_offset(Mix::writes, request.bytes, request.offset)});
    }
    const std::vector<Measurement> results = runner.run(points);

    page::Table table;
    table.key = "alignment";
    table.title = "Cache lines of 64 B that the host snoops, reads, merges and writes for each request";
    table.columns = {{"request", "", "", 0},
                     {"offset_B", "offset", "B", 0},
                     {"size_B", "size", "B", 0},
                     {"read_GB_per_s", "read", "GB/s", 3},
                     {"read_snooped_lines", "snooped", "lines", 3},
                     {"read_read_lines", "read", "lines", 3},
                     {"write_GB_per_s", "write", "GB/s", 3},
                     {"write_snooped_lines", "snooped", "lines", 3},
                     {"write_merged_lines", "merged", "lines", 3},
                     {"write_written_lines", "written", "lines", 3}};
    const std::size_t sweep = (requests.size() - std::size(examples)) / 2;
    std::vector<std::string> places;
    page::Series series[] = {{"read 64 B", {}}, {"write 64 B", {}}, {"read 256 B", {}}, {"write 256 B", {}}};
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const Measurement& read = results[2 * i];
        const Measurement& write = results[2 * i + 1];
        table.rows.push_back({std::string(requests[i].name), number(requests[i].offset),
                              number(requests[i].bytes), number(read.read_gbytes()),
                              number(read.per_request(&Statistics::lines_snooped)),
                              number(read.per_request(&Statistics::lines_read)), number(write.write_gbytes()),
                              number(write.per_request(&Statistics::lines_snooped)),
                              number(write.per_request(&Statistics::lines_merged)),
                              number(write.per_request(&Statistics::lines_written))});
        if (i < std::size(examples)) continue;
        const std::size_t size = (i - std::size(examples)) / sweep;
        if (size == 0) places.push_back(std::to_string(requests[i].offset));
        series[2 * size].values.push_back(read.read_gbytes());
        series[2 * size + 1].values.push_back(write.write_gbytes());
    }

    Part part;
    part.key = "alignment";
    part.title = "Alignment";
    part.method =
        "Requests at the same offset behind 4 KiB boundaries, as fast as possible. A to E and X are the "
        "usual "
        "examples: 64 B aligned and not, 32 B aligned and across a line, 128 B aligned, 8 B across a line; "
        "lines are those of a request as it arrives, split at MPS and MRRS. A write of a part of a line "
        "reads it "
        "to merge both.";
    const Measurement& aligned = results[1];
    const Measurement& unaligned = results[3];
    part.findings = {
        "An unaligned write of 64 B costs the host " +
        fixed(unaligned.per_request(&Statistics::lines_snooped), 0) + " snoops, " +
        fixed(unaligned.per_request(&Statistics::lines_merged), 0) + " lines read and " +
        fixed(unaligned.per_request(&Statistics::lines_written), 0) + " written instead of " +
        fixed(aligned.per_request(&Statistics::lines_snooped), 0) + ", " +
        fixed(aligned.per_request(&Statistics::lines_merged), 0) + " and " +
        fixed(aligned.per_request(&Statistics::lines_written), 0) + ". Aligned and unaligned, writes reach " +
        fixed(aligned.write_gbytes(), 2) + " and " + fixed(unaligned.write_gbytes(), 2) + " GB/s, reads " +
        fixed(results[0].read_gbytes(), 2) + " and " + fixed(results[2].read_gbytes(), 2) + " GB/s."};
    part.tables = {table};
    part.charts = {{"Rate over the offset in a cache line",
                    page::line_chart({"offset, B", places, "GB/s", ""},
                                     std::vector<page::Series>(std::begin(series), std::end(series)))}};
    return part;
}

}  // namespace tlmetry::characterize
