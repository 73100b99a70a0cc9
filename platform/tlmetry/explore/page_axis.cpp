// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/page_axis.hpp"

#include <tlmetry/explore/scale.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace tlmetry::explore {

namespace {

/// Looked at to see whether values are numbers.
constexpr std::uint64_t most_looked_at = 10'000;

std::string joined(const std::vector<std::string>& texts) {
    std::string text;
    for (const std::string& part : texts)
        text += (text.empty() ? "" : " & ") + part;
    return text;
}

std::string label_of(const std::vector<std::string>& first, const std::vector<std::string>& last) {
    const std::string from = joined(first), to = joined(last);
    return from == to ? from : from + " … " + to;
}

/// Numbers of the values with this name, in the order of the axis, with steps between them; nothing unless
/// all are different numbers of one unit.
std::optional<std::vector<Number>> numbers_of(const Axis& axis, std::size_t name) {
    std::vector<Number> numbers;
    const auto add = [&](const std::vector<std::string>& texts) {
        const auto number = number_of(texts[name]);
        if (!number || (!numbers.empty() && std::string(number->unit) != numbers.front().unit)) return false;
        numbers.push_back(*number);
        return true;
    };
    const std::uint64_t step = (axis.size() + most_looked_at - 1) / most_looked_at;
    for (std::uint64_t i = 0; i < axis.size(); i += step)
        if (!add(axis.values(i))) return {};
    if (!add(axis.values(axis.size() - 1))) return {};
    if ((axis.size() - 1) % step == 0) numbers.pop_back();
    std::vector<double> sorted;
    sorted.reserve(numbers.size());
    for (const Number& number : numbers)
        sorted.push_back(number.value);
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return {};
    return numbers;
}

/// All are the least one times powers of 2, or the one in the middle is nearer to the geometric than to the
/// arithmetic mean of the ends.
bool rises_by_factors(std::vector<double> numbers) {
    constexpr std::size_t few = 3;
    constexpr double wide = 4;
    std::sort(numbers.begin(), numbers.end());
    if (numbers.size() < few || numbers.front() <= 0 || numbers.back() < wide * numbers.front()) return false;
    const auto doubled = [&](double number) {
        const double steps = std::log2(number / numbers.front());
        return steps == std::floor(steps);
    };
    if (std::all_of(numbers.begin(), numbers.end(), doubled)) return true;
    const std::size_t last = numbers.size() - 1;
    const double middle = (numbers[last / 2] + numbers[(last + 1) / 2]) / 2;
    const double geometric = std::sqrt(numbers.front() * numbers.back());
    return std::abs(middle - geometric) < std::abs(middle - (numbers.front() + numbers.back()) / 2);
}

}  // namespace

double rounded(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.7g", value);
    return std::strtod(text, nullptr);
}

PageAxis::PageAxis(const Plan& plan)
    : m_bases(true), m_title("base"), m_names{"base"}, m_values(plan.bases().size()) {
    for (const Base& base : plan.bases())
        m_labels.push_back(base.name);
}

std::vector<PageAxis> PageAxis::all(const Plan& plan, std::size_t most_places, std::size_t bins) {
    std::vector<PageAxis> axes;
    if (bases_are_an_axis(plan)) axes.emplace_back(plan);
    const bool sampled = plan.sampling() != Sampling::grid;
    for (std::size_t a = 0; a < plan.axes().size(); ++a)
        axes.emplace_back(plan, a, sampled ? std::min(bins, most_places) : most_places);
    return axes;
}

PageAxis::PageAxis(const Plan& plan, std::size_t axis, std::size_t most_places)
    : m_axis(axis), m_sampled(plan.sampling() != Sampling::grid) {
    const Axis& of = plan.axes()[axis];
    for (std::size_t a = 0; a < axis; ++a)
        m_first_name += plan.axes()[a].names().size();
    m_title = of.title();
    m_names = of.names();
    m_values = of.size();
    std::vector<double> numbers;
    for (std::size_t name = 0; name < m_names.size() && !m_numeric; ++name) {
        const auto found = numbers_of(of, name);
        if (!found) continue;
        m_numeric = true;
        m_coordinate = name;
        m_unit = found->front().unit;
        for (const Number& number : *found)
            numbers.push_back(number.value);
    }
    m_logarithmic = m_numeric && (of.unbounded() || rises_by_factors(numbers));
    if (m_sampled && m_numeric && (of.unbounded() || of.size() > most_places)) {
        const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
        m_low = *low;
        m_high = *high;
        make_bins(most_places);
    } else {
        join_values(of, most_places);
    }
}

/// Equally wide ones, by the logarithm where the axis is logarithmic.
void PageAxis::make_bins(std::size_t bins) {
    const auto edge = [&](double part) {
        return m_logarithmic ? m_low * std::pow(m_high / m_low, part) : m_low + (m_high - m_low) * part;
    };
    const auto count = static_cast<double>(bins);
    for (std::size_t i = 0; i < bins; ++i) {
        const auto at = static_cast<double>(i);
        m_numbers.push_back(edge((at + 0.5) / count));
        char text[80];
        std::snprintf(text, sizeof text, "%.4g … %.4g", edge(at / count), edge((at + 1) / count));
        m_labels.emplace_back(text);
    }
}

/// Each value has its place, or some that stand beside each other have one.
void PageAxis::join_values(const Axis& axis, std::size_t most_places) {
    const std::uint64_t places = std::min<std::uint64_t>(axis.size(), most_places);
    m_labels.reserve(places);
    for (std::uint64_t place = 0; place < places; ++place) {
        const std::uint64_t first = (place * m_values + places - 1) / places;
        const std::uint64_t last = ((place + 1) * m_values + places - 1) / places - 1;
        const auto first_texts = axis.values(first), last_texts = axis.values(last);
        m_labels.push_back(label_of(first_texts, last_texts));
        if (!m_numeric) continue;
        const double a = number_of(first_texts[m_coordinate])->value;
        const double b = number_of(last_texts[m_coordinate])->value;
        m_numbers.push_back(m_logarithmic ? std::sqrt(a * b) : (a + b) / 2);
        if (first == last) m_numbers.back() = a;
    }
    if (!m_sampled) return;
    for (std::uint64_t i = 0; i < m_values; ++i)
        m_place_of.emplace(axis.values(i), place_of_value(i));
}

std::size_t PageAxis::place_of_value(std::uint64_t value) const {
    return static_cast<std::size_t>(value * m_labels.size() / m_values);
}

std::size_t PageAxis::bin_of(double number) const {
    const double part = m_logarithmic ? std::log(number / m_low) / std::log(m_high / m_low)
                                      : (number - m_low) / (m_high - m_low);
    const auto size = static_cast<double>(m_labels.size());
    return static_cast<std::size_t>(std::clamp(std::floor(part * size), 0.0, size - 1));
}

double PageAxis::number(const Point& point) const {
    const auto number = number_of(point.values[m_first_name + m_coordinate].second);
    return number ? number->value : 0;
}

std::size_t PageAxis::place(const Plan& plan, const Point& point) const {
    if (m_bases) return point.base;
    if (!m_sampled) return place_of_value(plan.value(point.index, m_axis));
    if (m_place_of.empty()) return bin_of(number(point));
    std::vector<std::string> texts;
    for (std::size_t n = 0; n < m_names.size(); ++n)
        texts.push_back(point.values[m_first_name + n].second);
    return m_place_of.at(texts);
}

page::Json PageAxis::json() const {
    page::Json numbers = page::Json::array();
    for (const double number : m_numbers)
        numbers.push_back(rounded(number));
    return {
        {"title", m_title},     {"names", m_names},
        {"unit", m_unit},       {"coordinate", m_coordinate},
        {"log", m_logarithmic}, {"binned", m_place_of.empty() && (m_sampled || m_labels.size() != m_values)},
        {"labels", m_labels},   {"numbers", numbers}};
}

}  // namespace tlmetry::explore
