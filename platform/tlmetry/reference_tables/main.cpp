// SPDX-License-Identifier: BSD-3-Clause
// tlmetry-reference: runs the rows of reference tables with the models and prints how far they are off.
#include "tlmetry/reference_tables/csv.hpp"
#include "tlmetry/reference_tables/results.hpp"

#include <tlmetry/app/progress.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/text.hpp>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <thread>

namespace {

namespace po = boost::program_options;
using namespace tlmetry;
using namespace tlmetry::reference_tables;

constexpr int exit_ok = 0;
constexpr int exit_beyond = 1;
constexpr int exit_usage = 2;
constexpr int exit_internal = 3;

struct Options {
    std::string tolerance;
    std::string jobs;
    bool json = false;
    bool list = false;
    bool help = false;
};

po::options_description describe(Options& options) {
    po::options_description description = config::own_options();
    auto add = description.add_options();
    add("tolerance,t", po::value(&options.tolerance)->value_name("PERCENT"),
        "deviation that is allowed in every column, instead of the table's own; what the last digit of a "
        "cell "
        "rounds away is always allowed");
    add("jobs", po::value(&options.jobs)->value_name("N"),
        "rows to run at the same time (default: one a core)");
    add("json,j", po::bool_switch(&options.json), "print every comparison as JSON");
    add("list,l", po::bool_switch(&options.list), "print the tables that are known, and exit");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    return description;
}

std::optional<double> parse_tolerance(const std::string& text) {
    if (text.empty()) return std::nullopt;
    const std::string digits = text.back() == '%' ? text.substr(0, text.size() - 1) : text;
    std::size_t end = 0;
    double percent = -1;
    try {
        percent = std::stod(digits, &end);
    } catch (const std::logic_error&) {  // no number, or out of range
    }
    if (end != digits.size() || !std::isfinite(percent) || percent < 0)
        throw UserError("option --tolerance: expected a number of percent, found " + config::found(text));
    return percent;
}

std::uint32_t parse_jobs(const std::string& text) {
    constexpr std::uint32_t most = 256;
    if (text.empty()) return std::max(1u, std::min(most, std::thread::hardware_concurrency()));
    std::uint32_t jobs = 0;
    if (text.size() <= 3 && text.find_first_not_of("0123456789") == std::string::npos)
        jobs = static_cast<std::uint32_t>(std::stoul(text));
    if (jobs == 0 || jobs > most)
        throw UserError("option --jobs: expected a number from 1 to 256, found " + config::found(text));
    return jobs;
}

void print_help(std::ostream& out, const po::options_description& options) {
    out << "Usage: tools/reference FILE.csv [FILE.csv ...] [options]\n\n"
           "Runs every row of a reference table with the models and prints how far each\n"
           "column is off, and the worst of all. The header tells which table a file is\n"
           "(--list); rows may be any of the same kind. See docs/reference.md.\n\n"
        << config::options_text(options)
        << "\nExit codes: 0 all rows within the tolerance, 1 a row beyond it or not run,\n"
           "2 a mistake in options or a file, 3 internal error.\n";
}

void print_list(std::ostream& out) {
    for (const Table& table : catalogue()) {
        out << table.name << "\n    " << table.title << "\n    "
            << (table.run == nullptr ? "not supported yet" : "tolerance: " + table.tolerance) << "\n";
    }
}

int run(const std::vector<std::string>& words) {
    Options options;
    const po::options_description description = describe(options);
    const config::CommandLine line = config::parse_command_line(words, description, {});
    if (options.help) {
        print_help(std::cout, description);
        return exit_ok;
    }
    if (options.list) {
        print_list(std::cout);
        return exit_ok;
    }
    if (line.arguments.empty()) throw UserError("expected files, found none: see --help");
    const std::optional<double> tolerance = parse_tolerance(options.tolerance);
    const std::uint32_t jobs = parse_jobs(options.jobs);

    // A mistake in the last file shows before the first is run.
    std::vector<TableFile> files;
    for (const std::string& path : line.arguments)
        files.push_back(read_table(path));
    app::Progress progress(std::cerr, app::stderr_is_terminal());
    std::vector<FileResult> results;
    bool passed = true;
    for (const TableFile& file : files) {
        results.push_back(run_rows(file, tolerance, jobs, [&](std::size_t done) {
            if (progress.due()) {
                progress.show(file.path + ": " + std::to_string(done) + " of " +
                              std::to_string(file.rows.size()) + " rows");
            }
        }));
        progress.clear();
        passed = passed && results.back().failed() == 0;
        if (!options.json) print_text(std::cout, results.back());
    }
    if (options.json) std::cout << to_json(results).dump(2) << "\n";
    std::cout.flush();
    if (!std::cout) throw UserError("the output cannot be written");
    return passed ? exit_ok : exit_beyond;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run({argv + 1, argv + argc});
    } catch (const tlmetry::UserError& error) {
        std::cerr << "tlmetry-reference: " << tlmetry::config::printable(error.what()) << "\n";
        return exit_usage;
    } catch (const std::exception& error) {
        std::cerr << "tlmetry-reference: internal error: " << tlmetry::config::printable(error.what())
                  << "\n";
        return exit_internal;
    }
}
