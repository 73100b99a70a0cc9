// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/verdict/explanation.hpp"

#include <tlmetry/report/shares.hpp>

#include <algorithm>
#include <numeric>

namespace tlmetry::verdict {

using report::percent_sign;
Explanation::Explanation(const driver::Measurement& m, const LinkFacts& link_facts,
                         std::vector<Finding> exact)
    : measurement(m), facts(link_facts), doubts(check(m, link_facts)) {
    endpoints.reserve(m.endpoints.size());
    for (std::size_t i = 0; i < m.endpoints.size(); ++i)
        endpoints.emplace_back(m, i, link_facts);
    verdict = rank(m, link_facts, std::move(exact));
    const auto backwards = [&](const Finding& finding) {
        return std::any_of(doubts.begin(), doubts.end(), [&](const Doubt& doubt) {
            return doubt.id == "backwards" && doubt.endpoint == finding.endpoint;
        });
    };
    verdict.erase(std::remove_if(verdict.begin(), verdict.end(), backwards), verdict.end());
}

bool Explanation::trusted() const {
    return std::none_of(doubts.begin(), doubts.end(), [](const Doubt& doubt) { return doubt.wrong; });
}

std::string resource_reading(const Evidence& evidence, std::size_t resource) {
    const driver::Layout& layout = evidence.measurement.layout;
    const bool tags = resource == 0;
    const driver::Level level = tags ? evidence.counts.tags : evidence.counts.stfifo;
    const std::uint32_t capacity = tags ? layout.tag_capacity : layout.stfifo_capacity;
    const std::string name(resource_names.at(resource));
    if (resource >= evidence.counts.histograms.size() ||
        evidence.counts.histograms[resource].bands.size() < 2)
        return name + ": no histogram.";
    const std::vector<std::uint64_t>& bands = evidence.counts.histograms[resource].bands;
    const double sum = std::accumulate(bands.begin(), bands.end(), 0.0);
    if (sum == 0) return name + ": nothing was counted.";
    const double none = static_cast<double>(bands[0]) / sum;
    const double low = static_cast<double>(bands[1]) / sum;
    const std::string lowest =
        " (lowest " + std::to_string(level.lowest) + " of " + std::to_string(capacity) + ")";
    const std::string shares = percent_sign(100 * none) + " of the time, and " + percent_sign(100 * low) +
                               " with at most 1/8 free" + lowest + ".";
    constexpr double much = 0.05;
    if (none >= much) return name + ": exhausted for " + shares;
    // The space is reserved ahead: reads wait long before nothing is free.
    if (low >= much) return name + ": nearly exhausted, none free for " + shares;
    if (none > 0 || low > 0 || level.lowest <= capacity / 8)
        return name + ": short at moments only, none free for " + shares;
    return name + ": never short" + lowest + ".";
}

const std::vector<std::string_view>& limits() {
    static const std::vector<std::string_view> sentences = {
        {"Retries: a TLP that is sent again is not counted apart; RQ only stops a little more often. Read "
         "the "
         "error counters of the link."},
        {"DLLPs, SKP and credits: they take time of the link, and show as a PCIe endpoint that is not ready "
         "at "
         "most."},
        {"Latency: of a single read nothing is counted. The round trip is an average, from tags in use and "
         "reads per second."},
        {"Which reason came first: several hold in the same cycles, so that their shares neither add up nor "
         "exclude each other."},
        {"Headers of TLPs on RQ and RC: some endpoint types carry them between the data, and a read as one "
         "item "
         "or as its header. So payload is taken from UP and DOWN here."},
        {"Sizes and addresses of single requests, and what the host does with them."},
    };
    return sentences;
}

}  // namespace tlmetry::verdict
