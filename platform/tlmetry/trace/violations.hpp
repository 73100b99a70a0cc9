// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/ptt/trace_reader.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tlmetry::trace {

/// What a TLP, or the TLPs of one request, do against the rules of the PCI Express Base Specification.
enum class Violation : std::uint8_t {
    completion_without_request,
    tag_reused,
    byte_count,
    lower_address,
    completion_length,
    completion_boundary,
    length,
    crosses_4k,
    payload_over_mps,
    read_over_mrrs,
    byte_enables,
    long_address_header,
    time_went_back,
};
inline constexpr std::size_t violations = 13;

struct ViolationName {
    std::string_view key;
    std::string_view sentence;  ///< at most 62 characters
};
inline constexpr std::array<ViolationName, violations> violation_names{{
    {"completion_without_request", "completion of a request that is not outstanding"},
    {"tag_reused", "request with a tag that is outstanding"},
    {"byte_count", "byte count is not what is left: lost, doubled or out of order"},
    {"lower_address", "lower address is not where the read is"},
    {"completion_length", "length of a completion does not fit the rest of the read"},
    {"completion_boundary", "completion ends neither the read nor at a multiple of 64"},
    {"length", "length that the kind of request does not have"},
    {"crosses_4k", "request crosses a 4 KiB boundary"},
    {"payload_over_mps", "payload larger than the MPS"},
    {"read_over_mrrs", "read larger than the MRRS"},
    {"byte_enables", "byte enables that are not allowed"},
    {"long_address_header", "header with 64-bit address for one below 4 GiB"},
    {"time_went_back", "time before that of the TLP before"},
}};

/// How often each of them occurred, and the TLP of the first time.
class ViolationLog {
public:
    struct Entry {
        std::uint64_t count = 0;
        std::uint64_t time = 0;
        tlp::Header header;
    };

    void add(Violation violation, const ptt::TracedTlp& tlp) {
        Entry& entry = m_entries[static_cast<std::size_t>(violation)];
        if (entry.count++ == 0) {
            entry.time = tlp.time;
            entry.header = tlp.header;
        }
    }
    const Entry& of(Violation violation) const { return m_entries[static_cast<std::size_t>(violation)]; }
    std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (const Entry& entry : m_entries)
            sum += entry.count;
        return sum;
    }

private:
    std::array<Entry, violations> m_entries;
};

}  // namespace tlmetry::trace
