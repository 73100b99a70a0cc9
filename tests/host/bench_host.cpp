// SPDX-License-Identifier: BSD-3-Clause
// Processor time of a call of the root complex, with different things on.
#include "measure.hpp"

#include <tlmetry/host/root_complex.hpp>

#include <cstdint>
#include <string>

using namespace tlmetry;

namespace {

constexpr int rounds = 7;
constexpr int calls = 1'000'000;

/// What a call costs alone.
class Nothing : public endpoint::HostModel {
public:
    time_fs read(std::uint32_t, const endpoint::Arrival& arrival) override { return arrival.at; }
    void write(std::uint32_t, const endpoint::Arrival&) override {}
};

void measure(const char* name, endpoint::HostModel& model, bool read) {
    endpoint::Arrival arrival;
    arrival.length = 512;
    arrival.read = read;
    time_fs sum = 0;
    const double seconds = bench::best_seconds(rounds, [&] {
        for (int i = 0; i < calls; ++i) {
            arrival.at += 20 * fs_per_ns;
            arrival.address += 512;
            if (read) {
                sum ^= model.read(0, arrival);
            } else {
                model.write(0, arrival);
            }
        }
    });
    if (read && sum == 0) std::fprintf(stderr, "%s gave no times\n", name);
    bench::result((std::string("host: ") + name).c_str(), seconds / calls * 1e9, "ns");
}

void measure(const char* name, const host::Config& config, bool read = true) {
    host::RootComplex root_complex(config, 1, 1);
    measure(name, root_complex, read);
}

}  // namespace

int main() {
    Nothing nothing;
    measure("read, nothing", nothing, true);
    host::Config config;
    measure("read, constant latency", config);
    config.latency = host::Latency::uniform;
    measure("read, uniform latency", config);
    config.latency = host::Latency::normal;
    measure("read, normal latency", config);
    measure("write", config, false);

    host::Config limited;
    limited.memory_bytes_per_s = 100'000'000'000;
    measure("read, memory ceiling", limited);
    measure("write, memory ceiling", limited, false);
    host::Config service;
    service.lines_in_flight = 64;
    measure("read of 8 lines, lines in flight", service);
    host::Config translated;
    translated.iotlb_entries = 64;
    measure("read, IO-TLB", translated);
    host::Config placed;
    placed.cache_ppm = 300'000;
    placed.ordered = true;
    measure("read, cache share, ordered", placed);
}
