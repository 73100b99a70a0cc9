// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint/scenario.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int brakes = 6;
constexpr int short_way = brakes + 3;
constexpr int planned_way = brakes + 14;
constexpr int lagging = brakes + 15;
constexpr int regimes = brakes + 16;

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: random_endpoint FIRST_SEED COUNT [SECONDS]\n");
        return 2;
    }
    const std::uint64_t first = std::strtoull(argv[1], nullptr, 0);
    const std::uint64_t count = std::strtoull(argv[2], nullptr, 0);
    const double seconds = argc > 3 ? std::atof(argv[3]) : 1e9;
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t done = 0;
    std::uint64_t different = 0;
    std::uint64_t occurred[regimes] = {};
    bool may_plan = false;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        if (passed.count() > seconds) break;
        const auto verdict = tlmetry::test::compare(tlmetry::test::random_scenario(seed), seed);
        ++done;
        for (int b = 0; b < brakes; ++b)
            occurred[b] += verdict.brakes >> b & 1;
        occurred[brakes] += verdict.rq_stalled;
        occurred[brakes + 1] += verdict.up_stalled;
        occurred[brakes + 2] += verdict.down_stalled;
        occurred[short_way] += verdict.unbound != 0;
        occurred[brakes + 4] += verdict.credits_short;
        occurred[brakes + 5] += verdict.timed_out;
        occurred[brakes + 7] += verdict.retried;
        occurred[brakes + 8] += verdict.padded;
        occurred[brakes + 9] += verdict.dllps;
        occurred[brakes + 10] += verdict.overflowed;
        occurred[brakes + 6] += verdict.lost_on_link;
        occurred[brakes + 11] += verdict.reset_alone[0];
        occurred[brakes + 12] += verdict.reset_alone[1];
        occurred[brakes + 13] += verdict.headers_cut;
        occurred[planned_way] += verdict.planned != 0;
        occurred[lagging] += verdict.lagged != 0;
        may_plan = may_plan || verdict.may_plan;
        if (!verdict.difference.empty()) {
            ++different;
            if (different <= 5)
                std::printf("seed %llu:\n%s", static_cast<unsigned long long>(seed),
                            verdict.difference.c_str());
        }
    }
    std::printf("%llu scenarios, %llu different\n", static_cast<unsigned long long>(done),
                static_cast<unsigned long long>(different));
    static const char* const names[] = {"brake 0",       "brake 1",
                                        "brake 2",       "brake 3",
                                        "brake 4",       "brake 5",
                                        "RQ stalled",    "UP stalled",
                                        "DOWN stalled",  "short way",
                                        "credits short", "timeouts",
                                        "lost on link",  "retries",
                                        "whole dwords",  "DLLPs",
                                        "overflow",      "PCIe reset",
                                        "DMA reset",     "headers cut",
                                        "planned way",   "waiting completions"};
    bool all = true;
    for (int i = 0; i < regimes; ++i) {
        std::printf("  %s occurred in %llu\n", names[i], static_cast<unsigned long long>(occurred[i]));
        // Without AVX-512 nothing is planned.
        const bool expected = (i != planned_way && i != lagging) || may_plan;
        all = all && (occurred[i] != 0 || done < 100 || !expected);
    }
    // The short way is what most loads take: it must not become an exception here.
    all = all && (done < 100 || occurred[short_way] * 4 >= done);
    if (!all) std::printf("a regime occurred too seldom\n");
    return different == 0 && done != 0 && all ? 0 : 1;
}
