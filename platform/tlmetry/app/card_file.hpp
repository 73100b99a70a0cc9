// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/app/output_file.hpp>
#include <tlmetry/app/run_parameters.hpp>
#include <tlmetry/config/registry.hpp>

#include <string>
#include <vector>

namespace tlmetry::app {

/// All parameters of a card as files and options set them.
class CardFile {
public:
    CardFile() { m_parameters.bind(m_registry); }
    CardFile(const CardFile&) = delete;
    CardFile& operator=(const CardFile&) = delete;

    /// For parsing a command line.
    const config::Registry& registry() const { return m_registry; }

    /// Reads files in order, then sets `options`. Call it once. Throws UserError for whatever is wrong.
    void load(const std::vector<std::string>& files, const std::vector<config::Assignment>& options);

    const RunParameters& parameters() const { return m_parameters; }

private:
    RunParameters m_parameters;
    config::Registry m_registry;
};

/// What a card is read from: configurations, and the files that they name. No result may replace one.
std::vector<NamedFile> files_of(const std::vector<std::string>& configurations, const card::Config& card);

}  // namespace tlmetry::app
