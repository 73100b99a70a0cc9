// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/tool/options.hpp>

#include <boost/program_options.hpp>

#include <charconv>
#include <sstream>

namespace tlmetry::tool {
namespace {

namespace po = boost::program_options;

constexpr double longest_interval_s = 1e9;

/// The whole of `text` as a number; numbers beyond the type are none either.
template <typename Number>
bool parse_number(const std::string& text, Number& number) {
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

[[noreturn]] void refuse(const std::string& option, const std::string& expected, const std::string& found) {
    throw UserError("option --" + option + ": expected " + expected + ", found '" + found + "'");
}

void set_interval(ToolOptions& options, const std::string& text) {
    double value = 0;
    if (!parse_number(text, value) || !(value >= 0 && value <= longest_interval_s))
        refuse("interval", "seconds from 0 to 1e9", text);
    options.interval = value;
}

void set_index(ToolOptions& options, const std::string& text) {
    if (!parse_number(text, options.index)) refuse("index", "an integer from 0 to 4294967295", text);
}

po::options_description describe(ToolOptions& options) {
    po::options_description description("Options", 100);
    auto add = description.add_options();
    add("device,d", po::value(&options.device)->value_name("PATH"),
        "device: a saved register file FILE.json (default: the first one)");
    add("index,i",
        po::value<std::string>()->value_name("N")->notifier([&](const auto& v) { set_index(options, v); }),
        "index of the component in the device (default: 0)");
    add("interval,t", po::value<std::string>()->value_name("SEC")->notifier([&](const auto& v) {
        set_interval(options, v);
    }),
        "length of the measured interval in seconds (default: 1.0); 0 prints the totals accumulated since "
        "the last "
        "clear; a saved file brings its own");
    add("watch,w", po::bool_switch(&options.watch), "keep measuring and printing until interrupted");
    add("clear,c", po::bool_switch(&options.clear), "zero all counters and exit");
    add("json,j", po::bool_switch(&options.json), "print the raw values as JSON instead of a table");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    return description;
}

}  // namespace

void ToolOptions::validate() const {
    if (watch && interval == 0) throw UserError("option --watch: needs an --interval above 0");
}

ToolOptions parse_options(int argc, const char* const* argv) {
    ToolOptions options;
    const po::options_description description = describe(options);
    try {
        const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
        const po::parsed_options parsed =
            po::command_line_parser(argc, argv).options(description).style(style).run();
        for (const po::option& option : parsed.options)
            if (option.position_key >= 0)
                throw UserError("unexpected argument '" + option.value.front() + "'");
        po::variables_map values;
        po::store(parsed, values);
        po::notify(values);
    } catch (const po::error& error) {
        throw UserError(error.what());
    }
    return options;
}

std::string usage() {
    ToolOptions options;
    std::ostringstream text;
    text << "Usage: nfb-pcie-telemetry [options]\n"
            "Prints the traffic that the PCIe telemetry measured over one interval.\n\n"
         << describe(options);
    return text.str();
}

}  // namespace tlmetry::tool
