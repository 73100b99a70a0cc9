// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/page/page.hpp"

#include "tlmetry/page/files.hpp"

namespace tlmetry::page {

namespace {

/// `text` with a replacement character for each byte that is not UTF-8, as names of files may have them.
std::string valid(std::string_view text) {
    return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : valid(text)) {
        switch (c) {
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '&':
                result += "&amp;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

/// JSON that cannot end the element it stands in.
std::string inside_script(const Json& json) {
    std::string result;
    for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace))
        result += c == '<' ? std::string("\\u003c") : std::string(1, c);
    return result;
}

std::string element(const char* name, const std::string& text) {
    return std::string("<") + name + ">" + escaped(text) + "</" + name + ">\n";
}

}  // namespace

void Page::heading(const std::string& key, const std::string& text) {
    m_contents += "<a href=\"#" + key + "\">" + escaped(text) + "</a>\n";
    m_body += "<h2 id=\"" + key + "\">" + escaped(text) + "</h2>\n";
}

void Page::text(const std::string& paragraph) {
    m_body += element("p", paragraph);
}

void Page::finding(const std::string& paragraph) {
    m_body += "<p class=\"finding\">" + escaped(paragraph) + "</p>\n";
}

void Page::table(const Table& table) {
    m_body += element("h3", table.title) + "<div class=\"wide\"><table>\n<thead><tr>";
    std::vector<bool> numbers(table.columns.size(), true);
    for (const auto& row : table.rows) {
        for (std::size_t c = 0; c < row.size(); ++c)
            numbers[c] = numbers[c] && !std::holds_alternative<std::string>(row[c]);
    }
    const auto begin_cell = [&](const char* name, std::size_t column) {
        m_body += std::string("<") + name + (numbers[column] ? " class=\"number\">" : ">");
    };
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        begin_cell("th", c);
        m_body +=
            escaped(table.columns[c].title) + "<small>" + escaped(table.columns[c].unit) + "</small></th>";
    }
    m_body += "</tr></thead>\n<tbody>\n";
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const bool begins = r != 0 && table.group_rows != 0 && r % table.group_rows == 0;
        m_body += begins ? "<tr class=\"group\">" : "<tr>";
        for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
            begin_cell("td", c);
            m_body += escaped(cell_text(table.rows[r][c], table.columns[c].decimals)) + "</td>";
        }
        m_body += "</tr>\n";
    }
    m_body += "</tbody></table></div>\n";
    fold("as CSV, to be copied", table_csv(table));
}

void Page::chart(const std::string& title, const Json& option) {
    m_charts.push_back(option);
    m_body += element("h3", title) + "<div class=\"chart\" role=\"img\" aria-label=\"" + escaped(title) +
              "\"></div>\n";
}

void Page::fold(const std::string& title, const std::string& text) {
    m_body +=
        "<details><summary>" + escaped(title) + "</summary><pre>" + escaped(text) + "</pre></details>\n";
}

void Page::part(std::string_view html) {
    m_body += html;
}

void Page::data(const std::string& key, const Json& json) {
    m_data += "<script type=\"application/json\" id=\"" + key + "\">" + inside_script(json) + "</script>\n";
}

void Page::add_style(std::string_view css) {
    m_style += css;
}

void Page::add_script(std::string_view script) {
    m_scripts += script;
}

std::string Page::html() const {
    std::string text =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
        element("title", m_title) + "<style>";
    text += style();
    text += m_style + "</style>\n</head>\n<body>\n" + element("h1", m_title) + "<nav>\n" + m_contents +
            "</nav>\n" + m_body + m_data;
    if (m_charts.empty() && m_scripts.empty()) return text + "</body>\n</html>\n";
    if (!m_charts.empty())
        text += "<script type=\"application/json\" id=\"charts\">" + inside_script(m_charts) + "</script>\n";
    text += "<script>";
    text += echarts_script();
    text += "</script>\n<script>";
    text += look_script();
    if (!m_charts.empty()) text += charts_script();
    return text + m_scripts + "</script>\n</body>\n</html>\n";
}

}  // namespace tlmetry::page
