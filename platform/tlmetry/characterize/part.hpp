// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/characterize/runner.hpp>
#include <tlmetry/characterize/subject.hpp>
#include <tlmetry/page/charts.hpp>
#include <tlmetry/page/table.hpp>

#include <array>
#include <string>
#include <vector>

namespace tlmetry::characterize {

struct Chart {
    std::string title;
    page::Json option;
};

/// What has been measured of one question.
struct Part {
    std::string key;
    std::string title;
    std::string method;                 ///< what was measured, and how
    std::vector<std::string> findings;  ///< a sentence each
    std::vector<page::Table> tables;
    std::vector<page::Table> details;  ///< tables that are too long for a terminal
    std::vector<Chart> charts;
};

Part throughput(const Subject& subject, const Runner& runner);
Part latency(const Subject& subject, const Runner& runner);
Part outstanding(const Subject& subject, const Runner& runner);
Part alignment(const Subject& subject, const Runner& runner);
Part snoop(const Subject& subject, const Runner& runner);
Part combining(const Subject& subject, const Runner& runner);
Part scaling(const Subject& subject, const Runner& runner);
Part settings(const Subject& subject, const Runner& runner);

struct PartName {
    const char* key;
    const char* summary;
    Part (*measure)(const Subject& subject, const Runner& runner);
};
inline constexpr std::array part_names{
    PartName{"throughput", "rates over sizes, reads, writes and both", throughput},
    PartName{"latency", "of reads, idle and loaded, by stage", latency},
    PartName{"outstanding", "rate and latency over the reads under way", outstanding},
    PartName{"alignment", "rates and cache lines over the alignment", alignment},
    PartName{"snoop", "with and without snooping", snoop},
    PartName{"combining", "completions combined, and one for each RCB block", combining},
    PartName{"scaling", "over the endpoints, in percent of perfect", scaling},
    PartName{"settings", "advice on MPS and MRRS", settings},
};

}  // namespace tlmetry::characterize
