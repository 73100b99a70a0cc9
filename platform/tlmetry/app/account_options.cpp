// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/account_options.hpp"

#include <tlmetry/base/error.hpp>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;

const std::string standard_output = "-";

std::string file_of(const std::string& option) {
    return option == standard_output ? "" : option;
}

}  // namespace

void AccountOptions::add_to(po::options_description& description) {
    auto add = description.add_options();
    const auto value = [](std::string& variable) {
        return po::value(&variable)->implicit_value(standard_output)->value_name("FILE.json");
    };
    add("account", value(m_account),
        "also tell where the bandwidth went: factors from the ceiling to the useful rate, counted and "
        "calculated; =FILE.json saves it instead");
    add("latency", value(m_latency),
        "also tell how long reads took, idle and in this run, by stage and percentile; =FILE.json saves it "
        "instead");
    m_what_if.add_to(description);
}

void AccountOptions::validate(bool json) const {
    for (const auto& [option, file] :
         {std::pair("--account", m_account), std::pair("--latency", m_latency)}) {
        if (json && file == standard_output) {
            throw UserError(std::string("option ") + option + ": expected " + option +
                            "=FILE.json with --json, of which standard output has the report, found no file");
        }
    }
    if (json && m_what_if.wanted())
        throw UserError(
            "option --what-if: expected no --json, of which standard output has the report, found it");
}

std::vector<NamedFile> AccountOptions::outputs() const {
    return {{"option --account", file_of(m_account)}, {"option --latency", file_of(m_latency)}};
}

RunAccount::RunAccount(const AccountOptions& options, const device::SimulatedCard::Config& config)
    : m_options(options),
      m_config(config),
      m_account_file("account", file_of(options.m_account)),
      m_latency_file("latency", file_of(options.m_latency)) {
    if (!options.wanted() || config.requests) return;
    const char* option = !options.m_account.empty()   ? "--account"
                         : !options.m_latency.empty() ? "--latency"
                                                      : "--what-if";
    throw UserError(std::string("option ") + option +
                    ": expected traffic.kind = requests, the traffic of a card, found another kind");
}

void RunAccount::start(card::Card& card, time_fs t) {
    if (!m_options.m_latency.empty()) {
        m_latencies = std::make_unique<account::LatencyWatch>(card, m_config.card.endpoint.ptc.tags);
        m_latencies->start(t);
    }
    card.advance(t);
    m_meter.emplace(card, m_config.card).start(t);
    m_card = &card;
    m_from = t;
}

void RunAccount::finish(time_fs t) {
    m_card->advance(t);
    m_seconds = static_cast<double>(t - m_from) / static_cast<double>(fs_per_s);
    m_counts = m_meter->counts(t);
}

std::string RunAccount::report(const driver::Measurement* telemetry, std::ostream& out,
                               const std::function<void(const OutputFile&, const std::string&)>& save) const {
    if (!m_meter) return "";
    const account::Account account = account::make_account(m_config, m_seconds, m_counts, telemetry);
    if (!m_options.m_account.empty()) {
        if (m_account_file.wanted()) {
            save(m_account_file, account::account_json(account));
        } else {
            out << "\n" << account::account_text(account);
        }
    }
    if (m_latencies != nullptr) {
        std::vector<LatencyHistogram> loaded;
        for (std::size_t s = 0; s < endpoint::ReadLatencies::stages; ++s)
            loaded.push_back(m_latencies->total(static_cast<endpoint::ReadLatencies::Stage>(s)));
        const auto idle = account::idle_latency(m_config).stages;
        if (m_latency_file.wanted()) {
            save(m_latency_file, account::latency_json(idle, loaded));
        } else {
            out << "\n" << account::latency_text(idle, loaded);
        }
    }
    if (m_options.m_what_if.wanted()) {
        out << "\n";
        m_options.m_what_if.run(account, out);
    }
    return account.broken_identity();
}

}  // namespace tlmetry::app
