// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/trace_decode_command.hpp"

#include <tlmetry/app/application.hpp>
#include <tlmetry/app/interrupt.hpp>
#include <tlmetry/app/output_file.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/kind.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/tlp/text.hpp>
#include <tlmetry/trace/analysis.hpp>
#include <tlmetry/trace/filter.hpp>
#include <tlmetry/trace/print.hpp>

#include <boost/program_options/options_description.hpp>

#include <optional>
#include <ostream>
#include <utility>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;

struct Options {
    bool perf = false;
    bool legacy = false;
    bool text = false;
    bool json = false;
    bool csv = false;
    bool analyse = false;
    bool quiet = false;
    bool help = false;
    std::string format = "auto";
    std::string type;
    std::string requester;
    std::string from;
    std::string to;
    std::string tick = "1ns";
    std::string mps;
    std::string mrrs;
    std::string output;
};

po::options_description describe(Options& options) {
    po::options_description description = config::own_options();
    auto add = description.add_options();
    const auto text = [](std::string& variable, const char* name) {
        return po::value(&variable)->value_name(name);
    };
    add("perf", po::bool_switch(&options.perf), "print what perf report -D prints (the default)");
    add("legacy", po::bool_switch(&options.legacy),
        "the same with the bytes as older versions of perf order them");
    add("text", po::bool_switch(&options.text), "print one line a TLP, to be read");
    add("json,j", po::bool_switch(&options.json), "print one JSON object a TLP and line");
    add("csv", po::bool_switch(&options.csv), "print comma-separated values");
    add("analyse", po::bool_switch(&options.analyse),
        "print rates, sizes, latencies and violations of rules instead of TLPs; with --json as JSON");
    add("format", text(options.format, "auto|4dw|8dw"),
        "of the records; auto, the default, looks at each buffer");
    add("type", text(options.type, "TYPE[,TYPE]"), "only posted, non-posted or completion");
    add("requester", text(options.requester, "BDF[,BDF]"),
        "only TLPs with these requester IDs, such as 01:00.0");
    add("from", text(options.from, "TIME"), "only TLPs from this time on, in ticks or with a unit");
    add("to", text(options.to, "TIME"), "only TLPs before this time");
    add("tick", text(options.tick, "TIME"), "time of a tick, 1ns without this option");
    add("mps", text(options.mps, "BYTES"), "with --analyse: payloads above this are against the rules");
    add("mrrs", text(options.mrrs, "BYTES"), "with --analyse: reads above this are against the rules");
    add("output,o", text(options.output, "FILE"), "print into this file");
    add("quiet,q", po::bool_switch(&options.quiet), "no summary");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    return description;
}

[[noreturn]] void refuse(const std::string& option, const std::string& expected, std::string_view found) {
    throw UserError("option --" + option + ": expected " + expected + ", found " + config::found(found));
}

const trace::Layout& layout_of(const Options& options) {
    const std::pair<const char*, bool> layouts[] = {{"perf", options.perf},
                                                    {"legacy", options.legacy},
                                                    {"text", options.text},
                                                    {"json", options.json},
                                                    {"csv", options.csv}};
    const char* chosen = nullptr;
    for (const auto& [name, given] : layouts) {
        if (!given) continue;
        if (chosen != nullptr)
            throw UserError(std::string("option --") + name + ": expected one layout, found --" + chosen +
                            " too");
        chosen = name;
    }
    if (options.analyse && (options.perf || options.legacy || options.csv))
        throw UserError("option --analyse: expected --text or --json with it, found --" +
                        std::string(chosen));
    if (options.legacy) return trace::legacy_perf_layout;
    if (options.text) return trace::text_layout;
    if (options.json) return trace::json_layout;
    return options.csv ? trace::csv_layout : trace::perf_layout;
}

std::optional<ptt::Format> format_of(const std::string& text) {
    if (text == "auto") return std::nullopt;
    if (text == "4dw") return ptt::Format::four_dwords;
    if (text == "8dw") return ptt::Format::eight_dwords;
    refuse("format", "auto, 4dw or 8dw", text);
}

time_fs tick_of(const std::string& text) {
    const auto tick = parse_quantity(text, time_units);
    if (!tick || *tick < 1 || *tick > fs_per_ms) refuse("tick", "a time from 1fs to 1ms", text);
    return *tick;
}

/// Ticks, or a time that the first tick at or behind it stands for.
std::uint64_t ticks_of(const char* option, const std::string& text, time_fs tick_fs) {
    if (const auto ticks = parse_unsigned(text)) return *ticks;
    const auto time = parse_quantity(text, time_units);
    if (!time) refuse(option, "ticks or a time such as 2.5us", text);
    return static_cast<std::uint64_t>(*time / tick_fs + (*time % tick_fs != 0 ? 1 : 0));
}

std::optional<std::uint32_t> size_of(const char* option, const std::string& text) {
    if (text.empty()) return std::nullopt;
    const config::Kind<std::uint32_t> kind = config::power_of_two_size(128, 4096);
    const auto size = kind.parse(text);
    if (!size) refuse(option, kind.expected, text);
    return size;
}

trace::Filter filter_of(const Options& options, time_fs tick_fs) {
    trace::Filter filter;
    if (!options.type.empty()) {
        filter.categories = {};
        for (const std::string_view name : config::split_list(options.type)) {
            unsigned category = 0;
            while (category < tlp::categories && tlp::name_of(static_cast<tlp::Category>(category)) != name)
                ++category;
            if (category == tlp::categories) refuse("type", "posted, non-posted or completion", name);
            filter.categories[category] = true;
        }
    }
    if (!options.requester.empty()) {
        for (const std::string_view name : config::split_list(options.requester)) {
            const auto id = tlp::parse_bdf(name);
            if (!id) refuse("requester", "bus, device and function such as 01:00.0", name);
            filter.requesters.push_back(*id);
        }
    }
    if (!options.from.empty()) filter.from = ticks_of("from", options.from, tick_fs);
    if (!options.to.empty()) filter.to = ticks_of("to", options.to, tick_fs);
    if (filter.to < filter.from) refuse("to", "no time before that of --from", options.to);
    return filter;
}

/// Returns how many TLPs were chosen.
std::uint64_t print(ptt::TraceReader& reader, const trace::Filter& filter, const trace::Layout& layout,
                    std::ostream& out) {
    trace::TextBuffer text(out);
    ptt::TracedTlp tlp;
    std::uint64_t chosen = 0;
    layout.print_head(text);
    while (text.good() && reader.next_buffer()) {
        layout.print_buffer(text, reader.buffer_bytes());
        while (text.good() && reader.next(tlp)) {
            if (!filter.accepts(tlp)) continue;
            ++chosen;
            layout.print_tlp(text, tlp);
        }
        text.flush();
    }
    text.flush();
    return chosen;
}

std::uint64_t analyse(ptt::TraceReader& reader, const trace::Filter& filter, trace::Analysis& analysis) {
    ptt::TracedTlp tlp;
    while (reader.next_buffer()) {
        while (reader.next(tlp)) {
            if (filter.accepts(tlp)) analysis.add(tlp);
        }
    }
    return analysis.tlps();
}

std::string summary(const ptt::TraceReader::Counts& counts, std::uint64_t chosen, bool whole) {
    std::string formats;
    for (const ptt::Format format : {ptt::Format::four_dwords, ptt::Format::eight_dwords}) {
        if (counts.formats[static_cast<unsigned>(format)])
            formats += (formats.empty() ? "" : " and ") + std::string(ptt::name_of(format));
    }
    std::string text = std::to_string(counts.records) + " records" +
                       (formats.empty() ? "" : " (" + formats + ")") + ", " + std::to_string(chosen) +
                       " chosen, " + std::to_string(counts.damaged) + " damaged and skipped, " +
                       std::to_string(counts.wraps) + " time wraps";
    if (counts.left_over_bytes != 0)
        text += ", " + std::to_string(counts.left_over_bytes) + " bytes behind the last whole record";
    if (whole && counts.missing_bytes != 0)
        text += ", cut off: " + std::to_string(counts.missing_bytes) + " bytes are missing";
    return text + "\n";
}

void print_help(std::ostream& out, const po::options_description& options) {
    out << "Usage: tlmetry trace decode FILE|- [options]\n\n"
        << config::wrapped(
               "Prints the TLP headers in FILE, or with - in the standard input: AUX data of the PTT device "
               "as it "
               "lies in memory, 4DW or 8DW, or a perf.data file of perf record -e hisi_ptt. Damaged records "
               "are "
               "skipped and counted. See docs/trace.md.",
               "")
        << "\n"
        << config::options_text(options);
}

}  // namespace

int trace_decode(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
    Options options;
    const po::options_description own = describe(options);
    const config::CommandLine line = config::parse_command_line(words, own, {});
    if (options.help) {
        print_help(out, own);
        return exit_ok;
    }
    if (line.arguments.size() != 1)
        throw UserError("trace decode: expected one trace FILE or -, found " +
                        (line.arguments.empty() ? std::string("none") : config::found(line.arguments[1])));
    const std::string& path = line.arguments[0];
    const trace::Layout& layout = layout_of(options);
    const std::optional<ptt::Format> format = format_of(options.format);
    const time_fs tick_fs = tick_of(options.tick);
    const trace::Filter filter = filter_of(options, tick_fs);
    const trace::DeviceLimits limits = {size_of("mps", options.mps), size_of("mrrs", options.mrrs)};
    if (!options.analyse && (limits.mps || limits.mrrs))
        throw UserError(std::string("option --") + (limits.mps ? "mps" : "mrrs") +
                        ": expected --analyse with it, found none");
    const OutputFile output("output", options.output);
    require_own_files({{"the trace", path == "-" ? "" : path}}, {{"option --output", options.output}});

    const InterruptWatch watch;
    ptt::TraceReader reader(ptt::AuxSource(ptt::ByteSource::open(path, InterruptWatch::interrupted)), format);
    std::optional<OutputFile::Writer> writer;
    if (output.wanted()) writer.emplace(output);
    std::ostream& results = writer ? writer->stream() : out;
    std::uint64_t chosen = 0;
    if (options.analyse) {
        trace::Analysis analysis(tick_fs, limits);
        chosen = analyse(reader, filter, analysis);
        results << (options.json ? trace::analysis_json(analysis) : trace::format_analysis(analysis));
    } else {
        chosen = print(reader, filter, layout, results);
    }
    if (writer) writer->finish();
    const bool interrupted = InterruptWatch::interrupted();
    if (!options.quiet && out) err << summary(reader.counts(), chosen, !interrupted);
    return interrupted ? exit_interrupted : exit_ok;
}

}  // namespace tlmetry::app
