// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/wave/vcd_reader.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace tlmetry::wave {
namespace {

// All time stamps are below; times a little later are still before `never`.
constexpr time_fs latest_s = never / fs_per_s;

constexpr std::size_t words_for(std::uint32_t bits) {
    return (bits + 63) / 64;
}

constexpr std::uint64_t ones(std::uint32_t count) {
    return count >= 64 ? ~0ULL : (1ULL << count) - 1;
}

// What a value digit stands for: bit 0 the value, bit 1 unknown.
constexpr Byte no_digit = 4;
constexpr Byte unknown_digit = 2;
constexpr std::array<Byte, 256> make_digits() {
    std::array<Byte, 256> digits{};
    for (Byte& d : digits)
        d = no_digit;
    for (const char c : {'0', 'l', 'L'})
        digits[static_cast<Byte>(c)] = 0;
    for (const char c : {'1', 'h', 'H'})
        digits[static_cast<Byte>(c)] = 1;
    for (const char c : {'x', 'X', 'z', 'Z', 'u', 'U', 'w', 'W', '-'})
        digits[static_cast<Byte>(c)] = unknown_digit;
    return digits;
}
constexpr std::array<Byte, 256> digit_of = make_digits();

// Values with white space before their identifier code: bits, reals, strings.
constexpr bool is_string(Byte c) {
    return c == 's' || c == 'S';
}
constexpr bool is_other(Byte c) {
    return c == 'r' || c == 'R' || is_string(c);
}
constexpr bool is_vector(Byte c) {
    return c == 'b' || c == 'B' || is_other(c);
}

// Strings may contain blanks: the last word of the line that `pos`, the beginning of one, stands in; `limit`
// when the line is not complete.
const Byte* last_word_of_line(const Byte* pos, const Byte* limit) {
    const Byte* end = std::find(pos, limit, Byte{'\n'});
    if (end == limit) return limit;
    while (end != pos && is_space(end[-1]))
        --end;
    while (end != pos && !is_space(end[-1]))
        --end;
    return end;
}

// Eight characters, the first one in the lowest byte.
std::uint64_t load(const Byte* from) {
    std::uint64_t characters = 0;
    for (unsigned i = 0; i < 8; ++i)
        characters |= std::uint64_t{from[i]} << 8 * i;
    return characters;
}

constexpr std::uint64_t each(std::uint64_t character) {
    return 0x0101'0101'0101'0101 * character;
}

// The first character at or behind `pos` that ends a word. Looks at eight at a time: subtracting '!' borrows
// into the top bit of those below it.
const Byte* end_of_word(const Byte* pos) {
    for (;; pos += 8) {
        const std::uint64_t characters = load(pos);
        const std::uint64_t below = (characters - each('!')) & ~characters & each(0x80);
        if (below != 0) return pos + __builtin_ctzll(below) / 8;
    }
}

// Up to eight digits that end at `end`, right-aligned; for 0 and 1 all at once: the multiplication moves the
// lowest bit of byte i to bit 63 - i.
struct Digits {
    std::uint64_t value;
    std::uint64_t unknown;
    bool valid;
};
Digits read_digits(const Byte* end, std::uint32_t count) {
    const std::uint64_t in_front = count < 8 ? ~0ULL >> 8 * count : 0;
    const std::uint64_t bits = (load(end - 8) ^ each('0')) & ~in_front;
    if ((bits & ~each(1)) == 0) return {bits * 0x8040'2010'0804'0201 >> 56, 0, true};
    Digits digits{0, 0, true};
    for (const Byte* digit = end - count; digit != end; ++digit) {
        const Byte d = digit_of[*digit];
        digits.valid = digits.valid && d != no_digit;
        digits.value = digits.value << 1 | (d & 1U);
        digits.unknown = digits.unknown << 1 | (d >> 1 & 1U);
    }
    return digits;
}

}  // namespace

bool Bits::is_known() const {
    return std::all_of(unknown, unknown + words(), [](std::uint64_t word) { return word == 0; });
}

VcdReader::VcdReader(Input input, std::size_t chunk_bytes)
    : m_scanner(std::move(input), chunk_bytes),
      m_header(parse_header(m_scanner, m_ids)),
      m_followers(m_header.ids),
      m_max_ticks(static_cast<std::uint64_t>((latest_s * fs_per_s - 1) / m_header.tick_fs)) {}

VcdReader::Handle VcdReader::select(const Signal& signal) {
    const auto handle = static_cast<Handle>(m_signals.size());
    m_signals.push_back({m_now.size(), signal.width, 0});
    const std::size_t words = words_for(signal.width);
    m_now.resize(m_now.size() + 2 * words);
    m_before.resize(m_now.size());
    for (std::uint32_t bit = 0; bit < signal.width; bit += 64)
        m_now[m_now.size() - words + bit / 64] = ones(signal.width - bit);
    for (const Piece& piece : signal.pieces) {
        const Variable& variable = m_header.variables[piece.variable];
        Follower& follower = m_followers[variable.id];
        if (!follower.targets.empty() && follower.width != variable.width)
            throw UserError(m_header.source + ": variable " + shown(m_header.path(variable)) + ": expected " +
                            std::to_string(follower.width) +
                            " bits as another variable with its identifier code, " + "found " +
                            std::to_string(variable.width));
        follower.width = variable.width;
        m_value.resize(std::max(m_value.size(), words_for(variable.width)));
        m_unknown.resize(m_value.size());
        for (std::uint32_t done = 0; done < piece.width;) {
            const std::uint32_t from = piece.variable_lsb + done;
            const std::uint32_t to = piece.signal_lsb + done;
            const std::uint32_t width = std::min({piece.width - done, 64 - from % 64, 64 - to % 64});
            const std::size_t to_value = m_signals.back().first_word + to / 64;
            follower.targets.push_back(
                {handle, from / 64, from % 64, to % 64, to_value, to_value + words, ones(width)});
            done += width;
        }
    }
    return handle;
}

Bits VcdReader::bits(const std::vector<std::uint64_t>& store, Handle signal) const {
    const Slot& slot = m_signals[signal];
    const std::uint64_t* const value = store.data() + slot.first_word;
    return {value, value + words_for(slot.width), slot.width};
}

bool VcdReader::next_step() {
    do {
        ++m_step;
        m_changes.clear();
        if (m_ended) return false;
        m_time = static_cast<time_fs>(m_next_ticks) * m_header.tick_fs;
        m_rewritten = false;
        read_changes();
        if (m_rewritten) drop_unchanged();
    } while (m_changes.empty());
    return true;
}

// Reads up to the next later time stamp or the end of the recording.
void VcdReader::read_changes() {
    const Byte* pos = m_scanner.pos();
    const Byte* limit = m_scanner.limit();
    const auto resume = [&] {
        pos = m_scanner.pos();
        limit = m_scanner.limit();
    };
    // Makes the window longer and goes back to `from`, so that what begins there can be read as a whole.
    const auto extend = [&](const Byte* from) {
        m_scanner.set_pos(from);
        const bool extended = m_scanner.refill();
        resume();
        return extended;
    };
    for (;;) {
        while (pos != limit && is_space(*pos))
            ++pos;
        if (pos == limit) {
            if (extend(pos)) continue;
            if (m_section == Section::open) m_scanner.fail("$end behind $dump...", end_of_file);
            m_ended = true;
            return;
        }
        const Byte* const start = pos;
        const Byte* digits = start;
        const Byte* digits_end = start + 1;
        if (digit_of[*start] != no_digit) {
            pos = digits_end;
        } else if (is_vector(*start)) {
            digits = ++pos;
            pos = digits_end = end_of_word(pos);
            if (!is_space(*pos)) {
                m_scanner.set_pos(start);
                m_scanner.fail("printable characters in a value", shown(m_scanner.next_word()));
            }
            while (pos != limit && is_space(*pos))
                ++pos;
            if (is_string(*start) && pos != limit) pos = last_word_of_line(pos, limit);
            if (pos == limit) {
                if (extend(start)) continue;
                m_scanner.fail("an identifier code behind " + shown(m_scanner.next_word()), end_of_file);
            }
        } else if (*start == '#') {
            if (!read_time(++pos)) continue;
            m_scanner.set_pos(pos);
            return;
        } else {
            m_scanner.set_pos(start);
            read_keyword();
            resume();
            continue;
        }
        const Byte* const id_begin = pos;
        const std::uint32_t id = m_ids.find(pos);
        if (id == IdTable::unknown) {
            m_scanner.set_pos(start);
            m_scanner.fail("an identifier code that the header declares", shown(text(id_begin, pos)));
        }
        const Follower& follower = m_followers[id];
        if (follower.targets.empty()) continue;
        if (is_other(*start)) digits_end = digits;
        if (!decode(digits, digits_end, follower.width)) {
            m_scanner.set_pos(start);
            m_scanner.fail("at least 1 and at most " + std::to_string(follower.width) +
                               " digits 0, 1, x, z for " + shown(text(id_begin, pos)),
                           shown(text(start, std::max(digits_end, start + 1))));
        }
        for (const Target& target : follower.targets)
            store(target);
    }
}

// Reads the digits of a time stamp at `pos`, which moves behind them; true when it begins a new step.
bool VcdReader::read_time(const Byte*& pos) {
    const Byte* const begin = pos;
    const std::uint64_t limit = m_max_ticks;
    const auto at_digit = [&] { return *pos >= '0' && *pos <= '9'; };
    std::uint64_t ticks = 0;
    while (at_digit() && ticks <= limit / 10)
        ticks = 10 * ticks + (*pos++ - Byte{'0'});
    if (pos != begin && is_space(*pos) && ticks >= m_next_ticks && ticks <= limit) {
        if (ticks == m_next_ticks) return false;
        m_next_ticks = ticks;
        if (m_section == Section::open) m_section = Section::passed;
        return true;
    }
    const bool too_late = ticks > limit || at_digit();
    m_scanner.set_pos(begin - 1);
    const std::string stamp = shown(m_scanner.next_word());
    if (too_late) m_scanner.fail("time stamps below " + std::to_string(latest_s) + " s", stamp);
    if (pos == begin || !is_space(*pos)) m_scanner.fail("a time stamp of # and digits", stamp);
    m_scanner.fail("time stamps that never go back, so at least #" + std::to_string(m_next_ticks), stamp);
}

void VcdReader::read_keyword() {
    const std::string word(m_scanner.next_word());
    if (word == "$dumpvars" || word == "$dumpall" || word == "$dumpon" || word == "$dumpoff") {
        m_section = Section::open;
    } else if (word == "$end") {
        if (m_section == Section::none) m_scanner.fail("a $dump... section before its $end", shown(word));
        m_section = Section::none;
    } else if (word == "$var" || word == "$scope" || word == "$upscope" || word == "$timescale") {
        m_scanner.fail("all declarations before $enddefinitions", shown(word));
    } else if (word[0] == '$') {
        m_scanner.skip_section(word);
    } else if (word[0] == 'p') {
        m_scanner.fail("a value change (record with $dumpvars)", "one of $dumpports, " + shown(word));
    } else {
        m_scanner.fail("a value change or a time stamp", shown(word));
    }
}

// Puts the value of a variable of `width` bits into m_value and m_unknown. False if there are no digits, too
// many, or something else.
bool VcdReader::decode(const Byte* begin, const Byte* end, std::uint32_t width) {
    if (begin == end || end - begin > static_cast<std::ptrdiff_t>(width)) return false;
    const auto length = static_cast<std::uint32_t>(end - begin);
    // A short value is continued to the left with zeros, or with x or z when it starts so.
    const std::uint64_t fill = digit_of[*begin] == unknown_digit ? ~0ULL : 0;
    bool valid = true;
    for (std::uint32_t bit = 0, word = 0; bit < width; bit += 64, ++word) {
        const std::uint32_t in_word = bit < length ? std::min(length - bit, 64U) : 0;
        std::uint64_t value = 0;
        std::uint64_t unknown = in_word < 64 ? fill << in_word : 0;
        for (std::uint32_t done = 0; done < in_word; done += 8, end -= 8) {
            const Digits digits = read_digits(end, std::min(in_word - done, 8U));
            valid = valid && digits.valid;
            value |= digits.value << done;
            unknown |= digits.unknown << done;
        }
        m_value[word] = value;
        m_unknown[word] = unknown & ones(width - bit);
    }
    return valid;
}

void VcdReader::store(const Target& target) {
    const std::uint64_t value = m_value[target.from_word] >> target.from_shift & target.mask;
    const std::uint64_t unknown = m_unknown[target.from_word] >> target.from_shift & target.mask;
    std::uint64_t& now_value = m_now[target.to_value];
    std::uint64_t& now_unknown = m_now[target.to_unknown];
    const std::uint64_t other_value = now_value ^ value << target.to_shift;
    const std::uint64_t other_unknown = now_unknown ^ unknown << target.to_shift;
    const std::uint64_t mask = target.mask << target.to_shift;
    if (((other_value | other_unknown) & mask) == 0) return;
    Slot& slot = m_signals[target.signal];
    if (slot.touched_in == m_step) {
        m_rewritten = true;
    } else {
        slot.touched_in = m_step;
        const std::size_t end = slot.first_word + 2 * words_for(slot.width);
        for (std::size_t i = slot.first_word; i < end; ++i)
            m_before[i] = m_now[i];
        m_changes.push_back(target.signal);
    }
    now_value ^= other_value & mask;
    now_unknown ^= other_unknown & mask;
}

// Forgets the signals that got their old value back within the step.
void VcdReader::drop_unchanged() {
    const auto unchanged = [&](Handle signal) {
        const Slot& slot = m_signals[signal];
        const auto begin = m_now.begin() + static_cast<std::ptrdiff_t>(slot.first_word);
        return std::equal(begin, begin + static_cast<std::ptrdiff_t>(2 * words_for(slot.width)),
                          m_before.begin() + static_cast<std::ptrdiff_t>(slot.first_word));
    };
    m_changes.erase(std::remove_if(m_changes.begin(), m_changes.end(), unchanged), m_changes.end());
}

}  // namespace tlmetry::wave
