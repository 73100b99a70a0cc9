// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/verdict/link_facts.hpp"

#include <tlmetry/pcie/link_rate.hpp>
#include <tlmetry/pcie/link_settings.hpp>
#include <tlmetry/pcie/tlp_sizes.hpp>

namespace tlmetry::verdict {
namespace {

pcie::LinkSettings settings(const LinkSpeed& speed) {
    pcie::LinkSettings result;
    result.generation = speed.generation;
    result.lanes = speed.lanes;
    return result;
}

double gbytes(pcie::Ratio bits_per_s) {
    return bits_per_s.value() / 8e9;
}

pcie::TlpSizes sizes(const LinkFacts& facts) {
    pcie::LinkSettings result;
    result.address_bits = facts.address_bits;
    result.ecrc = facts.ecrc;
    return pcie::TlpSizes(result);
}

}  // namespace

std::string LinkSpeed::name() const {
    return "Gen" + std::to_string(generation) + " x" + std::to_string(lanes);
}

double LinkSpeed::line_gbytes() const {
    return gbytes(pcie::line_rate_bps(settings(*this)));
}

double LinkSpeed::data_gbytes() const {
    return gbytes(pcie::data_rate_bps(settings(*this)));
}

bool LinkFacts::trained_down() const {
    return trained && capable && trained->data_gbytes() < capable->data_gbytes();
}

std::uint32_t LinkFacts::request_overhead() const {
    return sizes(*this).request_overhead();
}

std::uint32_t LinkFacts::completion_overhead() const {
    return sizes(*this).completion_overhead();
}

}  // namespace tlmetry::verdict
