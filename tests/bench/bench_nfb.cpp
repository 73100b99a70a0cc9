// SPDX-License-Identifier: BSD-3-Clause
// Accesses through libtlmetry-nfb.so at the pace of real time, as libnfb makes them.
#include "measure.hpp"

#include <tlmetry/nfb/libnfb_ext.hpp>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

using namespace tlmetry;

namespace {

constexpr int accesses = 1'000'000;
constexpr int rounds = 5;
constexpr off_t base = 0x20000;

void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "bench_nfb: %s\n", what);
    std::exit(1);
}

}  // namespace

int main() {
    void* library = dlopen(TLMETRY_NFB_LIBRARY, RTLD_NOW);
    require(library != nullptr, "dlopen");
    const auto get_ops =
        reinterpret_cast<int (*)(const char*, libnfb_ext_ops*)>(dlsym(library, "libnfb_ext_get_ops"));
    libnfb_ext_ops ops = {};
    const char* name = TLMETRY_CONFIGS "/idle.ini";
    require(get_ops(name, &ops) > 0, "get_ops");
    void* device = nullptr;
    void* tree = nullptr;
    require(ops.open(name, 0, &device, &tree) == 0, "open");
    std::free(tree);
    void* bus = nullptr;
    libnfb_bus_ext_ops bus_ops = {};
    require(ops.bus_open_mi(device, 0, 0, &bus, &bus_ops) == 0, "bus_open_mi");

    const auto read_all = [&](off_t address, int count) {
        std::uint32_t word = 0;
        for (int i = 0; i < count; ++i)
            require(bus_ops.read(bus, &word, sizeof word, base + address) == sizeof word, "read");
    };
    for (const auto& [what, address] : {std::pair("in a process: reads of STATUS", 0x24),
                                        std::pair("in a process: reads of a counter", 0x8000)}) {
        const double seconds = bench::best_seconds(rounds, [&] { read_all(address, accesses); });
        bench::result(what, accesses / seconds / 1e6, "M accesses/s");
    }
    const double seconds = bench::best_seconds(rounds, [&] {
        std::vector<std::thread> threads;
        for (int i = 0; i < 2; ++i)
            threads.emplace_back([&] { read_all(0x24, accesses / 2); });
        for (std::thread& thread : threads)
            thread.join();
    });
    bench::result("in a process: reads of STATUS by two threads", accesses / seconds / 1e6, "M accesses/s");
    ops.bus_close_mi(bus);
    ops.close(device);
    dlclose(library);
}
