// SPDX-License-Identifier: BSD-3-Clause
// Random logs counted in bulk against the same traffic told word by word.
#include "endpoint_telemetry/random_case.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tlmetry::testing;

int main(int argc, char** argv) {
    std::uint64_t first = 1;
    std::uint64_t count = 100;
    for (int i = 1; i + 1 < argc; i += 2) {
        (std::strcmp(argv[i], "--first") == 0 ? first : count) = std::strtoull(argv[i + 1], nullptr, 10);
    }
    CaseOutcome sum;
    std::uint64_t different = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const CaseOutcome outcome = play_case(seed);
        if (!outcome.difference.empty()) {
            ++different;
            if (different <= 10)
                std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed),
                            outcome.difference.c_str());
        }
        sum.commits += outcome.commits;
        sum.resets += outcome.resets;
        sum.deltas += outcome.deltas;
        sum.dropped += outcome.dropped;
        sum.skipped += outcome.skipped;
    }
    std::printf(
        "%llu cases, %llu commits, %llu changes of resets, %llu deltas, %llu dropped, %llu stretches "
        "skipped, "
        "%llu different\n",
        static_cast<unsigned long long>(count), static_cast<unsigned long long>(sum.commits),
        static_cast<unsigned long long>(sum.resets), static_cast<unsigned long long>(sum.deltas),
        static_cast<unsigned long long>(sum.dropped), static_cast<unsigned long long>(sum.skipped),
        static_cast<unsigned long long>(different));
    return different == 0 ? 0 : 1;
}
