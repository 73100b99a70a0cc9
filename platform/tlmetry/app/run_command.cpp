// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/run_command.hpp"

#include <tlmetry/app/access_options.hpp>
#include <tlmetry/app/account_options.hpp>
#include <tlmetry/app/application.hpp>
#include <tlmetry/app/card_file.hpp>
#include <tlmetry/app/interrupt.hpp>
#include <tlmetry/app/output_file.hpp>
#include <tlmetry/app/pin_options.hpp>
#include <tlmetry/app/platform_config.hpp>
#include <tlmetry/app/progress.hpp>
#include <tlmetry/app/register_listing.hpp>
#include <tlmetry/app/run_parameters.hpp>
#include <tlmetry/app/run_statistics.hpp>
#include <tlmetry/app/software_options.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/describe.hpp>
#include <tlmetry/config/ini.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/device/driver_bus.hpp>
#include <tlmetry/systemc/time.hpp>
#include <tlmetry/tool/register_file.hpp>
#include <tlmetry/tool/run.hpp>

#include <boost/program_options/options_description.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <utility>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;

// Nobody but the user can end a program that does not look at what its accesses return.
constexpr const char* interrupt_hint =
    "tlmetry: the run ends when the software does, whose accesses and sleeps fail from now on; Ctrl-C again "
    "ends it at once\n";

struct Options {
    std::string dump_registers;
    std::string stats;
    PinOptions pins;
    SoftwareOptions software;
    AccessOptions accesses;
    AccountOptions account;
    bool json = false;
    bool dump_config = false;
    bool list_registers = false;
    bool quiet = false;
    bool help = false;
};

po::options_description describe(Options& options) {
    po::options_description description = config::own_options();
    auto add = description.add_options();
    const auto text = [](std::string& variable, const char* name) {
        return po::value(&variable)->value_name(name);
    };
    add("duration", po::value<std::string>()->value_name("TIME"),
        "simulated time that the report covers, as --run.duration");
    add("seed", po::value<std::string>()->value_name("N"), "seed of everything random, as --run.seed");
    add("timeline", po::value<std::string>()->value_name("LIST"),
        "what changes during the run, as --timeline.at");
    add("json,j", po::bool_switch(&options.json),
        "print JSON: of the report, the configuration or the register map");
    add("dump-registers", text(options.dump_registers, "FILE.json"),
        "also save registers and counters as a device for nfb-pcie-telemetry");
    add("stats", text(options.stats, "FILE.json"),
        "also save statistics of the simulation; - prints them behind the report");
    options.account.add_to(description);
    options.pins.add_to(description);
    options.software.add_to(description);
    options.accesses.add_to(description);
    add("dump-config", po::bool_switch(&options.dump_config),
        "print the complete configuration instead of simulating it");
    add("list-registers", po::bool_switch(&options.list_registers),
        "print the register map of the component instead of simulating");
    add("quiet,q", po::bool_switch(&options.quiet), "show no progress (which appears on a terminal only)");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    return description;
}

/// What to do instead of a simulation is one thing, and saves nothing of a simulation.
void refuse_contradictions(const Options& options) {
    if (options.json && options.stats == "-") {
        throw UserError(
            "option --stats: expected a file with --json, of which standard output has the report, found -");
    }
    options.software.validate();
    options.account.validate(options.json, options.software.tool());
    if (!options.software.tool() && (options.json || !options.dump_registers.empty())) {
        throw UserError(std::string("option ") + (options.json ? "--json" : "--dump-registers") +
                        ": expected the telemetry tool to run, found " + options.software.option());
    }
    if (options.dump_config && options.list_registers) {
        throw UserError("options --dump-config and --list-registers: expected one of them");
    }
    if (!options.dump_config && !options.list_registers) return;
    const std::string instead = options.dump_config ? "--dump-config" : "--list-registers";
    if (options.account.wanted())
        throw UserError("option " + options.account.option() + ": nothing is simulated with " + instead);
    for (const auto& [option, file] :
         {std::pair("--dump-registers", options.dump_registers), std::pair("--stats", options.stats),
          std::pair("--wave", options.pins.wave),
          std::pair("--record-accesses", options.accesses.record_file()),
          std::pair("--log-accesses", options.accesses.log_file())}) {
        if (!file.empty())
            throw UserError(std::string("option ") + option + ": nothing is simulated with " + instead);
    }
}

void print_help(std::ostream& out, const po::options_description& options, const config::Registry& registry) {
    out << "Usage: tlmetry run CONFIG.ini [MORE.ini ...] [options]\n"
           "                   [--SECTION.KEY=VALUE ...]\n\n"
        << config::wrapped(
               "Simulates the platform that CONFIG describes, runs the telemetry tool on it and prints the "
               "tool's report, whose table of the buses needs 125 columns. Later files and options win over "
               "earlier files. See docs/running.md.",
               "")
        << "\n"
        << config::options_text(options) << "\n"
        << config::wrapped(
               "Exit codes: 0 done, 1 a difference that --check-pins or --play-accesses found or what "
               "--software says is wrong, 2 a mistake in options, "
               "configuration or files (also one that cannot be "
               "read or written), 3 internal error, 130 interrupted.",
               "")
        << "\nSections of parameters (tlmetry help SECTION lists them):\n"
        << config::list_sections(registry);
}

/// What a run takes in simulated time, in seconds: its sleeps, and about what the accesses of the software
/// take.
struct Length {
    double sleeps = 0;
    std::uint64_t accesses = 0;
    double software = 0;

    double all() const { return sleeps + software; }
};

double to_seconds(time_fs t) {
    return static_cast<double>(t) / static_cast<double>(fs_per_s);
}

Length length_of(const RunParameters& parameters, const platform::Platform::Config& config) {
    constexpr double snapshots = 2;
    constexpr double cycles_of_access = 3;
    constexpr double cycles_of_snapshot = 2;  // of a counter
    const double counters = telemetry::Layout(config.telemetry.generics).entries;
    const double cycle = to_seconds(config.telemetry.clocks.mi.period_fs());
    Length length;
    length.sleeps = to_seconds(parameters.warmup_fs + parameters.duration_fs);
    length.accesses = static_cast<std::uint64_t>(snapshots * 2 * counters);
    length.software =
        static_cast<double>(length.accesses) *
            (to_seconds(config.bus.request.fs + config.bus.completion.fs) + cycles_of_access * cycle) +
        snapshots * cycles_of_snapshot * counters * cycle;
    return length;
}

/// Three digits of it.
std::string about(double seconds) {
    if (seconds > to_seconds(never)) return std::to_string(std::llround(seconds)) + "s";
    const double digit = std::pow(10, std::floor(std::log10(std::max(seconds, 1e-13))) - 2);
    return format_time(std::llround(std::round(seconds / digit) * digit * 1e15));
}

/// A run that seems to have no end says so before it begins.
void warn_of_long_run(const RunParameters& parameters, const Length& length, std::ostream& err) {
    constexpr double long_run = 1;
    const std::string parts = about(length.sleeps) + " of run.warmup and run.duration, " +
                              about(length.software) + " of some " + std::to_string(length.accesses) +
                              " accesses of the software (mi.request_latency, mi.completion_latency, "
                              "telemetry.mi_clock)";
    if (length.all() > to_seconds(device::end_of_time)) {
        throw UserError("the run: expected at most " + about(to_seconds(device::end_of_time)) +
                        " of simulated time, found about " + about(length.all()) + ": " + parts);
    }
    if (length.all() < long_run || parameters.traffic.kind == TrafficKind::idle) return;
    err << "warning: the run takes about " << about(length.all()) << " of simulated time: " << parts
        << "; a second with traffic can take a minute\n";
}

/// Counters are read out in steps of telemetry.drain_period, so a short interval says little.
void warn_of_short_interval(const RunParameters& parameters, std::ostream& err) {
    constexpr time_fs enough_steps = 4;
    const TelemetryParameters& telemetry = parameters.telemetry;
    time_fs slowest = telemetry.dma_clock_fs;
    for (const time_fs period : telemetry.pcie_clock_fs)
        slowest = std::max(slowest, period);
    const time_fs step = telemetry.component.drain_period * slowest;
    if (parameters.duration_fs == 0 || parameters.duration_fs / enough_steps >= step) return;
    const auto text = [](time_fs t) { return format_quantity(t, time_units); };
    err << "warning: run.duration = " << text(parameters.duration_fs) << " is shorter than " << enough_steps
        << " read-outs of the counters, one in " << text(step)
        << ": rates and clocks of the report can be far off\n";
}

/// Tells what the card has to say at the end, and the exit code with it.
int check_card(const platform::Platform& platform, std::ostream& err, int code) {
    const card::Card* card = platform.card();
    if (card == nullptr) return code;
    for (std::uint32_t e = 0; e < card->endpoints(); ++e) {
        const std::uint64_t lost = card->endpoint(e).statistics().completions_lost;
        if (lost != 0) {
            err << "warning: endpoint " << e << " lost " << lost
                << " completions that its PCIe core had no room for (ptc.completion_buffer_headers): with "
                   "ptc.completion_headers reads ask for no more than it holds\n";
        }
        const std::uint64_t malformed = card->endpoint(e).statistics().malformed;
        if (malformed == 0) continue;
        err << "warning: endpoint " << e << " sent " << malformed
            << " malformed requests, beyond MPS, MRRS or a 4 KiB boundary: the root port drops them\n";
    }
    const std::string unbalanced = card->unbalanced();
    if (unbalanced.empty()) return code;
    err << "tlmetry: the simulation lost something: " << unbalanced << "\n";
    return exit_internal;
}

/// No result replaces another one, or what it comes from.
void require_own_files(const Options& options, const card::Config& card,
                       const std::vector<std::string>& configurations) {
    std::vector<NamedFile> read = files_of(configurations, card);
    read.push_back({"option --play-accesses", options.software.played_file()});
    std::vector<NamedFile> written = {{"option --stats", options.stats == "-" ? "" : options.stats},
                                      {"option --dump-registers", options.dump_registers},
                                      {"option --wave", options.pins.wave},
                                      {"option --wave", options.pins.generics_file()},
                                      {"option --record-accesses", options.accesses.record_file()},
                                      {"option --log-accesses", options.accesses.log_file()}};
    for (NamedFile& file : options.account.outputs())
        written.push_back(std::move(file));
    app::require_own_files(read, written);
}

int simulate(const Options& options, const RunParameters& parameters,
             const std::vector<std::string>& configurations, std::ostream& out, std::ostream& err) {
    use_fs_resolution();
    const platform::Platform::Config config = platform_config(parameters);
    require_own_files(options, config.card, configurations);
    for (const std::string& warning : parameters.telemetry.component.warnings())
        err << "warning: " << warning << "\n";
    const Length length = length_of(parameters, config);
    if (options.software.tool()) {
        warn_of_short_interval(parameters, err);
        warn_of_long_run(parameters, length, err);
    }

    tool::ToolOptions tool_options;
    tool_options.interval = to_seconds(parameters.duration_fs);
    tool_options.json = options.json;
    const OutputFile registers("dump-registers", options.dump_registers);
    const bool print_statistics = options.stats == "-";
    const device::SimulatedCard::Config card_config = parameters.card_config();
    RunAccount account(options.account, parameters, card_config);
    const OutputFile statistics_file("stats", print_statistics ? "" : options.stats);
    Progress progress(err, !options.quiet && options.software.tool() && stderr_is_terminal());
    std::ostringstream measured_registers;
    std::optional<driver::Measurement> telemetry;
    const auto keep = [&](const driver::RegisterValues& configuration, const driver::Recording& recording) {
        progress.clear();  // the report is printed next
        telemetry = driver::evaluate(driver::Layout(configuration, "simulated telemetry"), recording);
        tool::write_register_file(measured_registers, tool::make_register_file(configuration, recording));
    };
    int code = exit_ok;
    bool measured = false;
    std::ostringstream complaint;
    SoftwareOptions::Software software = [&](device::CardAccess& card) {
        device::DriverBus bus(card, "simulated telemetry");
        device::DriverClock clock(card);
        return tool::run_tool("tlmetry", tool_options, bus, clock, out, complaint, keep);
    };
    if (!options.software.tool())
        software = options.software.load(parameters.card_config(), parameters.shape, out, err);
    const auto recording = options.accesses.open_recording();
    std::unique_ptr<device::AccessLog> log;
    platform::Platform platform("platform", config, [&](device::CardAccess& bus) {
        bus.sleep(parameters.warmup_fs);
        measured = !InterruptWatch::interrupted();
        if (!measured) return;
        device::CardAccess* card = &bus;
        std::optional<device::LoggedCard> logged;
        if (log != nullptr) card = &logged.emplace(*card, *log);
        std::optional<device::RecordedCard> recorded;
        if (recording != nullptr) card = &recorded.emplace(*card, *recording);
        if (options.account.wanted()) account.start(*platform.card(), bus.now());
        code = software(*card);
        if (options.account.wanted()) account.finish(bus.now());
    });
    log = options.accesses.open_log(config.telemetry.clocks.mi);
    if (log != nullptr) platform.on_access([&](const mi::MiAccess& access) { log->access(access); });

    pins::PinWatch::Config pin_config = options.pins.config();
    // Operations that nobody splits may be longer than is legal, to see what becomes of them.
    const auto& traffic = config.card.traffic;
    if (std::all_of(traffic.begin(), traffic.end(), [](const generator::Config& c) { return c.split; }))
        pin_config.mps_bytes = config.card.link.mps_bytes;
    pins::PinWatch pin_watch(pin_config, platform);
    options.pins.save_generics(parameters.telemetry);

    const InterruptWatch watch(options.software.tool() ? "" : interrupt_hint);
    const auto start = std::chrono::steady_clock::now();
    platform.on_sleep([&](time_fs now) {
        if (progress.due())
            progress.show(simulation_progress(now, length.all(), std::chrono::steady_clock::now() - start));
        return !InterruptWatch::interrupted();
    });
    platform.run();
    pin_watch.finish();
    if (log != nullptr) log->finish();
    progress.clear();
    if (pin_config.wave && pin_config.wave->from >= kernel_now()) {
        err << "warning: --wave-from = " << format_time(pin_config.wave->from)
            << " is not before the end of the run, " << format_time(kernel_now())
            << ": the waveform shows nothing\n";
    }
    err << complaint.str();
    if (const pins::PinCheck* check = pin_watch.check()) {
        if (!check->difference().empty()) {
            err << "check-pins: " << check->difference() << "\n";
            if (code == exit_ok) code = exit_checks_failed;
        }
        if (!options.quiet) err << "check-pins: " << check->summary() << "\n";
    }
    code = check_card(platform, err, code);
    // An output that cannot be written costs none of the others.
    const auto save = [&](const OutputFile& file, const std::string& text) {
        const std::string failure = file.try_save(text);
        if (failure.empty()) return;
        err << "tlmetry: " << failure << "\n";
        code = exit_usage;
    };
    // Nothing measured, nothing to save.
    if (registers.wanted() && measured_registers.tellp() > 0) save(registers, measured_registers.str());
    if (statistics_file.wanted())
        save(statistics_file, statistics_json(statistics(platform), parameters.seed, kernel_now()));
    const std::string broken = account.report(telemetry ? &*telemetry : nullptr, out, save);
    if (!broken.empty()) {
        err << "tlmetry: the accounts do not balance: " << broken << "\n";
        code = exit_internal;
    }
    if (print_statistics) out << "\n" << statistics_text(statistics(platform));
    if (code != exit_ok || !InterruptWatch::interrupted()) return code;
    err << "interrupted after " << format_quantity(kernel_now(), time_units) << " of simulated time"
        << (!measured                 ? ", before the software began"
            : options.software.tool() ? ", which the report covers"
                                      : "")
        << "\n";
    return exit_interrupted;
}

}  // namespace

int run(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
    Options options;
    RunParameters parameters;
    config::Registry registry;
    parameters.bind(registry);
    const po::options_description own = describe(options);
    config::CommandLine command_line = config::parse_command_line(words, own, registry);
    if (options.help) {
        print_help(out, own, registry);
        return exit_ok;
    }
    refuse_contradictions(options);
    if (options.list_registers) {
        out << (options.json ? list_registers_json() : list_registers());
        return exit_ok;
    }
    // Each file is read once: it may be a pipe.
    std::vector<config::Assignment> given;
    for (const std::string& file : command_line.arguments) {
        for (config::Assignment& assignment : config::read_ini(file))
            given.push_back(std::move(assignment));
    }
    command_line.add_short("seed", "run.seed");
    command_line.add_short("duration", "run.duration");
    command_line.add_short("timeline", "timeline.at");
    given.insert(given.end(), command_line.parameters.begin(), command_line.parameters.end());
    registry.set(given);
    // An option without its value may have taken the file for one: then that is said above.
    if (command_line.arguments.empty() && !options.dump_config) {
        throw UserError("run: expected a configuration file, found none; see tlmetry run --help");
    }
    parameters.complete(registry);
    options.account.prepare([&](const std::vector<config::Assignment>& changes) {
        RunParameters changed;
        config::Registry changed_registry;
        changed.bind(changed_registry);
        changed_registry.set(given);
        changed_registry.set(changes);
        changed.complete(changed_registry);
        return changed;
    });
    if (options.dump_config) {
        platform_config(parameters);  // refuses what could not be simulated
        out << (options.json ? config::dump_json(registry) : config::dump_ini(registry));
        return exit_ok;
    }
    return simulate(options, parameters, command_line.arguments, out, err);
}

}  // namespace tlmetry::app
