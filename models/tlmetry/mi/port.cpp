// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/mi/port.hpp"

#include <tlmetry/base/bytes.hpp>

#include <algorithm>

namespace tlmetry::mi {

namespace {

// Edges from the one that samples an access to the one at which the master goes on: it samples a read's DRDY
// two edges later; a write has its ARDY in the same cycle, so that the next access may follow in the next
// one.
constexpr cycle_t read_edges = 2;
constexpr cycle_t write_edges = 1;

constexpr std::uint8_t whole_word = 0xF;

std::uint32_t gather(const std::uint8_t* data, const WordAccess& a) {
    data += a.offset;
    if (a.enables == whole_word) return word_of(data);
    std::uint32_t word = 0;
    for (std::uint32_t i = 0; i < a.count; ++i) {
        const std::uint32_t lane = a.lane + i;
        if ((a.enables >> lane & 1U) != 0) word |= std::uint32_t{data[i]} << (8 * lane);
    }
    return word;
}

void scatter(std::uint32_t word, const WordAccess& a, std::uint8_t* data) {
    data += a.offset;
    if (a.enables == whole_word) {
        put_word(word, data);
        return;
    }
    for (std::uint32_t i = 0; i < a.count; ++i) {
        const std::uint32_t lane = a.lane + i;
        if ((a.enables >> lane & 1U) != 0) data[i] = static_cast<std::uint8_t>(word >> (8 * lane));
    }
}

bool legal_enables(const Transfer& t) {
    if (t.enables == nullptr) return true;
    if (t.enable_length == 0) return false;
    return std::all_of(t.enables, t.enables + std::min(t.enable_length, t.length),
                       [](std::uint8_t e) { return e == 0x00 || e == 0xFF; });
}

cycle_t count_accesses(const Transfer& t) {
    cycle_t accesses = 0;
    if (t.enables == nullptr && t.streaming_width >= t.length) {
        const std::uint64_t last = (t.address + (t.length - 1)) / word_bytes;
        accesses = static_cast<cycle_t>(last - t.address / word_bytes + 1);
    } else {
        split(t, [&](const WordAccess&) { ++accesses; });
    }
    return accesses;
}

}  // namespace

MiPort::Plan MiPort::plan(time_fs now, const Transfer& transfer, cycle_t edges_to_answer) {
    const auto refused = [&](Outcome outcome) { return Plan{{outcome, now}, never}; };
    if (transfer.length == 0) return refused(Outcome::served);
    if (transfer.streaming_width == 0) return refused(Outcome::burst_error);
    // Written so that no sum can wrap round at 2^64.
    if (transfer.address >= m_size_bytes || transfer.span() > m_size_bytes - transfer.address)
        return refused(Outcome::address_error);
    if (!legal_enables(transfer)) return refused(Outcome::byte_enable_error);

    const cycle_t accesses = count_accesses(transfer);
    if (accesses == 0) return refused(Outcome::served);

    const cycle_t requested = m_clock.first_at_or_after(now);
    const cycle_t edge = std::max(requested, m_free_edge);
    const time_fs until = m_clock.time_of(edge + accesses - 1 + edges_to_answer);
    if (until >= never) return refused(Outcome::no_clock);

    if (requested < m_latest_requested) ++m_late;
    m_latest_requested = std::max(m_latest_requested, requested);
    m_accesses += static_cast<std::uint64_t>(accesses);
    m_free_edge = edge + accesses;
    return {{Outcome::served, until}, edge};
}

MiPort::Served MiPort::read(time_fs now, const Transfer& transfer, std::uint8_t* data) {
    const Plan planned = plan(now, transfer, read_edges);
    if (planned.edge == never) return planned.result;
    cycle_t edge = planned.edge;
    split(transfer, [&](const WordAccess& a) {
        const auto address = static_cast<std::uint32_t>(a.address);
        const std::uint32_t word = m_device->read(edge, address);
        scatter(word, a, data);
        for (const auto& watch : m_watches)
            watch({edge, false, address, word, a.enables});
        ++edge;
    });
    return planned.result;
}

MiPort::Served MiPort::write(time_fs now, const Transfer& transfer, const std::uint8_t* data) {
    const Plan planned = plan(now, transfer, write_edges);
    if (planned.edge == never) return planned.result;
    cycle_t edge = planned.edge;
    split(transfer, [&](const WordAccess& a) {
        const auto address = static_cast<std::uint32_t>(a.address);
        const std::uint32_t word = gather(data, a);
        m_device->write(edge, address, word, a.enables);
        for (const auto& watch : m_watches)
            watch({edge, true, address, word, a.enables});
        ++edge;
    });
    return planned.result;
}

void MiPort::peek(time_fs now, std::uint64_t address, std::uint8_t* data, std::uint32_t bytes) {
    split(Transfer{address, bytes, bytes, nullptr, 0}, [&](const WordAccess& a) {
        scatter(m_device->peek(now, static_cast<std::uint32_t>(a.address)), a, data);
    });
}

}  // namespace tlmetry::mi
