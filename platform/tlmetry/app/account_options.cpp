// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/account_options.hpp"

#include <tlmetry/app/run_verdict.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/verdict/explanation.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

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
    add("verdict", value(m_verdict),
        "also tell what held the transfer, whose matter it is, and what a remedy of each would give, "
        "simulated; =FILE.json saves it instead");
    m_what_if.add_to(description);
}

void AccountOptions::validate(bool json, bool tool) const {
    if (!m_verdict.empty() && !tool)
        throw UserError("option --verdict: expected the telemetry tool to run, found other software");
    if (!json) return;
    for (const auto& [option, file] : {std::pair("--account", m_account), std::pair("--latency", m_latency),
                                       std::pair("--verdict", m_verdict)}) {
        if (file == standard_output) {
            throw UserError(std::string("option ") + option + ": expected " + option +
                            "=FILE.json with --json, of which standard output has the report, found no file");
        }
    }
    if (m_what_if.wanted()) {
        throw UserError(
            "option --what-if: expected no --json, of which standard output has the report, found it");
    }
}

std::vector<NamedFile> AccountOptions::outputs() const {
    return {{"option --account", file_of(m_account)},
            {"option --latency", file_of(m_latency)},
            {"option --verdict", file_of(m_verdict)}};
}

std::string AccountOptions::option() const {
    if (!m_account.empty()) return "--account";
    if (!m_latency.empty()) return "--latency";
    if (!m_verdict.empty()) return "--verdict";
    return m_what_if.wanted() ? "--what-if" : "";
}

void AccountOptions::prepare(const Configure& configure) {
    m_configure = configure;
    m_what_if.prepare(configure);
}

RunAccount::RunAccount(const AccountOptions& options, const RunParameters& parameters,
                       const device::SimulatedCard::Config& config)
    : m_options(options),
      m_parameters(parameters),
      m_config(config),
      m_account_file("account", file_of(options.m_account)),
      m_latency_file("latency", file_of(options.m_latency)),
      m_verdict_file("verdict", file_of(options.m_verdict)) {
    if (!options.wanted() || config.requests) return;
    throw UserError("option " + options.option() +
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
    if (!m_options.m_verdict.empty() && telemetry != nullptr) judge(account, *telemetry, out, save);
    if (m_options.m_what_if.wanted()) out << "\n" << WhatIf::text(m_options.m_what_if.run(account));
    return account.broken_identity();
}

/// Prints or saves the verdict, and what the remedies of its first findings give.
void RunAccount::judge(const account::Account& account, const driver::Measurement& telemetry,
                       std::ostream& out, const Save& save) const {
    constexpr std::size_t most_remedies = 3;
    const auto findings = run_verdict(account, telemetry, m_config.card);
    std::vector<std::string> changes;
    for (const verdict::Finding& finding : findings) {
        const std::string change = remedy(finding, m_parameters);
        if (change.empty() || std::find(changes.begin(), changes.end(), change) != changes.end()) continue;
        changes.push_back(change);
        if (changes.size() == most_remedies) break;
    }
    WhatIf remedies(changes);
    remedies.prepare_possible(m_options.m_configure);
    const auto results = remedies.run(account);
    if (!m_verdict_file.wanted()) {
        out << "\n" << verdict::format_verdict(findings);
        if (remedies.wanted()) out << "\n" << WhatIf::text(results);
        return;
    }
    nlohmann::ordered_json document = {{"schema", "tlmetry.verdict/1"},
                                       {"verdict", verdict::verdict_json(findings)},
                                       {"what_if", nlohmann::ordered_json::array()}};
    for (const WhatIf::Result& result : results) {
        document["what_if"].push_back(
            {{"change", result.change},
             {"up_bytes_per_s", result.up},
             {"down_bytes_per_s", result.down},
             {"gain", result.gain ? nlohmann::ordered_json(*result.gain) : nlohmann::ordered_json()},
             {"predicted_to_bind", result.binds}});
    }
    constexpr int indent = 4;
    save(m_verdict_file, document.dump(indent) + "\n");
}

}  // namespace tlmetry::app
