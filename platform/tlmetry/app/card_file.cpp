// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/card_file.hpp"

#include <tlmetry/config/ini.hpp>

namespace tlmetry::app {

void CardFile::load(const std::vector<std::string>& files, const std::vector<config::Assignment>& options) {
    for (const std::string& file : files)
        config::load_ini(m_registry, file);
    m_registry.set(options);
    m_parameters.complete(m_registry);
}

std::vector<NamedFile> files_of(const std::vector<std::string>& configurations, const card::Config& card) {
    std::vector<NamedFile> files;
    files.reserve(configurations.size() + card.traffic.size() + 1);
    for (const std::string& file : configurations)
        files.push_back({"a configuration", file});
    for (const generator::Config& traffic : card.traffic)
        files.push_back({"traffic.trace", traffic.trace_file});
    files.push_back({"host.latency_file", card.host.latency_file});
    return files;
}

}  // namespace tlmetry::app
