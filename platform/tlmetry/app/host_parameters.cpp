// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/host_parameters.hpp"

#include "tlmetry/app/parameter_kinds.hpp"

namespace tlmetry::app {

void bind_host(config::Registry& registry, host::Config& c) {
    using config::integer;
    using config::time;
    using host::Latency;
    constexpr std::uint64_t least_rate = 1'000'000;
    constexpr std::uint64_t most_rate = 100'000'000'000'000;
    auto s = registry.section("host", "Root complex and host memory, one for all endpoints.");
    s.add("latency_kind", c.latency,
          config::choice<Latency>({{"constant", Latency::constant},
                                   {"uniform", Latency::uniform},
                                   {"normal", Latency::normal},
                                   {"histogram", Latency::histogram}}),
          "How the latency of reads is spread, from the arrival at the root port to the first data.",
          "constant: host.latency. uniform: evenly from host.latency_low to host.latency_high. normal: a "
          "bell curve "
          "of host.latency and host.latency_deviation, cut below host.latency_low. histogram: as "
          "host.latency_file "
          "counts.");
    s.add("latency", c.latency_fs, time(0, fs_per_s), "Latency of a read, if constant; its mean, if normal.");
    s.add("latency_low", c.latency_low_fs, time(0, fs_per_s), "Least latency, if uniform or normal.");
    s.add("latency_high", c.latency_high_fs, time(0, fs_per_s), "Largest latency, if uniform.");
    s.add("latency_deviation", c.latency_deviation_fs, time(0, fs_per_s),
          "Deviation of the latency, if normal.");
    s.add("latency_file", c.latency_file, config::text("the name of a file"),
          "File with latencies and how often each was measured, if a histogram.");
    s.add("cache_share", c.cache_ppm, share(), "Reads that are answered from a cache.");
    s.add("remote_share", c.remote_ppm, share(), "Reads that are answered by the memory of another node.");
    s.add("cache_added", c.cache_added_fs, signed_time(fs_per_s), "What a cache adds to the latency.");
    s.add("memory_added", c.memory_added_fs, signed_time(fs_per_s), "What local memory adds to the latency.");
    s.add("remote_added", c.remote_added_fs, signed_time(fs_per_s),
          "What the memory of another node adds to the latency.");
    s.add("ordered", c.ordered, config::boolean(),
          "No data of a read comes before all data of the read in front of it, of the same endpoint.");
    s.add("lines_in_flight", c.lines_in_flight, integer(0, 1 << 16, "lines"),
          "Lines of 64 B that a root port reads at a time; 0 is any number.");
    s.add("line_service", c.line_service_fs, time(0, fs_per_s), "Time that a line is being read.");
    s.add("iotlb_entries", c.iotlb_entries, integer(0, 1 << 20, "translations"),
          "Translations that the IO-TLB holds; 0 is no address translation.",
          "The least recently used one makes room for a new one.");
    s.add("iotlb_page", c.iotlb_page_bytes, config::power_of_two_size(4096, 1 << 30),
          "Page of a translation.");
    s.add("iotlb_miss", c.iotlb_miss_fs, time(0, fs_per_s), "Time of a walk through the page tables.");
    s.add("iotlb_walks", c.iotlb_walks, integer(0, 1 << 16, "walks"), "Walks at a time; 0 is any number.");
    s.add("memory_rate", c.memory_bytes_per_s, byte_rate(least_rate, most_rate),
          "Bandwidth of the memory for reads and writes of all endpoints together, in whole lines of 64 B.");
    s.add("read_weight", c.read_weight, integer(0, 1'000'000),
          "Share of host.memory_rate that reads get while writes wait too, against host.write_weight.");
    s.add("write_weight", c.write_weight, integer(0, 1'000'000),
          "Share of host.memory_rate that writes get while reads wait too, against host.read_weight.");
    s.add("memory_read_rate", c.memory_read_bytes_per_s, byte_rate(least_rate, most_rate),
          "Bandwidth of the memory for reads alone.");
    s.add("memory_write_rate", c.memory_write_bytes_per_s, byte_rate(least_rate, most_rate),
          "Bandwidth of the memory for writes alone.");
    s.add("commit_latency", c.commit_latency_fs, time(0, fs_per_s),
          "Time from the arrival of a write to its commit.");
    s.add("write_cost", c.write_cost_fs, time(0, fs_per_s),
          "A write without relaxed ordering commits so long after those before it.");
    s.add("lost_ppb", c.lost_ppb, integer(0, 1'000'000'000, "of 10^9 reads"),
          "Reads that are never answered, each by itself.");
    s.add("lost_reads", c.lost_reads, numbers(),
          "Reads that are never answered, as numbers in the order of arrival from all endpoints, from 0.");
}

}  // namespace tlmetry::app
