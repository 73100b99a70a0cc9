// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/explain_command.hpp"

#include <tlmetry/app/application.hpp>
#include <tlmetry/base/alternatives.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/file.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/verdict/explanation.hpp>
#include <tlmetry/verdict/report_file.hpp>

#include <boost/program_options/options_description.hpp>

#include <algorithm>
#include <initializer_list>
#include <iostream>
#include <optional>
#include <sstream>
#include <utility>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;

struct Options {
    std::string generation, width, capable_generation, capable_width, address_bits;
    bool ecrc = false;
    bool json = false;
    bool help = false;
};

po::options_description describe(Options& options) {
    po::options_description description = config::own_options();
    auto add = description.add_options();
    const auto number = [](std::string& variable) { return po::value(&variable)->value_name("N"); };
    add("link-generation", number(options.generation), "generation that the link runs at, 1 to 7");
    add("link-width", number(options.width), "lanes that the link runs with: 1, 2, 4, 8, 12, 16 or 32");
    add("capable-generation", number(options.capable_generation),
        "generation that card and slot could do, if it is another one");
    add("capable-width", number(options.capable_width),
        "lanes that card and slot could do, if they are others");
    add("address-bits", number(options.address_bits),
        "of the requests, 32 or 64 (the default): headers of three or four dwords");
    add("ecrc", po::bool_switch(&options.ecrc), "every TLP has a digest of 4 bytes");
    add("json,j", po::bool_switch(&options.json), "print JSON");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    return description;
}

std::optional<std::uint32_t> one_of(const char* option, const std::string& text,
                                    std::initializer_list<std::uint32_t> allowed) {
    if (text.empty()) return std::nullopt;
    const auto value = parse_unsigned(text);
    std::vector<std::string> names;
    for (const std::uint32_t candidate : allowed) {
        if (value && *value == candidate) return candidate;
        names.push_back(std::to_string(candidate));
    }
    throw UserError(std::string("option --") + option + ": expected " + alternatives(names) + ", found " +
                    config::found(text));
}

std::optional<std::uint32_t> generation(const char* option, const std::string& text) {
    return one_of(option, text, {1, 2, 3, 4, 5, 6, 7});
}

std::optional<std::uint32_t> width(const char* option, const std::string& text) {
    return one_of(option, text, {1, 2, 4, 8, 12, 16, 32});
}

verdict::LinkFacts link_facts(const Options& options) {
    verdict::LinkFacts facts;
    const auto trained_generation = generation("link-generation", options.generation);
    const auto trained_width = width("link-width", options.width);
    if (trained_generation.has_value() != trained_width.has_value())
        throw UserError(std::string("option --link-") + (trained_generation ? "generation" : "width") +
                        ": expected --link-" + (trained_generation ? "width" : "generation") +
                        " with it, found none");
    if (trained_generation) facts.trained = {*trained_generation, *trained_width};

    const auto capable_generation = generation("capable-generation", options.capable_generation);
    const auto capable_width = width("capable-width", options.capable_width);
    if (capable_generation || capable_width) {
        const std::string option =
            std::string("option --capable-") + (capable_generation ? "generation" : "width");
        if (!facts.trained)
            throw UserError(option + ": expected --link-generation and --link-width with it, found none");
        facts.capable = {capable_generation.value_or(facts.trained->generation),
                         capable_width.value_or(facts.trained->lanes)};
        if (facts.capable->generation < facts.trained->generation ||
            facts.capable->lanes < facts.trained->lanes)
            throw UserError(option + ": expected no less than the link runs at, " + facts.trained->name() +
                            ", found " + facts.capable->name());
    }
    facts.address_bits = one_of("address-bits", options.address_bits, {32, 64}).value_or(64);
    facts.ecrc = options.ecrc;
    return facts;
}

std::string read_standard_input() {
    std::ostringstream text;
    text << std::cin.rdbuf();
    if (text.str().size() > config::max_file_bytes)
        throw UserError("standard input: expected at most " + std::to_string(config::max_file_bytes >> 20) +
                        " MiB, found more");
    return text.str();
}

driver::Measurement read(const std::string& path) {
    if (path == "-") return verdict::read_report("standard input", read_standard_input());
    return verdict::read_report(path, config::read_file("report", path));
}

}  // namespace

int explain(const std::vector<std::string>& words, std::ostream& out, std::ostream&) {
    Options options;
    const po::options_description own = describe(options);
    const config::CommandLine line = config::parse_command_line(words, own, {});
    if (options.help) {
        out << "Usage: tlmetry explain REPORT.json|- [options]\n\n"
            << config::wrapped(
                   "Says where the bandwidth went and whose matter it is, from the JSON of the telemetry "
                   "tool's "
                   "report: of a real card, or of tlmetry run --json. - reads standard input. See "
                   "docs/explain.md.",
                   "")
            << "\n"
            << config::options_text(own);
        return exit_ok;
    }
    if (line.arguments.size() != 1)
        throw UserError("explain: expected one report REPORT.json or -, found " +
                        (line.arguments.empty() ? std::string("none") : config::found(line.arguments[1])));
    const verdict::LinkFacts facts = link_facts(options);
    const driver::Measurement measurement = read(line.arguments[0]);
    const verdict::Explanation explanation(measurement, facts);
    out << (options.json ? verdict::format_json(explanation) : verdict::format_text(explanation));
    return exit_ok;
}

}  // namespace tlmetry::app
