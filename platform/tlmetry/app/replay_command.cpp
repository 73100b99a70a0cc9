// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/replay_command.hpp"

#include <tlmetry/app/application.hpp>
#include <tlmetry/app/generics_file.hpp>
#include <tlmetry/app/progress.hpp>
#include <tlmetry/app/telemetry_parameters.hpp>
#include <tlmetry/app/whole_recording.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/describe.hpp>
#include <tlmetry/config/ini.hpp>
#include <tlmetry/config/quantity.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/replay/player.hpp>
#include <tlmetry/replay/read_back.hpp>
#include <tlmetry/report/report.hpp>
#include <tlmetry/tool/register_file.hpp>

#include <boost/program_options/options_description.hpp>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ostream>

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
    po::options_description description("Options", 100);
    auto add = description.add_options();
    const auto text = [](std::string& variable, const char* name) {
        return po::value(&variable)->value_name(name);
    };
    add("params", text(options.params, "FILE.json"),
        "generics of the recorded component by their upper-case names");
    add("config,c", text(options.config, "FILE.ini"), "configuration file with parameters telemetry.*");
    add("map", text(options.map, "FILE"), "lines 'pin = name in the recording' for pins with other names");
    add("scope", text(options.scope, "PATH"), "scope of the recording in which the pins stand");
    add("sample", text(options.sample, "pre|post"),
        "whether an edge samples what a pin showed before its time stamp (pre, the default) or at it");
    add("json,j", po::bool_switch(&options.json), "print the raw values as JSON instead of the report");
    add("dump-registers", text(options.dump_registers, "FILE.json"),
        "also save registers and counters as a device for nfb-pcie-telemetry");
    add("quiet,q", po::bool_switch(&options.quiet), "print no summary, only the report and what is wrong");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    return description;
}

void print_help(std::ostream& out, const po::options_description& options, const config::Registry& registry) {
    out << "Usage: tlmetry replay WAVE [options]\n\n"
           "Plays WAVE, a VCD file, packed with gzip or not, or '-' for the standard input, into the "
           "telemetry\n"
           "model. Where it holds MI accesses, every answer is compared in value and cycle. Prints the "
           "report of\n"
           "the whole recording. Generics that nobody gives are read back from the recording's own register\n"
           "reads. See docs/recording.md.\n\n"
        << options
        << "\nExit codes: 0 all answers equal, 1 a difference, 2 a mistake in options or input, 130 "
           "interrupted.\n\n"
           "Parameters, their defaults and meaning (--NAME=VALUE):\n"
        << config::help_text(registry, "telemetry");
}

replay::Sample parse_sample(const std::string& text) {
    if (text == "pre") return replay::Sample::pre;
    if (text == "post") return replay::Sample::post;
    throw UserError("option --sample: expected pre or post, found " + config::found(text));
}

bool is_generic(const config::Parameter& parameter) {
    const auto key = parameter.key();
    const auto ends_with = [&](std::string_view end) {
        return key.size() > end.size() && key.substr(key.size() - end.size()) == end;
    };
    // The EOF_POS widths follow from the sizes of the regions; nothing depends on the name of the device.
    return key != "padding" && key != "device" && !ends_with("_clock") && !ends_with("_phase") &&
           !ends_with("_eof_pos_width");
}

std::vector<const config::Parameter*> open_generics(const config::Registry& registry) {
    std::vector<const config::Parameter*> result;
    for (const config::Parameter& parameter : registry.parameters()) {
        if (is_generic(parameter) && parameter.place.empty()) result.push_back(&parameter);
    }
    return result;
}

/// Takes generics that nobody gave from the recording, as far as it tells them.
void take_from_recording(config::Registry& registry, const std::string& recording,
                         const replay::PinSource& source, replay::Sample sample, std::ostream* log) {
    if (open_generics(registry).empty()) return;
    std::error_code error;
    const bool twice = std::filesystem::is_regular_file(recording, error);
    if (!twice && recording != "-" && !std::filesystem::exists(recording, error))
        return;  // opening it tells why
    if (!twice) {
        throw UserError(
            (recording == "-" ? "the standard input" : recording) +
            ": a stream cannot be read twice, so expected all generics (--params), found none for " +
            open_generics(registry).front()->name);
    }
    wave::VcdReader reader(wave::Input::open(recording));
    std::string names;
    const auto take = [&](const config::Assignment& value) {
        const config::Parameter& parameter = *registry.find(value.name);
        if (!parameter.place.empty()) return;
        registry.set(value);
        names += (names.empty() ? "" : ", ") + std::string(parameter.key()) + " = " + parameter.text();
    };
    for (const auto& value : replay::generics_of(replay::read_back(reader, source, sample), recording))
        take(value);
    if (const std::uint32_t endpoints = replay::count_endpoints(reader.header(), source)) {
        take({"telemetry.pcie_endpoints", std::to_string(endpoints),
              recording + ": number of endpoints with pins"});
    }
    if (log == nullptr) return;
    if (!names.empty()) *log << recording << ": generics from the recording: " << names << "\n";
    names.clear();
    for (const config::Parameter* parameter : open_generics(registry)) {
        names += (names.empty() ? "" : ", ") + std::string(parameter->key()) + " = " + parameter->text();
    }
    if (!names.empty())
        *log << recording << ": generics neither given nor told, so defaults: " << names << "\n";
}

/// EOF_POS widths that nobody gave follow from the sizes of the regions.
void derive_eof_pos_widths(const config::Registry& registry, telemetry::Config& c) {
    const auto derive = [&](const char* name, std::uint32_t& width, std::uint32_t one, std::uint32_t other) {
        if (registry.find(name)->place.empty())
            width = telemetry::clog2(std::max(one, other) / c.mfb_item_bytes);
    };
    derive("telemetry.pcie_eof_pos_width", c.pcie_eof_pos_width, c.pcie_rq_mfb_region_bytes,
           c.pcie_rc_mfb_region_bytes);
    derive("telemetry.dma_eof_pos_width", c.dma_eof_pos_width, c.dma_up_mfb_region_bytes,
           c.dma_down_mfb_region_bytes);
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
           " at " + config::format_quantity(difference.time, config::time_units) + ": expected " +
           answer(difference.expected) + " as recorded, found " + answer(difference.found) + " in the model";
}

volatile std::sig_atomic_t interrupted = 0;

/// While it lives, the first Ctrl-C sets `interrupted`; the second one ends the program.
class InterruptWatch {
public:
    InterruptWatch() {
        struct sigaction action = {};
        action.sa_handler = [](int) { interrupted = 1; };
        action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
        sigaction(SIGINT, &action, &m_before);
    }
    ~InterruptWatch() { sigaction(SIGINT, &m_before, nullptr); }
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

private:
    struct sigaction m_before = {};
};

std::string fixed(double value, int decimals) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

void play(replay::Player& player, const wave::VcdReader& reader, std::ostream& err) {
    const InterruptWatch watch;
    Progress progress(err, stderr_is_terminal());
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
        return interrupted == 0;
    });
    player.play();
}

void save_registers(const std::string& path, const WholeRecording& whole) {
    std::ofstream file(path, std::ios::binary);
    tool::write_register_file(file, tool::make_register_file(whole.configuration, whole.snapshots));
    file.close();
    if (!file) throw UserError("option --dump-registers: " + path + " cannot be written");
}

std::string list(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// What a reader of the report should know about the recording.
void print_notes(std::ostream& log, const std::string& recording, const replay::Player& player,
                 const telemetry::Config& component) {
    for (const std::string& warning : component.warnings())
        log << "warning: " << warning << "\n";
    std::vector<std::string> missing;
    for (const std::string& pin : player.missing_pins()) {
        if (player.has_traffic() || pin.compare(0, 3, "mi_") != 0) missing.push_back(pin);
    }
    if (!missing.empty())
        log << recording << ": not recorded, so zero all the time: " << list(missing) << "\n";
    if (!player.has_traffic()) log << recording << ": no MI bus recorded, so nothing to compare\n";
}

std::string summary(const replay::Player& player) {
    const std::string answers = std::to_string(player.answers_compared()) + " answers compared";
    if (player.difference()) return answers + ", the last one different";
    const std::string span =
        config::format_quantity(player.end_time() - player.first_time(), config::time_units) + " of " +
        std::to_string(player.telemetry().config().pcie_endpoints) + " endpoint(s)";
    const std::string compared = !player.has_traffic()   ? ""
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
        throw UserError("replay: expected one recording, found " +
                        (command_line.arguments.empty() ? "none" : list(command_line.arguments)) +
                        "; see tlmetry replay --help");
    }
    const std::string& recording = command_line.arguments.front();
    std::ostream* const log = options.quiet ? nullptr : &err;

    if (!options.config.empty()) config::load_ini(registry, options.config);
    if (!options.params.empty()) load_generics(registry, parameters.component, options.params);
    registry.set(command_line.parameters);
    const replay::Sample sample = parse_sample(options.sample);
    const replay::PinSource source{options.map.empty() ? replay::PinMap() : replay::read_pin_map(options.map),
                                   options.scope};
    take_from_recording(registry, recording, source, sample, log);
    derive_eof_pos_widths(registry, parameters.component);
    parameters.validate();

    wave::VcdReader reader(wave::Input::open(recording));
    replay::Player player(reader, parameters.component, source, sample,
                          {parameters.mi_clock(), parameters.dma_clock(), parameters.pcie_clocks()});
    if (log != nullptr) print_notes(*log, recording, player, parameters.component);
    play(player, reader, err);

    if (const auto& difference = player.difference()) {
        err << recording << ": " << describe(*difference, player.telemetry().layout()) << "\n";
    } else {
        const WholeRecording whole = read_out(player);
        if (!options.dump_registers.empty()) save_registers(options.dump_registers, whole);
        out << (options.json ? report::format_json : report::format_text)(whole.measurement);
    }
    if (log != nullptr) *log << recording << ": " << summary(player) << "\n";
    if (player.difference()) return exit_checks_failed;
    return player.played_to_the_end() ? exit_ok : exit_interrupted;
}

}  // namespace tlmetry::app
