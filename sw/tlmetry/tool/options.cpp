// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/driver/clock.hpp>
#include <tlmetry/tool/options.hpp>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>

#include <charconv>

namespace tlmetry::tool {
namespace {

namespace po = boost::program_options;

/// The whole of `text` as a number; numbers beyond the type are none either.
template <typename Number>
bool parse_number(const std::string& text, Number& number) {
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

[[noreturn]] void refuse(const std::string& option, const std::string& expected, const std::string& found) {
    throw UserError("option --" + option + ": expected " + expected + ", found " + config::found(found));
}

void set_interval(ToolOptions& options, const std::string& text) {
    double value = 0;
    const bool number = parse_number(text, value);
    const bool measurable = value >= driver::shortest_interval_s && value <= driver::longest_interval_s;
    if (!number || (value != 0 && !measurable)) refuse("interval", "0 or seconds from 1e-18 to 1e9", text);
    options.interval = value;
}

void set_index(ToolOptions& options, const std::string& text) {
    if (!parse_number(text, options.index)) refuse("index", "an integer from 0 to 4294967295", text);
}

po::options_description describe(ToolOptions& options) {
    po::options_description description = config::own_options();
    auto add = description.add_options();
    add("device,d", po::value(&options.device)->value_name("PATH"),
        ("device: " + std::string(device_kinds) +
         "; an OPTION is SECTION.KEY=VALUE of the configuration, or record-accesses=FILE")
            .c_str());
    add("index,i",
        po::value<std::string>()->value_name("N")->notifier([&](const auto& v) { set_index(options, v); }),
        "index of the component in the device (default: 0)");
    add("interval,t", po::value<std::string>()->value_name("SEC")->notifier([&](const auto& v) {
        set_interval(options, v);
    }),
        "length of the measured interval in seconds (default: 1.0); 0 prints the totals accumulated since "
        "the last clear; a saved file brings its own");
    add("watch,w", po::bool_switch(&options.watch),
        "keep measuring and printing until interrupted, "
        "in place on a terminal and cropped to it");
    add("clear,c", po::bool_switch(&options.clear), "zero all counters and exit");
    add("json,j", po::bool_switch(&options.json), "print the raw values as JSON instead of a table");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    add("version", po::bool_switch(&options.version), "print the version and exit");
    return description;
}

}  // namespace

void ToolOptions::validate() const {
    if (watch && interval == 0) throw UserError("option --watch: needs an --interval above 0");
}

ToolOptions parse_options(int argc, const char* const* argv) {
    ToolOptions options;
    const po::options_description description = describe(options);
    const auto line = config::parse_command_line({argv + 1, argv + argc}, description, {});
    if (!line.arguments.empty())
        throw UserError("expected options only, found " + config::found(line.arguments.front()));
    return options;
}

std::string usage() {
    ToolOptions options;
    return "Usage: nfb-pcie-telemetry [options]\n" +
           config::wrapped(
               "Prints the traffic that the PCIe telemetry measured over one interval. The table of "
               "the buses needs 125 columns.",
               "") +
           "\n" + config::options_text(describe(options)) + "\n" +
           config::wrapped(
               "Exit codes: 0 done, 2 a mistake in options or files (also one that cannot be read or "
               "written), 3 internal error.",
               "");
}

}  // namespace tlmetry::tool
