// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/app/application.hpp>
#include <tlmetry/app/serve_command.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/remote/remote_card.hpp>

#include <boost/program_options/options_description.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <ostream>
#include <string_view>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;

struct Options {
    bool json = false;
    bool help = false;
};

po::options_description describe(Options& options) {
    po::options_description description = config::own_options();
    auto add = description.add_options();
    add("json,j", po::bool_switch(&options.json), "print JSON");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    return description;
}

std::string text(const remote::PlatformStatus& status) {
    char buffer[600];
    std::snprintf(buffer, sizeof buffer,
                  "pace                    %s\n"
                  "reached of the pace     %.3f\n"
                  "simulated / host time   %.4g\n"
                  "simulated time          %.6f s\n"
                  "host time               %.6f s\n"
                  "simulated time lost     %.6f s\n"
                  "accesses                %llu, %llu of them refused\n",
                  config::printable(status.pace).c_str(), status.reached, status.ratio, status.simulated_s,
                  status.host_s, status.lost_s, static_cast<unsigned long long>(status.accesses),
                  static_cast<unsigned long long>(status.refused));
    return buffer + (status.failure.empty() ? "" : "failed: " + config::printable(status.failure) + "\n");
}

std::string json(const remote::PlatformStatus& status) {
    nlohmann::ordered_json result;
    result["schema"] = "tlmetry.status/1";
    result["pace"] = status.pace;
    result["reached"] = status.reached;
    result["ratio"] = status.ratio;
    result["simulated_s"] = status.simulated_s;
    result["host_s"] = status.host_s;
    result["lost_s"] = status.lost_s;
    result["accesses"] = status.accesses;
    result["refused"] = status.refused;
    result["failure"] = status.failure;
    // A file that has failed may have a name in another encoding.
    return result.dump(4, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

int status(const std::vector<std::string>& words, std::ostream& out, std::ostream&) {
    constexpr std::string_view prefix = "grpc:";
    Options options;
    const po::options_description own = describe(options);
    const config::CommandLine line = config::parse_command_line(words, own, {});
    if (options.help) {
        out << "Usage: tlmetry status grpc:HOST:PORT|grpc:unix:PATH [options]\n\n"
            << config::wrapped("Asks a platform that `tlmetry serve` runs how it keeps its pace.", "") << "\n"
            << config::options_text(own);
        return exit_ok;
    }
    const std::string device = line.arguments.empty() ? "" : line.arguments[0];
    if (line.arguments.size() > 1 || device.compare(0, prefix.size(), prefix) != 0 ||
        device.size() == prefix.size()) {
        throw UserError(
            "status: expected one device grpc:HOST:PORT or grpc:unix:PATH, found " +
            (line.arguments.size() > 1 ? std::to_string(line.arguments.size()) : config::found(device)));
    }
    const remote::PlatformStatus answer = remote::RemoteCard(device.substr(prefix.size())).status();
    out << (options.json ? json(answer) : text(answer));
    return exit_ok;
}

}  // namespace tlmetry::app
