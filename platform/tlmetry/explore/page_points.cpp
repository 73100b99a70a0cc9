// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/page_points.hpp"

#include <tlmetry/explore/result_files.hpp>

namespace tlmetry::explore {

namespace {

page::Json short_json(const Value& value) {
    if (const auto* number = std::get_if<double>(&value)) return page::cell_json(rounded(*number));
    return page::cell_json(value);
}

}  // namespace

PagePoints::PagePoints(const Plan& plan, const std::vector<PageAxis>& axes)
    : m_plan(plan),
      m_axes(axes),
      m_places(axes.size(), page::Json::array()),
      m_outputs(plan.outputs().size(), page::Json::array()) {
    for (const std::string& name : parameters_of(plan))
        m_columns.push_back({name, {}, {}});
}

void PagePoints::add(std::uint64_t index, const Result& result) {
    const Point point = m_plan.point(index);
    m_index.push_back(index);
    m_base.push_back(point.base);
    if (m_plan.repetitions() > 1) {
        m_repetition.push_back(point.repetition);
        // A text, as it may have more digits than a number of a page.
        const auto last = m_plan.assignments(point).back();
        m_seed.push_back(point.repetition == 0 ? page::Json() : page::Json(last.text));
    }
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        Column& column = m_columns[c];
        const auto [text, is_new] = column.known.emplace(point.values[c].second, column.texts.size());
        if (is_new) column.texts.push_back(text->first);
        column.of.push_back(text->second);
    }
    for (std::size_t a = 0; a < m_axes.size(); ++a)
        m_places[a].push_back(m_axes[a].place(m_plan, point));
    const std::vector<Value> values = values_of(m_plan, result);
    for (std::size_t o = 0; o < m_outputs.size(); ++o)
        m_outputs[o].push_back(short_json(values[o]));
    if (!result.error.empty()) m_errors[std::to_string(m_index.size() - 1)] = result.error;
}

page::Json PagePoints::json() const {
    page::Json parameters = page::Json::array();
    for (const Column& column : m_columns) {
        page::Json numbers = page::Json::array();
        for (const std::string& text : column.texts)
            numbers.push_back(short_json(value_of(text)));
        parameters.push_back(
            {{"name", column.name}, {"texts", column.texts}, {"numbers", numbers}, {"of", column.of}});
    }
    return {{"index", m_index},     {"base", m_base},           {"repetition", m_repetition},
            {"seed", m_seed},       {"parameters", parameters}, {"places", m_places},
            {"outputs", m_outputs}, {"errors", m_errors}};
}

}  // namespace tlmetry::explore
