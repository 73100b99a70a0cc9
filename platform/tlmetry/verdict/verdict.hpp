// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/verdict/causes.hpp>
#include <tlmetry/verdict/evidence.hpp>
#include <tlmetry/verdict/link_facts.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::verdict {

/// What a share is a part of.
inline constexpr std::string_view of_pcie_cycles = "PCIe cycles";
inline constexpr std::string_view of_dma_cycles = "DMA cycles";
inline constexpr std::string_view of_link_time = "link time";
inline constexpr std::string_view of_reads = "reads";
inline constexpr std::string_view of_requests = "requests";

/// Something that held the transfer of one endpoint.
struct Finding {
    CauseId cause = CauseId::source;
    std::size_t endpoint = 0;
    double share = 0;  ///< of the time in which it held the transfer: from 0 to 1
    std::string_view share_of = of_pcie_cycles;
    std::string evidence;  ///< one sentence with its numbers
    bool leads = false;    ///< comes before larger shares: a bus or link that is nearly full had time left
};

/// What shares below this one stand for is not worth a word.
inline constexpr double least_share = 0.01;

/// What the counters of one endpoint show. A cause takes over what it brings about: a slow sink the missing
/// room in the storage FIFO, a full bus the missing tags.
std::vector<Finding> findings(const Evidence& evidence);

/// The findings of all endpoints from `least_share` on, errors first, then those that lead, then the largest
/// share first. `exact`
/// is what is known from elsewhere, as from the models of a simulation: such a finding takes the place of one
/// of the same cause and endpoint, and joins the others.
std::vector<Finding> rank(const driver::Measurement& measurement, const LinkFacts& facts,
                          std::vector<Finding> exact = {});

}  // namespace tlmetry::verdict
