// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/what_if.hpp"

#include <tlmetry/app/interrupt.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/in_threads.hpp>
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/table.hpp>

#include <algorithm>
#include <optional>
#include <thread>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;
using report::fixed;

const std::string option = "option --what-if";

WhatIf::Result result_of(const std::string& change, const account::Account& account) {
    WhatIf::Result result;
    result.change = change;
    for (const account::EndpointCounts& counts : account.counts) {
        result.up += account::measured(counts, counts.up, account.seconds).useful;
        result.down += account::measured(counts, counts.down, account.seconds).useful;
    }
    result.binds = account::binding(account.predictions.front());
    return result;
}

}  // namespace

std::vector<config::Assignment> read_changes(const std::string& text, const std::string& place) {
    std::vector<config::Assignment> changes;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('&', begin), text.size());
        const std::string change(trimmed(std::string_view(text).substr(begin, end - begin)));
        const std::size_t sign = change.find('=');
        if (sign == change.npos || sign == 0) {
            throw UserError(place + ": expected SECTION.KEY=VALUE, or several with & between them, found " +
                            config::found(text));
        }
        const std::string name(trimmed(std::string_view(change).substr(0, sign)));
        if (name.compare(0, 4, "run.") == 0)
            throw UserError(place + " " + name +
                            ": expected a parameter of the card, whose time is that of the run");
        changes.push_back(
            {name, std::string(trimmed(std::string_view(change).substr(sign + 1))), place + " " + name});
        begin = end + 1;
    }
    return changes;
}

void WhatIf::add_to(po::options_description& description) {
    description.add_options()(
        "what-if", po::value(&m_changes)->composing()->value_name("SECTION.KEY=VALUE"),
        "also simulate the card with this change (A=1&B=2 for several at once) and tell "
        "what becomes of the useful rate; may be given again");
}

void WhatIf::prepare(const Configure& configure) {
    for (const std::string& change : m_changes)
        prepare(configure, change);
}

void WhatIf::prepare_possible(const Configure& configure) {
    std::vector<std::string> possible;
    for (const std::string& change : m_changes) {
        try {
            prepare(configure, change);
            possible.push_back(change);
        } catch (const UserError&) {
        }
    }
    m_changes = possible;
}

void WhatIf::prepare(const Configure& configure, const std::string& change) {
    const RunParameters parameters = configure(read_changes(change, option));
    Case what{change, parameters.card_config(), parameters.warmup_fs, parameters.duration_fs};
    if (!what.config.requests) {
        throw UserError(option +
                        ": expected traffic.kind = requests, the traffic of a card, found another kind");
    }
    if (what.duration_fs == 0) throw UserError(option + ": expected run.duration above 0s, found 0s");
    m_cases.push_back(std::move(what));
}

std::vector<WhatIf::Result> WhatIf::run(const account::Account& base) const {
    std::vector<std::optional<account::Account>> accounts(m_cases.size());
    const auto work = [&](std::size_t i) {
        const Case& what = m_cases[i];
        try {
            account::Outcome outcome =
                account::run_experiment(what.config, {what.warmup_fs, what.duration_fs},
                                        [] { return !InterruptWatch::interrupted(); });
            accounts[i] = account::make_account(what.config, outcome.seconds, std::move(outcome.counts),
                                                &outcome.telemetry);
        } catch (const device::Interrupted&) {
            // What is done is shown.
        }
    };
    in_threads(m_cases.size(), std::max(1u, std::thread::hardware_concurrency()), work);

    std::vector<Result> results = {result_of("", base)};
    const double before = results.front().up + results.front().down;
    for (std::size_t i = 0; i < m_cases.size(); ++i) {
        if (!accounts[i]) continue;
        Result& result = results.emplace_back(result_of(m_cases[i].change, *accounts[i]));
        if (before != 0) result.gain = (result.up + result.down) / before - 1;
    }
    return results;
}

std::string WhatIf::text(const std::vector<Result>& results) {
    constexpr double giga = 1e9;
    std::vector<report::Row> rows;
    for (const Result& result : results) {
        std::string gain = result.gain ? fixed(100 * *result.gain, 1) : result.change.empty() ? "" : "-";
        if (result.gain && gain[0] != '-') gain = "+" + gain;
        rows.push_back({result.change.empty() ? "as configured" : result.change, fixed(result.up / giga, 3),
                        fixed(result.down / giga, 3), gain, result.binds});
    }
    return "What if: useful rates of all endpoints with one change, simulated\n" +
           report::aligned_table(
               {{"change", false}, {"up GB/s"}, {"down GB/s"}, {"change %"}, {"binds by arithmetic", false}},
               rows);
}

}  // namespace tlmetry::app
