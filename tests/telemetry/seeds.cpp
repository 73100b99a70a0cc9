// SPDX-License-Identifier: BSD-3-Clause
#include "telemetry/seeds.hpp"

#include <tlmetry/base/error.hpp>

#include <cstdlib>
#include <string>

namespace tlmetry::testing {

Seeds::Seeds(int argc, char** argv) {
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i];
        if (i + 1 == argc) throw UserError(option + ": expected a value");
        char* end = nullptr;
        if (option == "--first") {
            m_next = std::strtoull(argv[i + 1], &end, 10);
        } else if (option == "--count") {
            m_left = std::strtoull(argv[i + 1], &end, 10);
        } else if (option == "--seconds") {
            m_seconds = std::strtod(argv[i + 1], &end);
        } else {
            throw UserError("expected --first, --count or --seconds, found " + option);
        }
        if (*end != '\0') throw UserError(option + ": expected a number, found " + argv[i + 1]);
    }
}

std::optional<std::uint64_t> Seeds::next() {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - m_start;
    if (m_left == 0 || passed.count() > m_seconds) return {};
    --m_left;
    return m_next++;
}

}  // namespace tlmetry::testing
