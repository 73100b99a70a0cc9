// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/serve_command.hpp"

#include <tlmetry/app/access_options.hpp>
#include <tlmetry/app/application.hpp>
#include <tlmetry/app/card_file.hpp>
#include <tlmetry/app/output_file.hpp>
#include <tlmetry/app/pace_options.hpp>
#include <tlmetry/app/slowness_log.hpp>
#include <tlmetry/app/stop_signals.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/describe.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/device/device_tree.hpp>
#include <tlmetry/device/shared_card.hpp>
#include <tlmetry/device/simulated_card.hpp>
#include <tlmetry/remote/address.hpp>
#include <tlmetry/serve/nfb_server.hpp>

#include <boost/program_options/options_description.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ostream>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;

constexpr const char* default_address = "127.0.0.1:50051";

struct Options {
    std::string listen = default_address;
    PaceOptions pace;
    AccessOptions accesses;
    bool quiet = false;
    bool help = false;
};

po::options_description describe(Options& options) {
    po::options_description description = config::own_options();
    auto add = description.add_options();
    add("listen,l", po::value(&options.listen)->value_name("ADDRESS[,...]"),
        "where clients reach it: HOST:PORT, port 0 for any, or unix:PATH (default: 127.0.0.1:50051)");
    options.pace.add_to(description);
    options.accesses.add_to(description);
    add("quiet,q", po::bool_switch(&options.quiet), "log nothing but errors");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    return description;
}

void print_help(std::ostream& out, const po::options_description& options, const config::Registry& registry) {
    out << "Usage: tlmetry serve CONFIG.ini [MORE.ini ...] [options]\n"
           "                     [--SECTION.KEY=VALUE ...]\n\n"
        << config::wrapped(
               "Is the card that CONFIG describes for software in other processes, until Ctrl-C, SIGTERM or "
               "SIGHUP. "
               "Prints the devices that clients open, one a line, once they can. See "
               "docs/driver-development.md.",
               "")
        << "\n"
        << config::options_text(options) << "\n"
        << config::wrapped(
               "Ctrl-C, SIGTERM or SIGHUP ends it within about a second: calls that have begun are answered, "
               "those that wait or take longer with UNAVAILABLE. Another signal meanwhile changes nothing. "
               "During "
               "run.warmup, before devices are printed, a signal ends it at once.",
               "")
        << "\n"
        << config::wrapped(
               "Exit codes: 0 ended by a signal, 2 a mistake in options, configuration or files, 3 internal "
               "error.",
               "")
        << "\nSections of parameters (tlmetry help SECTION lists them):\n"
        << config::list_sections(registry);
}

std::vector<std::string> split_addresses(const std::string& list) {
    std::vector<std::string> addresses;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        addresses.push_back(list.substr(begin, end - begin));
        remote::check_address(addresses.back(), remote::Use::listen, "option --listen");
        begin = end + 1;
    }
    return addresses;
}

/// No result replaces a configuration, or another one.
void require_own_files(const Options& options, const std::vector<std::string>& configurations,
                       const card::Config& card) {
    app::require_own_files(files_of(configurations, card),
                           {{"option --record-accesses", options.accesses.record_file()},
                            {"option --log-accesses", options.accesses.log_file()}});
}

/// Says that there are no file descriptors for more clients: once, until it has been better for a second.
class RefusedClients {
public:
    explicit RefusedClients(std::ostream& out) : m_out(out) {}

    /// To be called about once a second.
    void look(std::uint64_t refused) {
        if (refused != m_refused && !m_refusing) {
            m_out << "warning: no file descriptors are left for more clients (ulimit -n): they are refused "
                     "until "
                     "others have gone\n"
                  << std::flush;
        }
        m_refusing = refused != m_refused;
        m_refused = refused;
    }

private:
    std::ostream& m_out;
    std::uint64_t m_refused = 0;
    bool m_refusing = false;
};

/// As many clients as the system allows.
void raise_descriptor_limit() {
    rlimit limit = {};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

int serve_card(const Options& options, const RunParameters& parameters, std::ostream& out,
               std::ostream& err) {
    raise_descriptor_limit();
    const std::vector<std::string> addresses = split_addresses(options.listen);
    serve::require_usable(addresses);
    const device::Pacer::Config pace = options.pace.config();
    device::SimulatedCard card(parameters.card_config());
    card.sleep(parameters.warmup_fs);
    // Behind the warm-up, which may be long and leaves nothing behind; in front of all threads, which inherit
    // what is blocked, and of all files, which are complete at the end.
    StopSignals signals;
    const auto recording = options.accesses.open_recording();
    std::optional<device::RecordedCard> recorded;
    if (recording != nullptr) recorded.emplace(card, *recording);
    const auto log = options.accesses.open_log(card.config().clocks.mi);
    if (log != nullptr) card.on_access([&](const mi::MiAccess& access) { log->access(access); });

    device::SharedCard shared(recorded ? static_cast<device::CardAccess&>(*recorded) : card, pace);
    serve::NfbServer server(shared, device::device_tree(card.config(), parameters.shape), addresses);
    for (const serve::NfbServer::Address& address : server.addresses()) {
        if (!address.local)
            err << "warning: " << address.text
                << " may be reached from other machines, and the service has no authentication\n";
        out << "grpc:" << address.text << "\n";
    }
    out.flush();
    if (!options.quiet) {
        const bool free_run = pace.kind == device::Pacer::Kind::free_run;
        err << "serving " << (free_run ? "" : "at the pace of ") << pace.text() << "\n" << std::flush;
    }

    SlownessLog slowness(err);
    RefusedClients refused(err);
    device::SharedCard::Status status;
    while (status.failure.empty() && !signals.wait_s(1)) {
        status = shared.status();
        if (!options.quiet) slowness.look(status);
        refused.look(server.refused_clients());
    }
    bool failed = false;
    // Before the server ends, which takes its time; and what fails meanwhile is told, too.
    const auto tell_failure = [&] {
        const std::string failure = shared.status().failure;
        if (!failed && !failure.empty())
            err << "tlmetry: the simulation cannot go on: " << config::printable(failure) << "\n"
                << std::flush;
        failed = !failure.empty();
    };
    tell_failure();
    if (!options.quiet) err << "stopping\n" << std::flush;
    server.stop();
    tell_failure();
    if (log != nullptr) log->finish();
    return failed ? exit_usage : exit_ok;
}

}  // namespace

int serve(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
    Options options;
    CardFile file;
    const po::options_description own = describe(options);
    const config::CommandLine line = config::parse_command_line(words, own, file.registry());
    if (options.help) {
        print_help(out, own, file.registry());
        return exit_ok;
    }
    if (line.arguments.empty())
        throw UserError("serve: expected a configuration file, found none; see tlmetry serve --help");
    file.load(line.arguments, line.parameters);
    require_own_files(options, line.arguments, file.parameters().card_config().card);
    return serve_card(options, file.parameters(), out, err);
}

}  // namespace tlmetry::app
