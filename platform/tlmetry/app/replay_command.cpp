// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/replay_command.hpp"

#include <tlmetry/app/application.hpp>
#include <tlmetry/app/generics_file.hpp>
#include <tlmetry/app/interrupt.hpp>
#include <tlmetry/app/output_file.hpp>
#include <tlmetry/app/progress.hpp>
#include <tlmetry/app/recorded_generics.hpp>
#include <tlmetry/app/run_parameters.hpp>
#include <tlmetry/app/whole_recording.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/describe.hpp>
#include <tlmetry/config/ini.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/replay/player.hpp>
#include <tlmetry/report/report.hpp>
#include <tlmetry/tool/register_file.hpp>

#include <boost/program_options/options_description.hpp>

#include <cstdio>
#include <ostream>
#include <sstream>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;

struct Options {
    std::string recording;
    std::string params;
    std::string config;
    std::string map;
    std::string scope;
    std::string sample = "pre";
    std::string dump_registers;
    bool json = false;
    bool quiet = false;
    bool help = false;
};

po::options_description describe(Options& options) {
    po::options_description description = config::own_options();
    auto add = description.add_options();
    const auto text = [](std::string& variable, const char* name) {
        return po::value(&variable)->value_name(name);
    };
    add("params", text(options.params, "FILE.json"),
        "generics of the recorded component by their upper-case names");
    add("config,c", text(options.config, "FILE.ini"),
        "configuration file; replay uses its section telemetry");
    add("map", text(options.map, "FILE"), "lines 'pin = name in the recording' for pins with other names");
    add("scope", text(options.scope, "PATH"), "scope of the recording in which the pins stand");
    add("sample", text(options.sample, "pre|post"),
        "whether an edge samples what a pin showed before its time stamp (pre, the default) or at it");
    add("json,j", po::bool_switch(&options.json), "print the raw values as JSON instead of the report");
    add("dump-registers", text(options.dump_registers, "FILE.json"),
        "also save registers and counters as a device for nfb-pcie-telemetry");
    add("quiet,q", po::bool_switch(&options.quiet),
        "show no progress and no summary, only the report and what is wrong");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    return description;
}

void print_help(std::ostream& out, const po::options_description& options, const config::Registry& registry) {
    out << "Usage: tlmetry replay WAVE [options] [--telemetry.KEY=VALUE ...]\n\n"
        << config::wrapped(
               "Plays WAVE, a VCD file, packed with gzip or not, or '-' for the standard input, into the "
               "telemetry model. Where it holds MI accesses, every answer is compared in value and cycle. "
               "Without a difference, prints the report of the whole recording. Generics that nobody gives "
               "are read back from the recording's own register reads. See docs/recording.md.",
               "")
        << "\n"
        << config::options_text(options) << "\n"
        << config::wrapped(
               "Exit codes: 0 all answers equal, 1 a difference, 2 a mistake in options or files (also one "
               "that cannot be read or written), 3 internal error, 130 interrupted.",
               "")
        << "\nParameters, their defaults and meaning (--NAME=VALUE):\n"
        << config::help_text(registry, "telemetry");
}

replay::Sample parse_sample(const std::string& text) {
    if (text == "pre") return replay::Sample::pre;
    if (text == "post") return replay::Sample::post;
    throw UserError("option --sample: expected pre or post, found " + config::found(text));
}

std::string hex(std::uint32_t value, int digits) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%0*x", digits, value);
    return text;
}

/// An address with the register behind it: `0x0084 (PCIE_TAGS of endpoint 1)`.
std::string describe_address(std::uint32_t address, const telemetry::Layout& layout) {
    std::string text = hex(address, 4);
    if ((address & regs::counter_window) != 0) {
        const std::uint32_t entry = address / regs::counter_bytes % layout.entries;
        const std::uint32_t channel = entry % layout.channels_per_endpoint;
        const bool pcie = channel < layout.pcie.channels;
        return text + " (" + (address % regs::counter_bytes < 4 ? "low" : "high") + " word of counter " +
               std::to_string(entry) + ": endpoint " + std::to_string(entry / layout.channels_per_endpoint) +
               (pcie ? ", PCIe" : ", DMA") + " clock probe, channel " +
               std::to_string(pcie ? channel : channel - layout.pcie.channels) + ")";
    }
    const std::uint32_t offset = address % regs::registers_end & ~3u;
    const regs::Register* const reg = regs::find_register(offset);
    if (reg == nullptr) return text + " (reserved)";
    text += " (" + std::string(reg->name);
    if (reg->count > 1) text += " of endpoint " + std::to_string((offset - reg->offset) / reg->stride);
    return text + ")";
}

std::string describe(const replay::Difference& difference, const telemetry::Layout& layout) {
    const auto answer = [](const std::optional<std::uint32_t>& value) {
        return value ? hex(*value, 8) : std::string("no answer (DRDY = 0)");
    };
    return (difference.address ? "read of " + describe_address(*difference.address, layout) : "no read") +
           " at " + format_quantity(difference.time, time_units) + ": expected " +
           answer(difference.expected) + " as recorded, found " + answer(difference.found) + " in the model";
}

std::string fixed(double value, int decimals) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

void play(replay::Player& player, const wave::VcdReader& reader, bool quiet, std::ostream& err) {
    const InterruptWatch watch;
    Progress progress(err, !quiet && stderr_is_terminal());
    player.on_progress([&] {
        if (progress.due()) {
            std::string text;
            if (const auto total = reader.total_bytes(); total != 0) {
                text =
                    fixed(100.0 * static_cast<double>(reader.consumed_bytes()) / static_cast<double>(total),
                          0) +
                    " %, ";
            }
            progress.show(text + fixed(static_cast<double>(reader.time()) / 1e9, 1) + " us");
        }
        return !InterruptWatch::interrupted();
    });
    player.play();
}

std::string registers_text(const WholeRecording& whole) {
    std::ostringstream text;
    tool::write_register_file(text, tool::make_register_file(whole.configuration, whole.snapshots));
    return text.str();
}

/// Sets the parameters telemetry.* of a configuration of `tlmetry run`. The others only have to be right.
void load_telemetry_section(config::Registry& registry, const std::string& path) {
    RunParameters all;
    config::Registry known;
    all.bind(known);
    for (const config::Assignment& assignment : config::read_ini(path)) {
        known.set(assignment);
        if (registry.find(assignment.name)) registry.set(assignment);
    }
}

/// What a reader of the report should know about the recording.
void add_notes(const replay::Player& player, std::vector<std::string>& notes) {
    for (const std::string& warning : player.telemetry().config().warnings())
        notes.push_back("warning: " + warning);
    std::vector<std::string> missing;
    for (const std::string& pin : player.missing_pins()) {
        if (player.has_traffic() || pin.compare(0, 3, "mi_") != 0) missing.push_back(pin);
    }
    if (!missing.empty())
        notes.push_back("not recorded, so zero all the time:" + config::wrapped_list(missing));
}

std::string summary(const replay::Player& player) {
    const std::string answers = std::to_string(player.answers_compared()) +
                                (player.answers_compared() == 1 ? " answer" : " answers") + " compared";
    if (player.difference()) return answers + " up to the first difference";
    const std::string span = format_quantity(player.end_time() - player.first_time(), time_units) + " of " +
                             std::to_string(player.telemetry().config().pcie_endpoints) + " endpoint(s)";
    const std::string compared = !player.has_traffic()   ? "no MI bus recorded, "
                                 : !player.has_answers() ? "no answers recorded, "
                                                         : answers + ", all equal, ";
    return compared + span + " played" + (player.played_to_the_end() ? "" : " until interrupted");
}

}  // namespace

int replay(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
    Options options;
    TelemetryParameters parameters;
    config::Registry registry;
    parameters.bind(registry);
    const po::options_description own = describe(options);
    const config::CommandLine command_line = config::parse_command_line(words, own, registry);
    if (options.help) {
        print_help(out, own, registry);
        return exit_ok;
    }
    if (command_line.arguments.size() != 1) {
        throw UserError(
            "replay: expected one recording, found " +
            (command_line.arguments.empty() ? "none" : std::to_string(command_line.arguments.size())) +
            "; see tlmetry replay --help");
    }
    const std::string& recording = command_line.arguments.front();
    if (!options.config.empty()) load_telemetry_section(registry, options.config);
    if (!options.params.empty()) load_generics(registry, parameters.component, options.params);
    registry.set(command_line.parameters);
    const replay::Sample sample = parse_sample(options.sample);
    const replay::PinSource source{options.map.empty() ? replay::PinMap() : replay::read_pin_map(options.map),
                                   options.scope};
    const OutputFile registers("dump-registers", options.dump_registers);
    require_own_files({{"the recording", recording},
                       {"option --params", options.params},
                       {"option --config", options.config},
                       {"option --map", options.map}},
                      {{"option --dump-registers", options.dump_registers}});
    std::vector<std::string> notes =
        complete_generics(registry, parameters.component, recording, source, sample);
    parameters.validate();

    wave::VcdReader reader(wave::Input::open(recording));
    replay::Player player(reader, parameters.component, source, sample,
                          {parameters.mi_clock(), parameters.dma_clock(), parameters.pcie_clocks()});
    play(player, reader, options.quiet, err);

    if (!player.difference()) {
        const WholeRecording whole = read_out(player);
        out << (options.json ? report::format_json : report::format_text)(whole.measurement) << std::flush;
        if (registers.wanted()) registers.save(registers_text(whole));
    }
    const auto say = [&](const std::string& text) { err << recording << ": " << text << "\n"; };
    if (!options.quiet) {
        add_notes(player, notes);
        for (const std::string& note : notes)
            say(note);
    }
    if (const auto& difference = player.difference()) say(describe(*difference, player.telemetry().layout()));
    if (!options.quiet) say(summary(player));
    if (player.difference()) return exit_checks_failed;
    return player.played_to_the_end() ? exit_ok : exit_interrupted;
}

}  // namespace tlmetry::app
