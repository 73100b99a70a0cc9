// SPDX-License-Identifier: BSD-3-Clause
// Compiled for processors with AVX-512, and called on them only: no function of it but find() may be seen
// elsewhere, nor may it use any that others compile too.
#include "tlmetry/endpoint/up_plan_rules.hpp"

#include <tlmetry/base/lanes.hpp>
#include <tlmetry/endpoint/arrival.hpp>
#include <tlmetry/endpoint/logs.hpp>

namespace tlmetry::endpoint::up_plan {

namespace {

// Before everything, and still far from the end of all numbers.
constexpr std::int64_t past = -(std::int64_t{1} << 40);
constexpr int line_shift = 6;
static_assert(line_bytes == 1 << line_shift);
constexpr std::int64_t long_ago = -(std::int64_t{1} << 50);

/// FlowingBus for all runs.
class LaneBus {
public:
    [[gnu::always_inline]] explicit LaneBus(const Bus& bus)
        : next(lanes_of((past + 1) * bus.regions)), m_bus(bus) {}

    /// Regions, counted as FlowingBus does.
    struct Place {
        Lanes start;
        Lanes end;
    };
    /// Goes on only where `mask` is set.
    [[gnu::always_inline]] Place place(const Lanes& available, const Lanes& regions, const Lanes& mask) {
        const Lanes start = max_of((next + m_bus.skipped) & ~m_bus.skipped, available << m_bus.shift);
        const Lanes end = start + regions;
        next = mask ? end : next;
        return {start, end};
    }
    [[gnu::always_inline]] Lanes word_of(const Lanes& region) const { return region >> m_bus.shift; }
    [[gnu::always_inline]] Lanes place_in_word(const Lanes& region) const {
        return region & (m_bus.regions - 1);
    }
    /// Of the last word, and what is used of it.
    [[gnu::always_inline]] Lanes moved() const { return word_of(next - 1); }
    [[gnu::always_inline]] Lanes used() const { return place_in_word(next - 1) + 1; }
    void go_on_from(std::size_t lane, std::int64_t moved, std::int64_t used) {
        next[lane] = moved * m_bus.regions + used;
    }
    /// FrameSum::fields of one frame.
    [[gnu::always_inline]] Lanes fields(const Place& place) const {
        const Lanes first = place_in_word(place.start);
        const Lanes behind = place_in_word(place.end - 1) + 1;
        const Lanes one = lanes_of(1);
        const Lanes before_first = m_bus.ones & ((one << first * m_bus.field_bits) - 1);
        const Lanes behind_last = m_bus.ones & -(one << behind * m_bus.field_bits);
        const Lanes inside =
            (behind != m_bus.regions) & (std::int64_t{1} << m_bus.regions * m_bus.field_bits);
        return words(place) * m_bus.ones - before_first - behind_last + inside;
    }
    /// That it touches.
    [[gnu::always_inline]] Lanes words(const Place& place) const {
        return word_of(place.end - 1) - word_of(place.start) + 1;
    }
    /// 1 where it opens a word.
    [[gnu::always_inline]] Lanes opens(const Place& place) const {
        return -(place_in_word(place.start) == 0);
    }

    Lanes next;

private:
    Bus m_bus;
};

}  // namespace

void find(const Rules& r, Job& job) {
    static_assert(runs == lane_count && sizeof(Request) == 24);
    const char* from[runs];
    for (std::size_t lane = 0; lane < runs; ++lane)
        from[lane] = reinterpret_cast<const char*>(job.requests + lane * job.run - (lane == 0 ? 0 : early));
    const auto load = [&from](std::size_t step, std::size_t word) __attribute__((always_inline)) {
        const std::size_t offset = step * sizeof(Request) + word * sizeof(std::int64_t);
        const auto number = [&from, offset ](std::size_t lane) __attribute__((always_inline)) {
            std::int64_t n;
            std::memcpy(&n, from[lane] + offset, sizeof n);
            return n;
        };
        return Lanes{number(0), number(1), number(2), number(3), number(4), number(5), number(6), number(7)};
    };
    const auto touched =
        [](const Lanes& address, const Lanes& length, int shift) __attribute__((always_inline)) {
        const std::int64_t mask = (std::int64_t{1} << shift) - 1;
        return ((address & mask) + length + mask) >> shift;
    };

    LaneBus up(r.up);
    LaneBus rq(r.rq);
    Lanes mvb_free = lanes_of(past);
    Lanes last_time = lanes_of(long_ago);  // of the header before
    Lanes last_grant = lanes_of(past);
    Lanes last_headers = lanes_of(past);
    const auto keep = [&](std::int64_t(*kept)[runs]) {
        store_lanes(kept[Job::mvb_free], mvb_free);
        store_lanes(kept[Job::up_moved], up.moved());
        store_lanes(kept[Job::up_used], up.used());
        store_lanes(kept[Job::last_grant], last_grant);
        store_lanes(kept[Job::last_headers], last_headers);
        store_lanes(kept[Job::rq_moved], rq.moved());
        store_lanes(kept[Job::rq_used], rq.used());
    };

    const time_fs first_time = r.dma_start + job.first_cycle * r.dma_period;
    const double inverse = 1.0 / static_cast<double>(r.dma_period);
    const std::int64_t region_items = std::int64_t{1} << r.region_shift;
    const auto to_pcie = [&r](const Lanes& cycle) __attribute__((always_inline)) {
        return (cycle * r.to_pcie.factor + r.to_pcie.offset) >> r.to_pcie.shift;
    };
    Lanes bad = lanes_of(static_cast<std::int64_t>(job.run));
    Lanes needs{};
    Lanes lines{};
    Lanes payloads{};
    Lanes up_fields{};
    Lanes up_sums{};
    Lanes rq_fields{};
    Lanes rq_sums{};
    Lanes tile[row_count][block];

    for (std::size_t step = 0; step != early + job.run; ++step) {
        if (step == early) {
            keep(job.begin);
            // The first run goes on from what is known.
            mvb_free[0] = job.start[Job::mvb_free];
            last_time[0] = long_ago;
            up.go_on_from(0, job.start[Job::up_moved], job.start[Job::up_used]);
            last_grant[0] = job.start[Job::last_grant];
            last_headers[0] = job.start[Job::last_headers];
            rq.go_on_from(0, job.start[Job::rq_moved], job.start[Job::rq_used]);
            from[0] -= early * sizeof(Request);
            bad = lanes_of(static_cast<std::int64_t>(job.run));
            needs = lines = payloads = up_fields = up_sums = rq_fields = rq_sums = Lanes{};
        }
        const Lanes arrival = load(step, 0);
        const Lanes address = load(step, 1);
        const Lanes rest = load(step, 2);
        const Lanes length = rest & 0xFFFF'FFFF;
        const Lanes read = -(rest >> 32 & 1);

        // The word of its header.
        const Lanes since = arrival - 1 - first_time;
        const Lanes arrived = quotient_of(since, r.dma_period, inverse) + (job.first_cycle + 1);
        const Lanes presented = max_of(mvb_free, arrived);
        const Lanes time = presented * r.dma_period + r.dma_start;
        Lanes wrong = since < 0;
        if (r.groups_join) wrong |= arrival <= last_time;
        mvb_free = presented + 1;
        last_time = time;

        // Its frame, if it is a write.
        const Lanes items = (length + 3) >> 2;
        const Lanes up_regions = (items + (region_items - 1)) >> r.region_shift;
        const LaneBus::Place up_place = up.place(presented, up_regions, ~read);
        const Lanes up_moved = up.moved();
        const Lanes up_opens = up.opens(up_place);
        const Lanes up_words = up.words(up_place) - 1 + up_opens;  // that it opens
        wrong |= ~read & (up_words > r.most_cycles);

        // Its grant, and when it is available to RQ.
        const Lanes soonest = to_pcie(presented) + r.up_cycles;
        const Lanes granted = max_of(soonest, last_grant + 1);
        const Lanes headers = max_of(granted + r.header_cycles, last_headers + 1);
        const Lanes payload = to_pcie(up_moved) + r.payload_cycles;
        const Lanes available = read ? headers : max_of(headers, payload);
        wrong |= max_of(rq.moved(), available) - soonest > r.most_cycles;
        last_grant = granted;
        last_headers = available;

        const Lanes rq_items = read ? lanes_of(r.read_header) : items + r.write_header;
        const Lanes rq_regions = (rq_items + (region_items - 1)) >> r.region_shift;
        const LaneBus::Place rq_place = rq.place(available, rq_regions, lanes_of(-1));

        // What may not be sent.
        const Lanes place = address & 4095;
        const Lanes limit = read ? lanes_of(r.mrrs) : lanes_of(r.mps);
        wrong |= ((place & 3) + length > limit) | (place + length > 4096);
        bad = wrong ? min_of(bad, lanes_of(static_cast<std::int64_t>(step - early))) : bad;
        if (step < early) continue;

        const Lanes padded = ((address & r.padding) + length + r.padding) & ~r.padding;
        const Lanes bytes = read ? lanes_of(r.read_overhead) : padded + r.write_overhead;
        const Lanes storage = read & (touched(address, length, r.storage_shift) << words_shift);
        const Lanes entries = read & (touched(address, length, r.rcb_shift) << entries_shift);
        needs += bytes + storage + entries;
        payloads += length;
        const Lanes line_mask = lanes_of(line_bytes - 1);
        const Lanes line_end = (address & line_mask) + length;
        const Lanes lines_touched = (line_end + line_mask) >> line_shift;
        const Lanes lines_cut = -((address & line_mask) != 0) - ((line_end & line_mask) != 0);
        const Lanes snoops = (rest >> 40 & no_snoop) - 1;
        lines += ((read & (lines_touched << read_shift)) |
                  (~read & (lines_touched | min_of(lines_cut, lines_touched) << merged_shift))) +
                 ((snoops & lines_touched) << snooped_shift);
        const Lanes up_last_items = (items - 1) & (region_items - 1);
        const Lanes rq_last_items = (rq_items - 1) & (region_items - 1);
        up_fields += ~read & up.fields(up_place);
        up_sums += ~read & (up_last_items + (up_opens << opened_shift) + (up_words << touched_shift));
        rq_fields += rq.fields(rq_place);
        rq_sums +=
            rq_last_items + (rq.opens(rq_place) << opened_shift) + (rq.words(rq_place) << touched_shift);

        const std::size_t place_in_block = step % block;
        const auto put =
            [&tile, place_in_block ](Row row, const Lanes& lanes) __attribute__((always_inline)) {
            tile[row][place_in_block] = lanes;
        };
        put(presented_row, presented);
        put(granted_row, granted);
        put(available_row, available);
        put(start_row, rq.word_of(rq_place.start));
        put(moved_row, rq.moved());
        put(bytes_row, bytes);
        put(up_moved_row, up_moved);
        put(used_row, rq.used() | up.used() << up_used_shift);
        put(needs_row, needs);
        put(lines_row, lines);
        put(payload_row, payloads);
        put(up_fields_row, up_fields);
        put(up_sums_row, up_sums);
        put(rq_fields_row, rq_fields);
        put(rq_sums_row, rq_sums);
        if (place_in_block != block - 1) continue;
        const std::size_t first = step - early - (block - 1);
        for (std::size_t row = 0; row < row_count; ++row) {
            transpose(tile[row]);
            for (std::size_t lane = 0; lane < runs; ++lane)
                store_lanes(job.rows[row] + lane * job.run + first, tile[row][lane]);
        }
    }
    keep(job.end);
    store_lanes(job.bad, bad);
}

}  // namespace tlmetry::endpoint::up_plan
