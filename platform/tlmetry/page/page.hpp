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

    /// For a page with scripts of its own: elements, data that these find by their key, more of style, and
    /// the scripts, which run in one scope behind echarts and look.js.
    void part(std::string_view html);
    void data(const std::string& key, const Json& json);
    void add_style(std::string_view css);
    void add_script(std::string_view script);

    std::string html() const;

private:
    std::string m_title;
    std::string m_contents;
    std::string m_body;
    std::string m_data;
    std::string m_style;
    std::string m_scripts;
    std::vector<Json> m_charts;
};

}  // namespace tlmetry::page
