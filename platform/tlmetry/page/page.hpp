// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/page/charts.hpp>
#include <tlmetry/page/table.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::page {

/// One HTML page that needs nothing else, neither files nor a network: text, tables that can be copied as
/// CSV, and charts.
class Page {
public:
    explicit Page(std::string title) : m_title(std::move(title)) {}

    /// Begins a chapter, which the top of the page links to. `key`: letters and underscores.
    void heading(const std::string& key, const std::string& text);
    void text(const std::string& paragraph);
    /// The same, where it stands out.
    void finding(const std::string& paragraph);
    void table(const Table& table);
    /// `option` is what ECharts is given, see charts.hpp; what it leaves out of looks is filled in.
    void chart(const std::string& title, const Json& option);
    /// Something long that is shown on demand.
    void fold(const std::string& title, const std::string& text);

    std::string html() const;

private:
    std::string m_title;
    std::string m_contents;
    std::string m_body;
    std::vector<Json> m_charts;
};

/// The library that draws the charts, as JavaScript.
std::string_view echarts_script();

}  // namespace tlmetry::page
