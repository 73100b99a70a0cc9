// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/account/account.hpp>
#include <tlmetry/app/output_file.hpp>
#include <tlmetry/app/what_if.hpp>
#include <tlmetry/device/simulated_card.hpp>
#include <tlmetry/driver/measurement.hpp>

#include <boost/program_options/options_description.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace tlmetry::app {

/// The options of `tlmetry run` that say where the bandwidth and the time went: --account, --latency,
/// --verdict and --what-if.
class AccountOptions {
public:
    void add_to(boost::program_options::options_description& description);
    /// Throws UserError where standard output has the report as JSON, or the telemetry tool does not run.
    void validate(bool json, bool tool) const;
    std::vector<NamedFile> outputs() const;
    bool wanted() const { return !option().empty(); }
    /// The first of them that is given; empty if none.
    std::string option() const;
    /// Throws UserError for changes that cannot be simulated. `configure` is kept.
    void prepare(const Configure& configure);

private:
    friend class RunAccount;
    std::string m_account;  // a file, - for standard output
    std::string m_latency;
    std::string m_verdict;
    WhatIf m_what_if;
    Configure m_configure;
};

/// What they ask for, of one run. Its files are looked at when it is made.
class RunAccount {
public:
    /// All must live as long as this. Throws UserError for a run without requests of its own and for a
    /// file that cannot be written.
    RunAccount(const AccountOptions& options, const RunParameters& parameters,
               const device::SimulatedCard::Config& config);

    /// The measurement begins at `t`, or ends there.
    void start(card::Card& card, time_fs t);
    void finish(time_fs t);

    /// Prints and saves what was measured; `telemetry` may be null. `save` takes each file and its text.
    /// Returns what does not add up; empty if nothing.
    std::string report(const driver::Measurement* telemetry, std::ostream& out,
                       const std::function<void(const OutputFile&, const std::string&)>& save) const;

private:
    using Save = std::function<void(const OutputFile&, const std::string&)>;
    void judge(const account::Account& account, const driver::Measurement& telemetry, std::ostream& out,
               const Save& save) const;

    const AccountOptions& m_options;
    const RunParameters& m_parameters;
    const device::SimulatedCard::Config& m_config;
    OutputFile m_account_file;
    OutputFile m_latency_file;
    OutputFile m_verdict_file;
    card::Card* m_card = nullptr;
    std::unique_ptr<account::LatencyWatch> m_latencies;
    std::optional<account::Meter> m_meter;
    time_fs m_from = 0;
    double m_seconds = 0;
    std::vector<account::EndpointCounts> m_counts;
};

}  // namespace tlmetry::app
