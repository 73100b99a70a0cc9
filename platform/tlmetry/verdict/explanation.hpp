// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/verdict/evidence.hpp>
#include <tlmetry/verdict/link_facts.hpp>
#include <tlmetry/verdict/sanity.hpp>
#include <tlmetry/verdict/verdict.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::verdict {

/// All that can be said of a measurement. It refers to the measurement, which must outlive it.
struct Explanation {
    /// `exact` as for rank().
    Explanation(const driver::Measurement& m, const LinkFacts& link_facts, std::vector<Finding> exact = {});

    const driver::Measurement& measurement;
    LinkFacts facts;
    std::vector<Doubt> doubts;
    std::vector<Evidence> endpoints;
    std::vector<Finding> verdict;  ///< none of an endpoint whose counters went backwards

    /// False if numbers contradict each other.
    bool trusted() const;
};

/// Names of the resources whose histograms and levels there are.
inline constexpr std::array<std::string_view, 2> resource_names = {"PCIe tags", "storage FIFO words"};

/// How the level and the histogram of resource 0 or 1 of an endpoint read together: one sentence.
std::string resource_reading(const Evidence& evidence, std::size_t resource);

/// What no counter of the telemetry tells, one sentence each.
const std::vector<std::string_view>& limits();

/// For people: lines of at most 100 columns, ended by one newline.
std::string format_text(const Explanation& explanation);
/// The verdict alone.
std::string format_verdict(const std::vector<Finding>& verdict);

/// Its `verdict[]` alone.
nlohmann::ordered_json verdict_json(const std::vector<Finding>& verdict);

/// docs/json.md, `tlmetry.explanation/1`; ended by one newline.
std::string format_json(const Explanation& explanation);

}  // namespace tlmetry::verdict
