// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/summary.hpp"

#include <tlmetry/account/batch_means.hpp>
#include <tlmetry/explore/result_files.hpp>

#include <algorithm>
#include <cmath>

namespace tlmetry::explore {

void Tally::add(double value) {
    ++m_count;
    const double distance = value - m_mean;
    m_mean += distance / static_cast<double>(m_count);
    m_squares += distance * (value - m_mean);
}

double Tally::deviation() const {
    return m_count < 2 ? 0 : std::sqrt(m_squares / static_cast<double>(m_count - 1));
}

double Tally::half_width() const {
    if (m_count < 2) return 0;
    const auto count = static_cast<double>(m_count);
    return account::student_t(count - 1) * deviation() / std::sqrt(count);
}

void Values::add(const Value& value) {
    if (const auto* number = std::get_if<double>(&value)) m_numbers.add(*number);
    if (const auto* text = std::get_if<std::string>(&value)) ++m_texts[*text];
}

Value Values::value() const {
    if (m_numbers.count() != 0) return m_numbers.mean();
    const auto most = std::max_element(m_texts.begin(), m_texts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == m_texts.end() ? Value() : most->first;
}

void each_combination(const Plan& plan, Store& store,
                      const std::function<void(const Combination& combination)>& visit) {
    Combination now;
    const auto begun = [&] { return now.succeeded + now.failed != 0; };
    store.each([&](std::uint64_t index, const Result& result) {
        if (begun() && now.point.index / plan.repetitions() != index / plan.repetitions()) {
            visit(now);
            now = {};
        }
        if (!begun()) {
            now.point = plan.point(index);
            now.outputs.resize(plan.outputs().size());
        }
        ++(result.error.empty() ? now.succeeded : now.failed);
        const std::vector<Value> values = values_of(plan, result);
        for (std::size_t o = 0; o < values.size(); ++o)
            now.outputs[o].add(values[o]);
    });
    if (begun()) visit(now);
}

void write_summary_csv(std::ostream& out, const Plan& plan, Store& store) {
    const auto line = [&](const std::vector<Value>& cells) {
        for (std::size_t c = 0; c < cells.size(); ++c)
            out << (c == 0 ? "" : ",") << page::cell_csv(cells[c]);
        out << '\n';
    };
    std::vector<Value> cells = {"point", "base"};
    for (const std::string& name : parameters_of(plan))
        cells.emplace_back(name);
    cells.emplace_back("repetitions");
    cells.emplace_back("failed");
    for (const std::string& name : plan.outputs()) {
        cells.emplace_back(name);
        cells.emplace_back(name + ".deviation");
        cells.emplace_back(name + ".interval");
    }
    line(cells);
    each_combination(plan, store, [&](const Combination& combination) {
        const Point& point = combination.point;
        cells = {static_cast<double>(point.index), plan.bases()[point.base].name};
        for (const auto& [name, text] : point.values)
            cells.push_back(value_of(text));
        cells.emplace_back(static_cast<double>(combination.succeeded));
        cells.emplace_back(static_cast<double>(combination.failed));
        for (const Values& values : combination.outputs) {
            const bool known = values.numbers().count() > 1;
            cells.push_back(values.value());
            cells.push_back(known ? Value(values.numbers().deviation()) : Value());
            cells.push_back(known ? Value(values.numbers().half_width()) : Value());
        }
        line(cells);
    });
}

}  // namespace tlmetry::explore
