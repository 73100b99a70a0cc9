// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/explore_compare_command.hpp"

#include <tlmetry/app/application.hpp>
#include <tlmetry/app/output_file.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/describe.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/explore/compare.hpp>

#include <boost/program_options/options_description.hpp>

#include <algorithm>
#include <ostream>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;

struct Options {
    std::string tolerance;
    std::vector<std::string> at;
    std::string outputs;
    std::string csv;
    bool json = false;
    bool help = false;
};

po::options_description describe(Options& options) {
    po::options_description description = config::own_options();
    auto add = description.add_options();
    add("tolerance", po::value(&options.tolerance)->value_name("PART"),
        "say nothing of what differs by no more than this part of it, as 1% (default: 0)");
    add("at", po::value(&options.at)->value_name("NAME=VALUE")->composing(),
        "only points with this value; may be given several times");
    add("outputs", po::value(&options.outputs)->value_name("NAME,NAME"),
        "only these outputs (default: all that both have)");
    add("csv", po::value(&options.csv)->value_name("FILE.csv"), "also save all that differs as CSV");
    add("json", po::bool_switch(&options.json), "print all that differs as JSON");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    return description;
}

void print_help(std::ostream& out, const po::options_description& options) {
    out << "Usage: tlmetry explore compare A B [options]\n\n"
        << config::wrapped(
               "Tells what moved between two results of tlmetry explore: their folders, or files as "
               "results.json. "
               "Points are the same where all parameters of the axes are; of repetitions means are compared, "
               "with their intervals of 95 %. See docs/explore.md.",
               "")
        << "\n"
        << config::options_text(options) << "\n"
        << config::wrapped(
               "Exit codes: 0 equal within the tolerance, 1 different, 2 a mistake in options or files, 3 "
               "internal error.",
               "");
}

double tolerance_of(const std::string& text) {
    if (text.empty()) return 0;
    const auto part = parse_fraction(text);
    if (!part)
        throw UserError("option --tolerance: expected a part from 0 to 1 such as 1% or 0.01, found " +
                        config::found(text));
    return static_cast<double>(part->parts) / static_cast<double>(Fraction::one);
}

std::pair<std::string, std::string> given_of(const std::string& text) {
    const std::size_t sign = text.find('=');
    if (sign == text.npos || sign == 0 || sign + 1 == text.size())
        throw UserError("option --at: expected NAME=VALUE, found " + config::found(text));
    return {std::string(trimmed(text.substr(0, sign))), std::string(trimmed(text.substr(sign + 1)))};
}

std::vector<std::string> names_of(const std::string& list) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin < list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        names.emplace_back(trimmed(std::string_view(list).substr(begin, end - begin)));
        begin = end + 1;
    }
    return names;
}

}  // namespace

int explore_compare(const std::vector<std::string>& words, std::ostream& out) {
    Options options;
    const po::options_description own = describe(options);
    const config::CommandLine line = config::parse_command_line(words, own, config::Registry());
    if (options.help) {
        print_help(out, own);
        return exit_ok;
    }
    if (line.arguments.size() != 2)
        throw UserError("explore compare: expected two folders of results, found " +
                        std::to_string(line.arguments.size()) + "; see tlmetry explore compare --help");
    const double tolerance = tolerance_of(options.tolerance);
    std::vector<std::pair<std::string, std::string>> at;
    for (const std::string& text : options.at)
        at.push_back(given_of(text));
    const OutputFile csv("csv", options.csv);
    const explore::Comparison comparison =
        explore::compare(line.arguments[0], line.arguments[1], tolerance, at, names_of(options.outputs));
    if (csv.wanted()) csv.save(explore::comparison_csv(comparison));
    constexpr std::size_t rows = 40;
    out << (options.json ? explore::comparison_json(comparison, tolerance)
                         : explore::comparison_text(comparison, tolerance, rows));
    return comparison.equal() ? exit_ok : exit_checks_failed;
}

}  // namespace tlmetry::app
