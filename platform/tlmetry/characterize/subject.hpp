// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/characterize/measurement.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::characterize {

/// Operations of a measurement: as many reads as writes, or one of them.
enum class Mix { reads, writes, both };
const char* name_of(Mix mix);
inline constexpr Mix all_mixes[] = {Mix::reads, Mix::writes, Mix::both};

/// The card that is characterized, and what of it is asked for.
class Subject {
public:
    /// Throws UserError when there is nothing to measure: a link that is down, traffic that is not of
    /// requests.
    Subject(const Card& card, bool quick);

    /// What to know of the configuration before one believes the rates; empty if nothing.
    std::string caveat() const;

    bool quick() const { return m_quick; }
    /// With its own traffic, in a steady state: nothing changes during a run.
    const Card& card() const { return m_card; }
    const pcie::LinkSettings& link() const { return m_card.card.link; }
    /// Sizes of operations, in bytes: powers of two, and some just above.
    std::vector<std::uint32_t> sizes() const;
    std::vector<std::uint32_t> powers_of_two() const;
    /// What the configured reads are on average, as far as one request reaches.
    std::uint32_t read_bytes() const { return m_read_bytes; }

    /// One endpoint, operations of a size as fast as possible. Addresses are where they are configured, each
    /// operation at a multiple of the next power of two.
    Card saturated(Mix mix, std::uint32_t bytes) const;
    /// The same with operations at a distance from every 4 KiB boundary.
    Card at_offset(Mix mix, std::uint32_t bytes, std::uint32_t offset) const;
    /// The same from so many endpoints, beginning with `first`.
    Card endpoints(Mix mix, std::uint32_t bytes, std::uint32_t first, std::uint32_t count) const;

private:
    generator::Config traffic(Mix mix, std::uint32_t bytes) const;

    Card m_card;
    bool m_quick;
    std::uint32_t m_read_bytes = 0;
};

/// As places of a chart.
std::vector<std::string> texts(const std::vector<std::uint32_t>& numbers);

/// What all ports of a card ask for.
void set_traffic(Card& card, const generator::Config& traffic);

}  // namespace tlmetry::characterize
