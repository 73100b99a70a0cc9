// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/account/account.hpp>
#include <tlmetry/app/run_parameters.hpp>
#include <tlmetry/config/registry.hpp>

#include <boost/program_options/options_description.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tlmetry::app {

/// Makes all parameters of a run once more, with some of them changed.
using Configure = std::function<RunParameters(const std::vector<config::Assignment>& changes)>;

/// The option --what-if of `tlmetry run`: the same card with something changed, simulated as well and
/// compared.
class WhatIf {
public:
    WhatIf() = default;
    explicit WhatIf(std::vector<std::string> changes) : m_changes(std::move(changes)) {}

    void add_to(boost::program_options::options_description& description);
    bool wanted() const { return !m_changes.empty(); }

    /// Throws UserError, naming the option, for changes that make no card with traffic of its own.
    void prepare(const Configure& configure);
    /// The same, but forgets those that make none.
    void prepare_possible(const Configure& configure);

    /// A card, and the useful rates of all its endpoints in bytes a second.
    struct Result {
        std::string change;  ///< empty: as configured
        double up = 0;
        double down = 0;
        std::optional<double> gain;  ///< of both together, by the rates as configured
        const char* binds = "";      ///< by arithmetic
    };
    /// Simulates all of them at the same time; `base`, as configured, is the first result.
    std::vector<Result> run(const account::Account& base) const;
    static std::string text(const std::vector<Result>& results);

private:
    struct Case {
        std::string change;
        device::SimulatedCard::Config config;
        time_fs warmup_fs = 0;
        time_fs duration_fs = 0;
    };

    void prepare(const Configure& configure, const std::string& change);

    std::vector<std::string> m_changes;
    std::vector<Case> m_cases;
};

/// NAME=VALUE, or several with & between them. Throws UserError, naming the option.
std::vector<config::Assignment> read_changes(const std::string& text, const std::string& place);

}  // namespace tlmetry::app
