// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/reference_tables/results.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/in_threads.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ostream>

namespace tlmetry::reference_tables {

namespace {

std::string format(const char* pattern, double value) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), pattern, value);
    return text.data();
}

std::string plural(std::size_t count, const std::string& word) {
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

/// `RQ_words 8010 instead of 8000 (+0.125 %)`
std::string describe(const Comparison& comparison) {
    std::string text = comparison.column + " " + comparison.found + " instead of " + comparison.expected;
    if (comparison.percent) text += " (" + format("%+.3g", *comparison.percent) + " %)";
    return text;
}

void print_row(std::ostream& out, const Outcome& row) {
    out << "  line " << row.line() << ": " << (row.passed() ? "ok" : "FAILED");
    std::size_t equal = 0;
    std::string deviations;
    for (const Comparison& comparison : row.comparisons()) {
        if (comparison.deviation == 0) {
            ++equal;
        } else {
            deviations +=
                std::string(comparison.beyond() ? "\n      BEYOND " : "\n      ") + describe(comparison);
        }
    }
    out << ", " << equal << " of " << plural(row.comparisons().size(), "column") << " equal";
    if (!row.not_run().empty()) out << "\n      NOT RUN " << row.not_run();
    if (!row.remark().empty()) out << "\n      " << row.remark();
    out << deviations << "\n";
}

nlohmann::ordered_json number_or_text(const std::string& text) {
    const auto parsed = nlohmann::ordered_json::parse(text, nullptr, false);
    return parsed.is_number() ? parsed : nlohmann::ordered_json(text);
}

nlohmann::ordered_json to_json(const Comparison& comparison) {
    nlohmann::ordered_json json;
    json["column"] = comparison.column;
    json["expected"] = number_or_text(comparison.expected);
    json["found"] = number_or_text(comparison.found);
    json["deviation_percent"] = nullptr;
    if (comparison.percent) json["deviation_percent"] = *comparison.percent;
    json["allowed"] = comparison.allowed;
    json["beyond"] = comparison.beyond();
    return json;
}

nlohmann::ordered_json to_json(const FileResult& result) {
    nlohmann::ordered_json json;
    json["file"] = result.path;
    json["table"] = result.table->name;
    json["tolerance"] = result.table->tolerance;
    json["passed"] = result.failed() == 0;
    json["failed_rows"] = result.failed();
    json["seconds"] = result.seconds;
    json["worst"] = nullptr;
    if (const Outcome* row = result.worst()) {
        json["worst"] = to_json(*row->worst());
        json["worst"]["line"] = row->line();
    }
    json["rows"] = nlohmann::ordered_json::array();
    for (const Outcome& row : result.rows) {
        nlohmann::ordered_json entry;
        entry["line"] = row.line();
        entry["passed"] = row.passed();
        if (!row.not_run().empty()) entry["not_run"] = row.not_run();
        if (!row.remark().empty()) entry["remark"] = row.remark();
        entry["columns"] = nlohmann::ordered_json::array();
        for (const Comparison& comparison : row.comparisons())
            entry["columns"].push_back(to_json(comparison));
        json["rows"].push_back(std::move(entry));
    }
    return json;
}

}  // namespace

std::size_t FileResult::failed() const {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const Outcome& row) { return !row.passed(); }));
}

const Outcome* FileResult::worst() const {
    const Outcome* worst = nullptr;
    for (const Outcome& row : rows) {
        if (row.worst() != nullptr && (worst == nullptr || row.worst()->share() > worst->worst()->share()))
            worst = &row;
    }
    return worst;
}

FileResult run_rows(const TableFile& file, std::optional<double> percent, std::uint32_t jobs,
                    const std::function<void(std::size_t done)>& progress) {
    const auto start = std::chrono::steady_clock::now();
    FileResult result;
    result.path = file.path;
    result.table = file.table;
    for (const Row& row : file.rows)
        result.rows.emplace_back(row, percent);
    const auto work = [&](std::size_t row) {
        try {
            file.table->run(file.rows[row], result.rows[row]);
        } catch (const UserError& error) {
            throw UserError(file.path + ":" + std::to_string(file.rows[row].line()) + ": " + error.what());
        }
    };
    in_threads(file.rows.size(), jobs, work, [&](std::size_t done) {
        progress(done);
        return true;
    });
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

void print_text(std::ostream& out, const FileResult& result) {
    out << result.path << ": " << result.table->title << "\n";
    for (const Outcome& row : result.rows)
        print_row(out, row);
    out << "  tolerance: " << result.table->tolerance << "\n";
    if (const Outcome* row = result.worst()) {
        const Comparison& worst = *row->worst();
        out << "  worst: line " << row->line() << ", " << describe(worst) << ", "
            << format("%.3g", 100 * worst.share()) << " % of what is allowed\n";
    }
    out << "  " << plural(result.rows.size(), "row") << ", " << result.failed() << " failed, "
        << format("%.2f", result.seconds) << " s\n";
}

nlohmann::ordered_json to_json(const std::vector<FileResult>& results) {
    nlohmann::ordered_json json;
    json["schema"] = "tlmetry.reference/1";
    json["passed"] =
        std::all_of(results.begin(), results.end(), [](const FileResult& r) { return r.failed() == 0; });
    json["files"] = nlohmann::ordered_json::array();
    for (const FileResult& result : results)
        json["files"].push_back(to_json(result));
    return json;
}

}  // namespace tlmetry::reference_tables
