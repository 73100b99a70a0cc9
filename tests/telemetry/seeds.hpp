// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace tlmetry::testing {

/// The seeds a random test goes through: `--first N` (1), `--count M` of them (100), `--seconds S` at most.
class Seeds {
public:
    /// Throws UserError for anything else on the command line.
    Seeds(int argc, char** argv);

    /// The next seed, nothing if all are done or the time is over.
    std::optional<std::uint64_t> next();

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    std::uint64_t m_next = 1;
    std::uint64_t m_left = 100;
    double m_seconds = 1e9;
};

}  // namespace tlmetry::testing
