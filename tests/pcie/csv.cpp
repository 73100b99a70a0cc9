// SPDX-License-Identifier: BSD-3-Clause
#include "csv.hpp"

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace {

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ',');)
        fields.push_back(field);
    return fields;
}

}  // namespace

std::uint32_t CsvRow::number(const std::string& column) const {
    const std::string& field = text(column);
    return static_cast<std::uint32_t>(std::stoul(field.substr(field.find_first_of("0123456789"))));
}

std::string CsvRow::all() const {
    std::string result;
    for (const auto& [name, value] : m_fields)
        result += name + "=" + value + " ";
    return result;
}

std::vector<CsvRow> read_csv(const std::string& name) {
    std::ifstream in(TLMETRY_TEST_DATA "/pcie/" + name);
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> header = fields_of(line);
    std::vector<CsvRow> rows;
    while (std::getline(in, line)) {
        const std::vector<std::string> fields = fields_of(line);
        if (fields.size() != header.size()) throw std::runtime_error(name + ": fields missing in " + line);
        std::map<std::string, std::string> row;
        for (std::size_t i = 0; i < header.size(); ++i)
            row[header[i]] = fields[i];
        rows.emplace_back(std::move(row));
    }
    if (rows.empty()) throw std::runtime_error(name + ": no rows");
    return rows;
}

std::string printed(double value, int decimals) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

tlmetry::pcie::LinkSettings analytic_link(const CsvRow& row) {
    tlmetry::pcie::LinkSettings settings;
    settings.generation = row.number("gen");
    settings.lanes = row.number("lanes");
    settings.mps_bytes = row.number("mps");
    settings.dllp = tlmetry::pcie::DllpMode::analytic;
    settings.dword_padding = false;
    settings.validate();
    return settings;
}
