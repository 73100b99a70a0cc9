// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/characterize/subject.hpp"

#include <tlmetry/base/error.hpp>

#include <algorithm>
#include <cmath>

namespace tlmetry::characterize {

namespace {

constexpr std::uint32_t least_bytes = 64;
constexpr std::uint32_t most_bytes = 4096;

std::uint32_t next_power_of_two(std::uint32_t value) {
    std::uint32_t power = 1;
    while (power < value)
        power *= 2;
    return power;
}

std::uint32_t average_bytes(const generator::Size& size) {
    const double mean = generator::mean_bytes(size.bands("traffic.read_size"));
    constexpr std::uint32_t dword = 4;
    return std::max<std::uint32_t>(dword, static_cast<std::uint32_t>(std::lround(mean / dword)) * dword);
}

}  // namespace

const char* name_of(Mix mix) {
    switch (mix) {
        case Mix::reads:
            return "100 % read";
        case Mix::writes:
            return "100 % write";
        case Mix::both:
            return "50/50";
    }
    return "";
}

std::vector<std::string> texts(const std::vector<std::uint32_t>& numbers) {
    std::vector<std::string> result;
    result.reserve(numbers.size());
    for (const std::uint32_t number : numbers)
        result.push_back(std::to_string(number));
    return result;
}

void set_traffic(Card& card, const generator::Config& traffic) {
    card.card.traffic.assign(std::size_t{card.generics.pcie_endpoints} * card.generics.dma_ports, traffic);
}

Subject::Subject(const Card& card, bool quick) : m_card(card), m_quick(quick) {
    if (!card.requests) {
        throw UserError(
            "characterize: expected traffic.kind = requests, the traffic of a card, found another kind");
    }
    if (!card.card.link_up) throw UserError("characterize: expected link.up = true, found false");
    m_card.card.timeline.clear();
    m_card.card.host.lost_reads.clear();
    for (generator::Config& port : m_card.card.traffic) {
        port.start_fs = 0;
        port.stop_fs = never;
        port.max_requests = 0;
    }
    m_read_bytes = std::min(average_bytes(m_card.card.traffic.front().read_size), link().mrrs_bytes);
}

std::string Subject::caveat() const {
    const host::Config& host = m_card.card.host;
    const endpoint::Link& link = m_card.card.endpoint.link;
    const bool bounded =
        host.memory_bytes_per_s != 0 || host.memory_write_bytes_per_s != 0 || host.write_cost_fs != 0;
    if (!bounded || link.posted_headers != 0 || link.posted_data != 0) return "";
    return "the host takes writes without end (link.posted_header_credits = link.posted_data_credits = 0): "
           "those that its "
           "memory is too slow for wait there and count as arrived";
}

std::vector<std::uint32_t> Subject::sizes() const {
    if (m_quick) return {64, 65, 256, 257, 1024, 4096};
    return {64, 65, 128, 129, 256, 257, 512, 513, 1024, 2048, 4096};
}

std::vector<std::uint32_t> Subject::powers_of_two() const {
    if (m_quick) return {64, 256, 1024, 4096};
    return {64, 128, 256, 512, 1024, 2048, 4096};
}

generator::Config Subject::traffic(Mix mix, std::uint32_t bytes) const {
    generator::Config t = m_card.card.traffic.front();
    t.mix = generator::Mix::groups;
    t.reads_per_group = mix == Mix::writes ? 0 : 1;
    t.writes_per_group = mix == Mix::reads ? 0 : 1;
    t.read_size = t.write_size = generator::Size::fixed(bytes);
    t.alignment_bytes = std::max(least_bytes, next_power_of_two(bytes));
    t.offset_bytes = 0;
    t.base_address -= t.base_address % most_bytes;
    t.region_bytes = std::max(t.region_bytes, std::uint64_t{4} * most_bytes);
    t.split = true;
    t.rate = generator::Rate::saturate;
    t.burst_requests = 0;
    t.outstanding_max = 0;
    t.gap_fs = t.gap_fs_per_byte = 0;
    t.trace_file.clear();
    return t;
}

Card Subject::saturated(Mix mix, std::uint32_t bytes) const {
    return endpoints(mix, bytes, 0, 1);
}

Card Subject::at_offset(Mix mix, std::uint32_t bytes, std::uint32_t offset) const {
    Card card = saturated(mix, bytes);
    for (generator::Config& port : card.card.traffic) {
        port.alignment_bytes = most_bytes;
        port.offset_bytes = offset;
    }
    return card;
}

Card Subject::endpoints(Mix mix, std::uint32_t bytes, std::uint32_t first, std::uint32_t count) const {
    Card card = m_card;
    card.generics.pcie_endpoints = count;
    const auto clocks = m_card.clocks.pcie.begin() + first;
    card.clocks.pcie.assign(clocks, clocks + count);
    set_traffic(card, traffic(mix, bytes));
    return card;
}

}  // namespace tlmetry::characterize
