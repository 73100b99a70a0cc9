// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/reference_tables/csv.hpp>
#include <tlmetry/reference_tables/table.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace tlmetry::reference_tables {

/// What became of a file.
struct FileResult {
    std::string path;
    const Table* table = nullptr;
    std::vector<Outcome> rows;
    double seconds = 0;  ///< of wall time

    std::size_t failed() const;
    /// The row with the comparison that uses up most of its tolerance; nullptr when nothing was compared.
    const Outcome* worst() const;
};

/// Runs all rows of a file in `jobs` threads; `percent` takes the place of its table's tolerances. `progress`
/// is called again and again with the number of rows that are done. Throws what a row throws, UserError with
/// its file and line.
FileResult run_rows(const TableFile& file, std::optional<double> percent, std::uint32_t jobs,
                    const std::function<void(std::size_t done)>& progress);

void print_text(std::ostream& out, const FileResult& result);
/// `tlmetry.reference/1`
nlohmann::ordered_json to_json(const std::vector<FileResult>& results);

}  // namespace tlmetry::reference_tables
