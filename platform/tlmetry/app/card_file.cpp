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

}  // namespace tlmetry::app
