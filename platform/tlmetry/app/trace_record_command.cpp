// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/trace_record_command.hpp"

#include <tlmetry/app/application.hpp>
#include <tlmetry/app/block_writer.hpp>
#include <tlmetry/app/card_file.hpp>
#include <tlmetry/app/interrupt.hpp>
#include <tlmetry/app/output_file.hpp>
#include <tlmetry/app/progress.hpp>
#include <tlmetry/app/trace_core.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/describe.hpp>
#include <tlmetry/config/kind.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/tlp/text.hpp>
#include <tlmetry/trace/recorder.hpp>

#include <boost/program_options/options_description.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <optional>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;

struct Options {
    std::string filter;
    std::string type = "7";
    std::string direction = "all";
    std::string format = "8dw";
    std::string event;
    std::string core = "0";
    std::string buffer = "4MiB";
    std::string tick = "1ns";
    std::string reader_delay = "0s";
    std::string duration;
    std::string seed;
    std::string timeline;
    std::string output;
    bool list = false;
    bool quiet = false;
    bool help = false;
};

po::options_description describe(Options& options) {
    po::options_description description = config::own_options();
    auto add = description.add_options();
    const auto text = [](std::string& variable, const char* name) {
        return po::value(&variable)->value_name(name);
    };
    add("filter", text(options.filter, "FILTER"),
        "root ports by their names (0000:00:10.0,0000:00:11.0), one requester by its name, or the number of "
        "either "
        "as sysfs has it; all root ports without this option");
    add("type", text(options.type, "TYPE[,TYPE]"),
        "posted, non-posted or completion, or the sum of 1, 2 and 4 for these; all without this option");
    add("direction", text(options.direction, "0..3|all"),
        "4DW: 0 inbound, 1 outbound, 2 outbound and inbound but CPL A, 3 outbound and inbound CPL A; 8DW: 1 "
        "outbound, "
        "2 inbound but CPL A, 3 inbound CPL A; all, the default, is everything, which no hardware does");
    add("format", text(options.format, "4dw|8dw"), "of the records, or 0 or 1; 8dw without this option");
    add("event", text(options.event, "WORD"),
        "filter, direction, type and format as the number that perf makes of them, instead of those options");
    add("duration", text(options.duration, "TIME"), "simulated time that is traced, as --run.duration");
    add("seed", text(options.seed, "N"), "start of all random numbers, as --run.seed");
    add("timeline", text(options.timeline, "EVENTS"), "what changes during the run, as --timeline.at");
    add("output,o", text(options.output, "FILE"), "write the trace into this file; - is the standard output");
    add("core", text(options.core, "N"),
        "core of the root complex, of eight root ports each, whose unit traces");
    add("buffer", text(options.buffer, "SIZE"),
        "of each of the four buffers of the ring, 4MiB without this option");
    add("reader-delay", text(options.reader_delay, "TIME"),
        "from the interrupt of a full buffer until the driver empties it, 0s without this option");
    add("tick", text(options.tick, "TIME"), "unit of the times in the records, 1ns without this option");
    add("list", po::bool_switch(&options.list),
        "print the names and numbers of filters instead of simulating");
    add("quiet,q", po::bool_switch(&options.quiet), "no progress and no summary");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    return description;
}

void print_help(std::ostream& out, const po::options_description& options, const config::Registry& registry) {
    out << "Usage: tlmetry trace record CONFIG.ini [MORE.ini ...] -o FILE [options]\n"
           "                            [--SECTION.KEY=VALUE ...]\n\n"
        << config::wrapped(
               "Simulates the card that CONFIG describes for run.duration behind run.warmup, and writes the "
               "headers "
               "of the TLPs on its links into FILE, as the PTT device of a HiSilicon root complex does. "
               "tlmetry "
               "trace decode reads it. See docs/trace.md.",
               "")
        << "\n"
        << config::options_text(options) << "\n"
        << config::wrapped(
               "Exit codes: 0 done, 2 a mistake in options, configuration or files, 3 internal error, 130 "
               "interrupted, after writing what there was.",
               "")
        << "\nSections of parameters (tlmetry help SECTION lists them):\n"
        << config::list_sections(registry);
}

template <class T>
T parse(const char* option, const std::string& text, const config::Kind<T>& kind) {
    const auto value = kind.parse(text);
    if (!value)
        throw UserError(std::string("option --") + option + ": expected " + kind.expected + ", found " +
                        config::found(text));
    return *value;
}

std::uint32_t parse_types(const std::string& text) {
    if (const auto number = parse_unsigned(text))
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(*number, 0xff));
    std::uint32_t types = 0;
    for (const std::string_view name : config::split_list(text)) {
        unsigned category = 0;
        while (category < tlp::categories && tlp::name_of(static_cast<tlp::Category>(category)) != name)
            ++category;
        if (category == tlp::categories)
            throw UserError("option --type: expected posted, non-posted or completion, or a number, found " +
                            config::found(name));
        types |= 1u << category;
    }
    return types;
}

ptt::TraceConfig trace_config(const Options& options, const ptt::TraceTargets& targets) {
    ptt::TraceConfig config;
    if (!options.event.empty()) {
        const auto word = parse_unsigned(options.event);
        if (!word)
            throw UserError("option --event: expected a number such as 0x107280001, found " +
                            config::found(options.event));
        config = ptt::read_trace_config(*word, "option --event");
        config.validate("option --event: ");
        targets.validate(config.filter, "option --event: filter");
        return config;
    }
    if (options.filter.empty()) {
        for (const ptt::TraceTargets::Target& target : targets.all())
            if (target.root_port) config.filter |= target.filter();
    } else {
        config.filter = targets.parse(options.filter, "option --filter");
        targets.validate(config.filter, "option --filter");
    }
    config.types = parse_types(options.type);
    config.format = parse("format", options.format,
                          config::choice<ptt::Format>({{"4dw", ptt::Format::four_dwords},
                                                       {"8dw", ptt::Format::eight_dwords},
                                                       {"0", ptt::Format::four_dwords},
                                                       {"1", ptt::Format::eight_dwords}}));
    config.both_directions = options.direction == "all";
    if (!config.both_directions) {
        const auto direction = parse_unsigned(options.direction);
        if (!direction || *direction > 0xf)
            throw UserError("option --direction: expected 0 to 3 or all, found " +
                            config::found(options.direction));
        config.direction = static_cast<std::uint32_t>(*direction);
    }
    config.validate("option --");
    return config;
}

void refuse_with_event(const po::variables_map& given) {
    if (given.count("event") == 0) return;
    for (const char* option : {"filter", "type", "direction", "format"}) {
        if (given.count(option) != 0)
            throw UserError(
                std::string("option --event: expected none of the fields that it holds with it, found --") +
                option + " too");
    }
}

std::string list(const ptt::TraceTargets& targets, std::uint32_t core) {
    std::string text = "hisi_ptt0_" + std::to_string(core) + "\n";
    for (const bool root_ports : {true, false}) {
        text += root_ports ? "root_port_filters\n" : "requester_filters\n";
        for (const ptt::TraceTargets::Target& target : targets.all()) {
            if (target.root_port != root_ports) continue;
            char number[16];
            std::snprintf(number, sizeof number, "0x%05x", target.filter());
            text += "  " + target.name() + "  " + number + "\n";
        }
    }
    return text;
}

std::string summary(const trace::Recorder& recorder) {
    const ptt::TraceDriver::Statistics& driver = recorder.statistics();
    const ptt::TraceUnit::Statistics& unit = recorder.unit_statistics();
    std::string text = std::to_string(unit.seen) + " TLPs on the links, " + std::to_string(unit.traced) +
                       " traced, " + std::to_string(driver.bytes) + " bytes written";
    if (driver.lost_bytes != 0) {
        text += "; the driver came too late " + std::to_string(driver.overruns) + " times, " +
                std::to_string(driver.lost_bytes) + " bytes were lost";
    }
    return text + "\n";
}

}  // namespace

int trace_record(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
    Options options;
    CardFile file;
    const po::options_description own = describe(options);
    config::CommandLine line = config::parse_command_line(words, own, file.registry());
    if (options.help) {
        print_help(out, own, file.registry());
        return exit_ok;
    }
    refuse_with_event(line.options);
    const device::SimulatedCard::Config card = load_traced_card(file, line, "trace record");
    const RunParameters& parameters = file.parameters();

    trace::Recorder::Config config;
    config.core = core_of(options.core, card);
    const ptt::TraceTargets targets = trace::targets_of(card, config.core);
    if (options.list) {
        out << list(targets, config.core);
        return exit_ok;
    }
    config.trace = trace_config(options, targets);
    config.buffer_bytes =
        parse<std::uint32_t>("buffer", options.buffer, config::power_of_two_size(64, 128 << 20));
    config.tick_fs = parse("tick", options.tick, config::time(fs_per_ps, fs_per_ms));
    config.reader_delay_fs = parse("reader-delay", options.reader_delay, config::time(0, fs_per_s));
    if (config.reader_delay_fs != 0 && config.reader_delay_fs < trace::Recorder::Config::least_delay_fs)
        throw UserError("option --reader-delay: expected 0s or at least 1us, found " + options.reader_delay);
    const time_fs duration = parameters.warmup_fs + parameters.duration_fs;
    const bool to_output = options.output == "-";
    if (options.output.empty()) throw UserError("option --output: expected a file for the trace, found none");
    if (to_output && isatty(STDOUT_FILENO) != 0)
        throw UserError("option --output: expected a file or a pipe for the trace, found a terminal");
    const OutputFile output("output", to_output ? "" : options.output);
    require_own_files(files_of(line.arguments, card.card),
                      {{"option --output", to_output ? "" : options.output}});

    device::SimulatedCard simulated(card);
    std::optional<OutputFile::Writer> writer;
    if (output.wanted()) writer.emplace(output);
    std::ostream& stream = writer ? writer->stream() : out;
    BlockWriter blocks(stream, config.buffer_bytes);
    std::array<std::uint8_t*, ptt::TraceDriver::buffers> ring{};
    for (std::uint8_t*& memory : ring)
        memory = blocks.take();
    trace::Recorder recorder(simulated, config, ring, [&blocks](std::uint8_t* data, std::size_t bytes) {
        blocks.write(data, bytes);
        return blocks.take();
    });

    const InterruptWatch watch;
    Progress progress(err, !options.quiet && stderr_is_terminal());
    const auto begin = std::chrono::steady_clock::now();
    const auto simulate = [&](time_fs until) {
        while (simulated.now() < until && !InterruptWatch::interrupted() && !blocks.failed()) {
            simulated.sleep(std::min(until - simulated.now(), fs_per_ms));
            if (progress.due()) {
                progress.show(simulation_progress(
                    simulated.now(), static_cast<double>(duration) / static_cast<double>(fs_per_s),
                    std::chrono::steady_clock::now() - begin));
            }
        }
    };
    simulate(parameters.warmup_fs);
    if (InterruptWatch::interrupted()) {
        progress.clear();
        err << "interrupted before the trace began\n";
        return exit_interrupted;
    }
    recorder.start();
    simulate(duration);
    recorder.stop();
    blocks.finish();
    progress.clear();
    if (writer)
        writer->finish(blocks.error());
    else
        stream.flush();
    if (!writer && !stream) throw UserError("option --output: the standard output cannot be written");
    if (!options.quiet) err << summary(recorder);
    if (!InterruptWatch::interrupted()) return exit_ok;
    err << "interrupted after " << format_time(simulated.now()) << " of simulated time\n";
    return exit_interrupted;
}

}  // namespace tlmetry::app
