// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/page_axis.hpp>
#include <tlmetry/explore/plan.hpp>
#include <tlmetry/explore/point_run.hpp>
#include <tlmetry/page/charts.hpp>

#include <map>
#include <string>
#include <vector>

namespace tlmetry::explore {

/// Points that the page has one by one, column by column.
class PagePoints {
public:
    PagePoints(const Plan& plan, const std::vector<PageAxis>& axes);

    void add(std::uint64_t index, const Result& result);
    page::Json json() const;

private:
    /// Values of one parameter, each text once.
    struct Column {
        std::string name;
        std::vector<std::string> texts;
        std::map<std::string, std::size_t> known;
        page::Json of = page::Json::array();  // for each point, which text
    };

    const Plan& m_plan;
    const std::vector<PageAxis>& m_axes;
    std::vector<Column> m_columns;
    page::Json m_index = page::Json::array();
    page::Json m_base = page::Json::array();
    page::Json m_repetition = page::Json::array();
    page::Json m_seed = page::Json::array();
    std::vector<page::Json> m_places;   // of each axis
    std::vector<page::Json> m_outputs;  // of each output
    page::Json m_errors = page::Json::object();
};

}  // namespace tlmetry::explore
