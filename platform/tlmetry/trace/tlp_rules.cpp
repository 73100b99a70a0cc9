// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/trace/tlp_rules.hpp"

namespace tlmetry::trace {

namespace {

using tlp::Header;
using tlp::Kind;

constexpr std::uint32_t page_bytes = 4096;
constexpr std::uint8_t all_enabled = 0xf;

/// Memory requests, which are the ones with byte enables that may vary.
bool is_memory(Kind kind) {
    return is_memory_read(kind) || kind == Kind::memory_write || kind == Kind::deferrable_memory_write;
}

unsigned lowest_enabled(std::uint8_t enables) {
    return enables == 0 ? 0 : static_cast<unsigned>(__builtin_ctz(enables));
}

unsigned highest_enabled(std::uint8_t enables) {
    return enables == 0 ? 0 : 31 - static_cast<unsigned>(__builtin_clz(enables));
}

/// Section 2.2.5.
bool enables_allowed(const Header& h) {
    // A read with hints has a steering tag in their place.
    if (is_memory_read(h.kind) && h.hints) return true;
    if (h.length_dwords == 1) return h.last_be == 0;
    if (h.first_be == 0 || h.last_be == 0) return false;
    constexpr std::uint64_t quad_word = 8;
    if (h.length_dwords == 2 && h.address % quad_word == 0) return true;
    const bool first = h.first_be + (h.first_be & ~(h.first_be - 1U)) == all_enabled + 1U;
    const bool last = (h.last_be & (h.last_be + 1U)) == 0;
    return first && last;
}

bool length_allowed(const Header& h) {
    switch (h.kind) {
        case Kind::io_read:
        case Kind::io_write:
        case Kind::config_read_0:
        case Kind::config_write_0:
        case Kind::config_read_1:
        case Kind::config_write_1:
            return h.length_dwords == 1;
        case Kind::fetch_add:
        case Kind::swap:
            return h.length_dwords == 1 || h.length_dwords == 2;
        case Kind::compare_and_swap:
            return h.length_dwords == 2 || h.length_dwords == 4 || h.length_dwords == 8;
        default:
            return true;
    }
}

}  // namespace

void check_tlp(const ptt::TracedTlp& tlp, const DeviceLimits& limits, ViolationLog& log) {
    const Header& h = tlp.header;
    const tlp::Traits& traits = tlp::traits_of(h.kind);
    const std::uint32_t bytes = h.length_bytes();
    if (limits.mps && h.payload_bytes() > *limits.mps) log.add(Violation::payload_over_mps, tlp);
    if (is_completion(h.kind) || is_message(h.kind)) return;
    if (limits.mrrs && is_memory_read(h.kind) && bytes > *limits.mrrs)
        log.add(Violation::read_over_mrrs, tlp);
    if (!length_allowed(h)) log.add(Violation::length, tlp);
    if (traits.any_address && h.address % page_bytes + bytes > page_bytes)
        log.add(Violation::crosses_4k, tlp);
    if (traits.any_address && h.four_dwords && h.address >> 32 == 0)
        log.add(Violation::long_address_header, tlp);
    if (is_memory(h.kind) ? !enables_allowed(h) : !traits.any_address && h.last_be != 0)
        log.add(Violation::byte_enables, tlp);
}

ReadRange range_of_read(const Header& h) {
    const std::uint32_t bytes = h.length_bytes();
    if (h.hints) return {h.address, bytes};
    const unsigned skipped = lowest_enabled(h.first_be);
    if (h.length_dwords == 1) return {h.address + skipped, highest_enabled(h.first_be) - skipped + 1};
    const unsigned last = h.last_be == 0 ? 3 : highest_enabled(h.last_be);
    return {h.address + skipped, bytes - skipped - (3 - last)};
}

}  // namespace tlmetry::trace
