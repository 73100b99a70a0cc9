// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/app/card_file.hpp>
#include <tlmetry/characterize/part.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tlmetry::test {

/// The card of some parameters.
inline characterize::Card card_of(const std::vector<std::pair<std::string, std::string>>& parameters) {
    app::CardFile file;
    std::vector<config::Assignment> options;
    for (const auto& [name, value] : parameters)
        options.push_back({name, value, "option --" + name});
    file.load({}, options);
    return file.parameters().card_config();
}

inline characterize::Runner runner(std::uint32_t jobs = 2) {
    return {jobs, [](const std::string&, std::size_t, std::size_t) { return true; }};
}

/// A cell of a table by the key of its column.
inline double value(const page::Table& table, std::size_t row, const std::string& key) {
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (table.columns[c].key == key) return std::get<double>(table.rows.at(row)[c]);
    throw std::out_of_range(key);
}

}  // namespace tlmetry::test
