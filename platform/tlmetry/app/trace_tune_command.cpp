// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/trace_tune_command.hpp"

#include <tlmetry/app/application.hpp>
#include <tlmetry/app/card_file.hpp>
#include <tlmetry/app/interrupt.hpp>
#include <tlmetry/app/trace_core.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/describe.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/ptt_driver/tune_driver.hpp>
#include <tlmetry/trace/tuned_run.hpp>

#include <boost/program_options/options_description.hpp>

#include <algorithm>
#include <ostream>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;

struct Options {
    std::vector<std::string> set;
    std::string core = "0";
    std::string duration;
    std::string seed;
    std::string timeline;
    bool json = false;
    bool help = false;
};

po::options_description describe(Options& options) {
    po::options_description description = config::own_options();
    auto add = description.add_options();
    add("set", po::value(&options.set)->composing()->value_name("EVENT=LEVEL"),
        "let the driver set this level, and compare; may be given again");
    add("core", po::value(&options.core)->value_name("N"),
        "core of the root complex, of eight root ports each, whose unit is meant");
    add("duration", po::value(&options.duration)->value_name("TIME"),
        "simulated time that is measured, as --run.duration");
    add("seed", po::value(&options.seed)->value_name("N"), "start of all random numbers, as --run.seed");
    add("timeline", po::value(&options.timeline)->value_name("EVENTS"),
        "what changes during the run, as --timeline.at");
    add("json,j", po::bool_switch(&options.json), "print JSON");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    return description;
}

void print_help(std::ostream& out, const po::options_description& options, const config::Registry& registry) {
    out << "Usage: tlmetry trace tune CONFIG.ini [MORE.ini ...] [options]\n"
           "                          [--SECTION.KEY=VALUE ...]\n\n"
        << config::wrapped(
               "Shows the levels of the root ports that the card of CONFIG is behind, as the PTT device of a "
               "HiSilicon "
               "root complex has them, and what the root ports do with them; with --set also what they do "
               "with "
               "others. See docs/trace.md.",
               "")
        << "\n"
        << config::options_text(options) << "\nEvents, levels 0 to 2:\n";
    for (const ptt::TuneEventName& event : ptt::tune_events) {
        const std::string name = event.name;
        out << "  " << name << std::string(20 - name.size(), ' ') << event.description << "\n";
    }
    out << "\n"
        << config::wrapped(
               "Exit codes: 0 done, 2 a mistake in options, configuration or files, 3 internal error, 130 "
               "interrupted.",
               "")
        << "\nSections of parameters (tlmetry help SECTION lists them):\n"
        << config::list_sections(registry);
}

trace::TuneSettings settings_of(const std::vector<std::string>& texts) {
    const std::string option = "option --set";
    trace::TuneSettings settings;
    for (const std::string& text : texts) {
        const std::size_t sign = text.find('=');
        if (sign == std::string::npos)
            throw UserError(option + ": expected EVENT=LEVEL such as qos_tx_p=2, found " +
                            config::found(text));
        const std::string name = text.substr(0, sign);
        const ptt::TuneEvent event = ptt::tune_event_named(name, option);
        settings[static_cast<std::size_t>(event)] =
            ptt::parse_level(text.substr(sign + 1), option + " " + name);
    }
    return settings;
}

}  // namespace

int trace_tune(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
    Options options;
    CardFile file;
    const po::options_description own = describe(options);
    config::CommandLine line = config::parse_command_line(words, own, file.registry());
    if (options.help) {
        print_help(out, own, file.registry());
        return exit_ok;
    }
    const device::SimulatedCard::Config card = load_traced_card(file, line, "trace tune");
    const RunParameters& parameters = file.parameters();
    const std::uint32_t core = core_of(options.core, card);
    const trace::TuneSettings settings = settings_of(options.set);
    if (parameters.duration_fs == 0) throw UserError("run.duration: expected above 0s, found 0s");

    const InterruptWatch watch;
    std::vector<trace::TunedRun> runs;
    try {
        const auto run = [&](const trace::TuneSettings& set) {
            runs.push_back(trace::run_tuned(card, core, set, parameters.warmup_fs, parameters.duration_fs,
                                            [] { return !InterruptWatch::interrupted(); }));
        };
        run({});
        if (std::any_of(settings.begin(), settings.end(),
                        [](const auto& level) { return level.has_value(); }))
            run(settings);
    } catch (const device::Interrupted&) {
        err << "interrupted: nothing has been measured\n";
        return exit_interrupted;
    }
    out << (options.json ? trace::tune_json(runs, core) : trace::tune_text(runs, core));
    return exit_ok;
}

}  // namespace tlmetry::app
