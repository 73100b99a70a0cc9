// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/axis.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/config/text.hpp>

#include <algorithm>
#include <cmath>

namespace tlmetry::explore {

namespace {

using config::found;

constexpr std::uint64_t most_spread = 1'000'000;
constexpr std::string_view dots = "..";

/// Parts between `separator`, but not where it stands in parentheses.
std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && text[i] == '(') ++depth;
        if (i < text.size() && text[i] == ')') --depth;
        if (i < text.size() && (text[i] != separator || depth > 0)) continue;
        parts.push_back(trimmed(text.substr(begin, i - begin)));
        begin = i + 1;
    }
    return parts;
}

[[noreturn]] void refuse(const std::string& place, const std::string& expected, std::string_view text) {
    throw UserError(place + ": expected " + expected + ", found " + found(text));
}

}  // namespace

Stretch::Stretch(std::string_view text, const std::string& place) {
    if (text.empty()) refuse(place, "a value", text);
    if (text.front() == '(' && text.back() == ')') {
        m_text = trimmed(text.substr(1, text.size() - 2));
        return;
    }
    if (text.find(dots) == text.npos) {
        m_text = text;
        return;
    }
    const std::size_t blank = std::min(text.find_first_of(" \t"), text.size());
    read_range(text.substr(0, blank), trimmed(text.substr(blank)), place);
}

void Stretch::read_range(std::string_view ends, std::string_view how, const std::string& place) {
    const std::size_t middle = ends.find(dots);
    if (middle == ends.npos) refuse(place, "a range such as 64..512, or a value in parentheses", ends);
    const std::string_view low = ends.substr(0, middle);
    const std::string_view high = ends.substr(middle + dots.size());
    m_scale = Scale::of(low, high);
    if (!m_scale) refuse(place, "a range between two numbers of one unit", ends);
    m_low = *m_scale->parse(low);
    m_high = *m_scale->parse(high);
    m_text = ends;
    if (m_low >= m_high) refuse(place, "a range from a lower to a higher number", ends);

    const std::size_t blank = std::min(how.find_first_of(" \t"), how.size());
    const std::string_view word = how.substr(0, blank);
    const std::string_view argument = trimmed(how.substr(blank));
    m_logarithmic = word.substr(0, 3) == "log";
    if (m_logarithmic && m_low == 0) refuse(place, "a range that begins above 0 for steps of log", ends);
    if (how.empty()) {
        m_step = 1;
        m_stepless = !m_scale->plain();
    } else if (word == "step") {
        const auto step = m_scale->parse(argument);
        if (!step || *step == 0) refuse(place, "a step in the unit of the range", argument);
        m_step = *step;
    } else if (how == "log2" || how == "log10") {
        const std::int64_t factor = how == "log2" ? 2 : 10;
        for (std::int64_t value = m_low;; value *= factor) {
            m_values.push_back(value);
            if (value > m_high / factor) break;
        }
    } else if (how == "log") {
        m_unbounded = true;
        m_values = {m_low, m_high};
    } else if (word == "lin" || word == "log") {
        const auto count = parse_unsigned(argument);
        if (!count || *count < 2 || *count > most_spread)
            refuse(place, "a number of values from 2 to " + std::to_string(most_spread), argument);
        spread(*count, m_logarithmic);
    } else {
        refuse(place, "step S, lin N, log N, log2 or log10 behind the range", how);
    }
    m_size = m_step == 0 ? m_values.size() : static_cast<std::uint64_t>((m_high - m_low) / m_step) + 1;
}

/// Equal distances or factors between whole numbers; those that are equal come once.
void Stretch::spread(std::uint64_t count, bool logarithmic) {
    const auto low = static_cast<long double>(m_low);
    const auto high = static_cast<long double>(m_high);
    for (std::uint64_t i = 0; i < count; ++i) {
        const long double part = static_cast<long double>(i) / static_cast<long double>(count - 1);
        const long double value = logarithmic ? low * std::pow(high / low, part) : low + (high - low) * part;
        m_values.push_back(i + 1 == count ? m_high : static_cast<std::int64_t>(std::llround(value)));
    }
    m_values.erase(std::unique(m_values.begin(), m_values.end()), m_values.end());
}

std::string Stretch::value(std::uint64_t i) const {
    if (!m_scale) return m_text;
    return m_scale->text(m_step == 0 ? m_values.at(i) : m_low + static_cast<std::int64_t>(i) * m_step);
}

std::string Stretch::at_part(double u) const {
    if (m_unbounded) {
        const auto low = static_cast<double>(m_low);
        const double value = low * std::pow(static_cast<double>(m_high) / low, u);
        return m_scale->text(std::clamp<std::int64_t>(std::llround(value), m_low, m_high));
    }
    const auto i = static_cast<std::uint64_t>(u * static_cast<double>(m_size));
    return value(std::min(i, m_size - 1));
}

Axis::Axis(const config::Assignment& line) : m_place(line.place) {
    for (const std::string_view name : split(line.name, '&')) {
        if (name.empty()) refuse(m_place, "NAME, or NAME & NAME", line.name);
        if (std::find(m_names.begin(), m_names.end(), name) != m_names.end())
            throw UserError(m_place + ": expected different parameters, found " + found(name) + " twice");
        m_names.emplace_back(name);
    }
    if (line.text.empty()) refuse(m_place, "values separated by commas", line.text);
    for (const std::string_view text : split(line.text, ',')) {
        const auto parts = split(text, '&');
        if (parts.size() != m_names.size())
            refuse(m_place,
                   m_names.size() == 1 ? "one value between two commas"
                                       : std::to_string(m_names.size()) + " values with & between them",
                   text);
        Item item;
        for (const std::string_view part : parts) {
            item.stretches.emplace_back(part, m_place);
            const std::uint64_t size = item.stretches.back().size();
            if (size == 1) continue;
            if (item.size != 1 && item.size != size) refuse(m_place, "ranges of equally many values", text);
            item.size = size;
        }
        m_size += item.size;
        m_items.push_back(std::move(item));
    }
}

std::string Axis::title() const {
    std::string title;
    for (const std::string& name : m_names)
        title += (title.empty() ? "" : " & ") + name;
    return title;
}

std::vector<std::string> Axis::values(std::uint64_t i) const {
    std::size_t item = 0;
    for (; i >= m_items[item].size; ++item)
        i -= m_items[item].size;
    std::vector<std::string> result;
    for (const Stretch& stretch : m_items[item].stretches)
        result.push_back(stretch.value(stretch.size() == 1 ? 0 : i));
    return result;
}

std::vector<std::string> Axis::sample(double u) const {
    if (m_items.size() != 1)
        return values(std::min(static_cast<std::uint64_t>(u * static_cast<double>(m_size)), m_size - 1));
    std::vector<std::string> result;
    for (const Stretch& stretch : m_items.front().stretches)
        result.push_back(stretch.at_part(u));
    return result;
}

bool Axis::unbounded() const {
    return std::any_of(m_items.begin(), m_items.end(), [](const Item& item) {
        return std::any_of(item.stretches.begin(), item.stretches.end(),
                           [](const Stretch& stretch) { return stretch.unbounded(); });
    });
}

void Axis::require_steps() const {
    for (const Item& item : m_items) {
        for (const Stretch& stretch : item.stretches) {
            if (!stretch.stepless()) continue;
            throw UserError(m_place + ": expected step, lin N or log N behind a range with a unit, found " +
                            found(stretch.text()) + ", which has " + std::to_string(stretch.size()) +
                            " values");
        }
    }
}

}  // namespace tlmetry::explore
