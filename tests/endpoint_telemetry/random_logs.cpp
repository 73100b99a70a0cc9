// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint_telemetry/random_logs.hpp"

#include <algorithm>

namespace tlmetry::testing {

using endpoint::Headers;
using endpoint::Interval;
using endpoint::Piece;
using endpoint::Step;

namespace {

cycle_t begin_of(const Piece& piece) {
    return piece.presented;
}
cycle_t begin_of(const Headers& word) {
    return word.presented;
}
cycle_t begin_of(const Interval& interval) {
    return interval.from;
}
cycle_t begin_of(const Step& step) {
    return step.at;
}

/// How long the thing may be known to have begun, and no more. What joins a word is known with the word.
cycle_t lasts_to(const Piece& piece) {
    return piece.opens_word() ? piece.moved : -1;
}
cycle_t lasts_to(const Headers& word) {
    return word.moved;
}
cycle_t lasts_to(const Interval& interval) {
    return interval.to;
}
cycle_t lasts_to(const Step&) {
    return -1;
}

}  // namespace

template <class Item>
void Script<Item>::show_to(cycle_t end, Random& random, Shown<Item>& shown) {
    shown.since = never;
    while (m_shown < items.size() && begin_of(items[m_shown]) < end) {
        if (lasts_to(items[m_shown]) >= end && random.chance(1, 2)) {
            shown.since = begin_of(items[m_shown]);
            return;
        }
        shown.log.push(items[m_shown++]);
    }
    for (std::uint32_t more = random.below(3); more != 0 && m_shown < items.size(); --more)
        shown.log.push(items[m_shown++]);
}

template class Script<Piece>;
template class Script<Headers>;
template class Script<Interval>;
template class Script<Step>;

Mood Mood::random(Random& random) {
    Mood mood;
    mood.gap_share = random.chance(1, 3) ? 0 : random.between(1, 16);
    mood.longest_gap = random.chance(1, 8) ? 2000 : random.between(1, 40);
    mood.stall_share = random.chance(1, 3) ? 0 : random.between(1, 8);
    mood.longest_stall = random.chance(1, 8) ? 600 : random.between(1, 20);
    return mood;
}

cycle_t Mood::gap(Random& random) const {
    return random.chance(gap_share, 16) ? random.between(1, longest_gap) : 0;
}

cycle_t Mood::stall(Random& random) const {
    return random.chance(stall_share, 16) ? random.between(1, longest_stall) : 0;
}

std::vector<Piece> random_pieces(Random& random, const telemetry::BusShape& shape, cycle_t end) {
    const Mood mood = Mood::random(random);
    const std::uint32_t longest = random.chance(1, 4) ? 40 : random.between(1, 9);
    const bool any_place = random.chance(1, 4);
    const bool claims_rest = random.chance(1, 8);  // open frames may leave regions of a word to nobody
    const bool cut_off = random.chance(1, 8);      // by resets of the endpoint
    std::vector<Piece> pieces;
    cycle_t cycle = 0;
    std::uint32_t left = 0;
    while (cycle < end) {
        Piece piece;
        if (cut_off && random.chance(1, 16)) {
            // A word waits and never moves, the frame does not go on.
            piece.presented = cycle;
            piece.moved = cycle + mood.stall(random);
            piece.first_region = static_cast<std::uint8_t>(random.below(shape.regions));
            piece.flags = Piece::opens_flag;
            pieces.push_back(piece);
            cycle = piece.moved + random.below(2);
            left = 0;
        }
        if (left == 0) cycle += mood.gap(random);
        piece.presented = cycle;
        piece.moved = cycle + mood.stall(random);
        bool opens = true;
        std::uint32_t place = left == 0 && any_place ? random.below(shape.regions) : 0;
        for (;;) {
            const bool starts = left == 0;
            if (starts) left = random.between(1, longest);
            piece.first_region = static_cast<std::uint8_t>(place);
            const std::uint32_t needed = (place + left + shape.regions - 1) / shape.regions;
            const std::uint32_t words = random.chance(1, 3) ? random.between(1, needed) : needed;
            piece.regions = std::min(left, words * shape.regions - place);
            if (claims_rest && piece.regions == left && left > 1 && words == 1) --piece.regions;
            left -= piece.regions;
            piece.flags = Piece::flags_of(opens, starts, left == 0);
            piece.last_items =
                static_cast<std::uint8_t>(left == 0 ? random.below(shape.region_items) : random.below(256));
            pieces.push_back(piece);
            if (words > 1) piece.presented = piece.moved = piece.moved + words - 1;
            place = (place + piece.regions) % shape.regions;
            if (left != 0 || place == 0 || random.chance(1, 4)) break;
            opens = false;
        }
        cycle = piece.moved + 1;
    }
    return pieces;
}

std::vector<Headers> random_headers(Random& random, cycle_t end) {
    const Mood mood = Mood::random(random);
    std::vector<Headers> headers;
    for (cycle_t cycle = 0; cycle < end; cycle = headers.back().moved + 1) {
        const cycle_t presented = cycle + mood.gap(random);
        // One that has waited in vain has no items.
        headers.push_back({presented, presented + mood.stall(random), random.between(0, 4)});
    }
    return headers;
}

std::vector<Interval> random_intervals(Random& random, cycle_t end) {
    const Mood mood = Mood::random(random);
    std::vector<Interval> intervals;
    for (cycle_t cycle = 0; cycle < end; cycle = intervals.back().to) {
        const cycle_t from = cycle + mood.gap(random);
        intervals.push_back({from, from + 1 + mood.stall(random)});
    }
    return intervals;
}

LevelScript::LevelScript(Random& random, std::uint32_t start, cycle_t end) {
    const Mood mood = Mood::random(random);
    auto value = static_cast<std::int32_t>(start);
    const auto most = static_cast<std::int32_t>(start);
    const std::uint32_t largest = random.between(1, 9);
    for (cycle_t cycle = random.below(3); cycle < end; cycle += 1 + mood.gap(random)) {
        // Rises first: what falls in the same cycle may need them.
        for (std::uint32_t n = random.below(4); n != 0 && value < most; --n) {
            const std::int32_t step =
                std::min(static_cast<std::int32_t>(random.between(1, largest)), most - value);
            rises.items.push_back({cycle, step});
            value += step;
        }
        if (random.chance(1, 2)) {
            const std::int32_t step = std::min(static_cast<std::int32_t>(random.below(3 * largest)), value);
            falls.items.push_back({cycle, -step});
            value -= step;
        }
    }
}

std::vector<telemetry::MfbPins> pins_of(const std::vector<Piece>& pieces, const telemetry::BusShape& shape,
                                        cycle_t end) {
    std::vector<telemetry::MfbPins> pins(static_cast<std::size_t>(end));
    for (const Piece& piece : pieces) {
        cycle_t presented = piece.presented;
        cycle_t moved = piece.moved;
        std::uint32_t place = piece.first_region;
        if (piece.regions == 0) {
            for (cycle_t c = presented; c < moved && c < end; ++c)
                pins[static_cast<std::size_t>(c)].src_rdy = true;
        }
        for (std::uint32_t r = 0; r < piece.regions; ++r) {
            for (cycle_t c = presented; c <= moved && c < end; ++c) {
                telemetry::MfbPins& cycle = pins[static_cast<std::size_t>(c)];
                cycle.src_rdy = true;
                cycle.dst_rdy = c == moved;
                cycle.eof_pos.resize(shape.regions, 0);
                if (piece.sof() && r == 0) cycle.sof |= std::uint64_t{1} << place;
                if (piece.eof() && r + 1 == piece.regions) {
                    cycle.eof |= std::uint64_t{1} << place;
                    cycle.eof_pos[place] = piece.last_items;
                }
            }
            if (++place == shape.regions) {
                place = 0;
                presented = ++moved;
            }
        }
    }
    return pins;
}

std::vector<telemetry::MvbWord> words_of(const std::vector<Headers>& headers, cycle_t end) {
    std::vector<telemetry::MvbWord> words(static_cast<std::size_t>(end));
    for (const Headers& word : headers) {
        for (cycle_t c = word.presented; c <= word.moved && c < end; ++c)
            words[static_cast<std::size_t>(c)] = {true, c == word.moved, word.items};
    }
    return words;
}

std::vector<std::uint32_t> values_of(const LevelScript& level, std::uint32_t start, cycle_t end) {
    std::vector<std::int64_t> steps(static_cast<std::size_t>(end), 0);
    for (const auto* script : {&level.falls, &level.rises}) {
        for (const Step& step : script->items) {
            if (step.at < end) steps[static_cast<std::size_t>(step.at)] += step.step;
        }
    }
    std::vector<std::uint32_t> values;
    std::int64_t value = start;
    for (const std::int64_t step : steps)
        values.push_back(static_cast<std::uint32_t>(value += step));
    return values;
}

void mark(const std::vector<Interval>& intervals, std::uint32_t bit, std::vector<std::uint32_t>& masks) {
    for (const Interval& interval : intervals) {
        for (cycle_t c = interval.from; c < interval.to && c < static_cast<cycle_t>(masks.size()); ++c)
            masks[static_cast<std::size_t>(c)] |= 1u << bit;
    }
}

}  // namespace tlmetry::testing
