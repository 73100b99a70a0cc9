// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/pcie/link_settings.hpp"

#include <tlmetry/base/alternatives.hpp>
#include <tlmetry/base/error.hpp>

#include <algorithm>
#include <initializer_list>
#include <string>

namespace tlmetry::pcie {

namespace {

void require_one_of(const char* parameter, std::uint32_t value,
                    std::initializer_list<std::uint32_t> allowed) {
    if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
    std::vector<std::string> names;
    for (const std::uint32_t candidate : allowed)
        names.push_back(std::to_string(candidate));
    throw UserError(std::string("link.") + parameter + ": expected " + alternatives(names) + ", found " +
                    std::to_string(value));
}

}  // namespace

void LinkSettings::validate() const {
    require_one_of("generation", generation, {1, 2, 3, 4, 5, 6, 7});
    require_one_of("lanes", lanes, {1, 2, 4, 8, 12, 16, 32});
    require_one_of("mps", mps_bytes, {128, 256, 512, 1024, 2048, 4096});
    require_one_of("mrrs", mrrs_bytes, {128, 256, 512, 1024, 2048, 4096});
    require_one_of("rcb", rcb_bytes, {64, 128});
    require_one_of("address_bits", address_bits, {32, 64});
}

}  // namespace tlmetry::pcie
