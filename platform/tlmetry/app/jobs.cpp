// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/jobs.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/text.hpp>

#include <algorithm>
#include <thread>

namespace tlmetry::app {

std::uint32_t parse_jobs(const std::string& text) {
    constexpr std::uint64_t most = 256;
    if (text.empty()) return std::clamp(std::thread::hardware_concurrency(), 1U, std::uint32_t{most});
    const auto jobs = parse_unsigned(text);
    if (!jobs || *jobs == 0 || *jobs > most)
        throw UserError("option --jobs: expected a number from 1 to 256, found " + config::found(text));
    return static_cast<std::uint32_t>(*jobs);
}

}  // namespace tlmetry::app
