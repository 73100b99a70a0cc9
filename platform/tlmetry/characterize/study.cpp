// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/characterize/study.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/page/page.hpp>

#include <algorithm>

namespace tlmetry::characterize {

namespace {

constexpr int indent = 4;

std::vector<page::Table> all_tables(const Part& part) {
    std::vector<page::Table> tables = part.tables;
    tables.insert(tables.end(), part.details.begin(), part.details.end());
    return tables;
}

}  // namespace

std::vector<PartName> parts_named(const std::vector<std::string>& keys) {
    std::vector<std::string> known;
    known.reserve(part_names.size());
    for (const PartName& name : part_names)
        known.emplace_back(name.key);
    for (const std::string& key : keys) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        std::string list;
        for (const std::string& k : known)
            list += (list.empty() ? "" : ", ") + k;
        throw UserError("option --parts: expected some of " + list + ", found " + config::found(key));
    }
    std::vector<PartName> parts;
    for (const PartName& name : part_names) {
        if (keys.empty() || std::find(keys.begin(), keys.end(), name.key) != keys.end())
            parts.push_back(name);
    }
    return parts;
}

std::string part_text(const Part& part) {
    std::string text =
        part.title + "\n" + std::string(part.title.size(), '=') + "\n" + config::wrapped(part.method, "");
    for (const page::Table& table : part.tables)
        text += "\n" + page::table_text(table);
    text += "\n";
    for (const std::string& finding : part.findings)
        text += config::wrapped(finding, "");
    return text;
}

std::vector<std::pair<std::string, std::string>> csv_files(const Study& study) {
    std::vector<std::pair<std::string, std::string>> files;
    for (const Part& part : study.parts) {
        for (const page::Table& table : all_tables(part))
            files.emplace_back(table.key, page::table_csv(table));
    }
    return files;
}

std::string csv_text(const Study& study) {
    std::string text;
    for (const auto& [key, csv] : csv_files(study))
        text += (text.empty() ? "# " : "\n# ") + key + "\n" + csv;
    return text;
}

std::string study_json(const Study& study, const page::Json& parameters) {
    page::Json document = {{"schema", "tlmetry.characterization/1"},
                           {"configuration", study.name},
                           {"quick", study.quick},
                           {"caveat", study.caveat.empty() ? page::Json(nullptr) : page::Json(study.caveat)},
                           {"parameters", parameters},
                           {"parts", page::Json::object()}};
    for (const Part& part : study.parts) {
        page::Json tables;
        for (const page::Table& table : all_tables(part))
            tables[table.key] = page::table_json(table);
        document["parts"][part.key] = {
            {"title", part.title}, {"method", part.method}, {"findings", part.findings}, {"tables", tables}};
    }
    return document.dump(indent, ' ', false, page::Json::error_handler_t::replace) + "\n";
}

std::string study_html(const Study& study, const std::string& configuration) {
    page::Page page("Characterization of " + study.name);
    page.text(
        "Measured on a simulated card by tlmetry characterize. Each part has its finding, its charts and its "
        "tables; all data can be copied as CSV from below each table.");
    if (!study.caveat.empty()) page.finding("Note: " + study.caveat + ".");
    for (const Part& part : study.parts) {
        page.heading(part.key, part.title);
        for (const std::string& finding : part.findings)
            page.finding(finding);
        page.text(part.method);
        for (const Chart& chart : part.charts)
            page.chart(chart.title, chart.option);
        for (const page::Table& table : all_tables(part))
            page.table(table);
    }
    page.heading("configuration", "Configuration");
    page.fold("all parameters", configuration);
    return page.html();
}

}  // namespace tlmetry::characterize
