// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/run_parameters.hpp"

#include <limits>

namespace tlmetry::app {

namespace {

/// A fraction in millionths, from 0 to `highest`.
config::Kind<std::uint32_t> share(std::uint32_t highest) {
    constexpr std::int64_t step = config::Fraction::one / traffic::million;
    const auto text = [](std::uint32_t ppm) { return config::format_fraction({ppm * step}); };
    config::Kind<std::uint32_t> kind;
    kind.expected = "a fraction from 0 to " + text(highest) + " in steps of 1ppm (as 25%, 0.25, 10ppm)";
    kind.parse = [highest](std::string_view value) -> std::optional<std::uint32_t> {
        const auto fraction = config::parse_fraction(value);
        if (!fraction || fraction->parts % step != 0 || fraction->parts > highest * step) return {};
        return static_cast<std::uint32_t>(fraction->parts / step);
    };
    kind.print = text;
    return kind;
}

/// Sizes as PCI Express codes them: 128 << n bytes.
config::Kind<std::uint32_t> coded_size() {
    return config::choice<std::uint32_t>(
        {{"128B", 0}, {"256B", 1}, {"512B", 2}, {"1024B", 3}, {"2048B", 4}, {"4096B", 5}});
}

void bind_traffic(config::Registry& registry, traffic::Config& c) {
    using config::integer;
    const auto mean = [](const char* unit) { return integer(1, traffic::max_mean, unit); };
    auto s = registry.section(
        "traffic",
        "What happens on the observed buses. Lengths are means, drawn evenly between nothing "
        "and twice the mean.");
    s.add("kind", c.kind,
          config::choice<traffic::Kind>({{"random", traffic::Kind::random}, {"idle", traffic::Kind::idle}}),
          "Where the traffic comes from.",
          "random: every bus, brake and level acts legally and by itself. idle: nothing moves, all tags and "
          "words are "
          "free.");
    s.add("activity", c.activity_ppm, share(traffic::million), "Cycles in which a bus offers a word.",
          "Counted as if no consumer stalled: stalls come on top.");
    s.add("burst", c.burst_words, mean("words"), "Words of a bus between two gaps.");
    s.add("frame", c.frame_bytes, config::size(1, traffic::max_mean), "Payload of a frame.",
          "RQ and RC frames have a header of 16 and 12 bytes in front of it.");
    s.add("packing", c.packing_ppm, share(traffic::million),
          "Free regions behind a frame in which the next one starts within the same word.");
    s.add("read_share", c.read_ppm, share(traffic::max_read_ppm), "Requests on RQ and UP that are reads.",
          "A read is a frame of a header alone on RQ, and an item on the MVB without a frame on UP.");
    s.add("stall", c.stall_ppm, share(traffic::max_stall_ppm),
          "Cycles with an offered MFB word in which its consumer stalls it.");
    s.add("mvb_stall", c.mvb_stall_ppm, share(traffic::max_stall_ppm), "The same on the MVB.");
    s.add("stall_length", c.stall_cycles, mean("cycles"), "Length of a stall.");
    s.add("brake", c.brake_ppm, share(traffic::million), "Cycles in which each reason stops the transfer.",
          "Of all six reasons of PCIE_PTC_BRAKE, each by itself.");
    s.add("brake_length", c.brake_cycles, mean("cycles"), "How long a reason stops the transfer at a time.");
    s.add("level_interval", c.level_cycles, mean("cycles"),
          "Time between two changes of the free tags and the free storage FIFO words.");
    s.add("mps", c.mps, coded_size(), "Maximum payload size that the endpoints report.");
    s.add("mrrs", c.mrrs, coded_size(), "Maximum read request size that the endpoints report.");
    s.add("rcb_128", c.rcb_128, config::boolean(), "Read completion boundary of 128 bytes instead of 64.");
    s.add("ext_tag", c.ext_tag, config::boolean(), "Extended (8-bit) tags enabled.");
    s.add("tag_10bit", c.tag_10bit, config::boolean(), "10-bit tags enabled.");
    s.add("link_up", c.link_up, config::boolean(), "The links are up.");
}

}  // namespace

void RunParameters::bind(config::Registry& registry) {
    // Together below `never`, 4611 s, with room for the accesses of the software.
    constexpr time_fs longest = 3600 * fs_per_s;
    constexpr time_fs longest_warmup = 600 * fs_per_s;
    registry.section("run", "The run itself.")
        .add("seed", seed, config::integer(0, std::numeric_limits<std::uint64_t>::max()),
             "Seed of everything random; each source makes its own sequence from it and its name.")
        .add("warmup", warmup_fs, config::time(0, longest_warmup),
             "Simulated time before the measurement begins.")
        .add("duration", duration_fs, config::time(0, longest), "Simulated time that the report covers.",
             "0 prints the totals since the start instead.");
    bind_traffic(registry, traffic);
    registry.section("mi", "The MI bus between the software and the component.")
        .add("request_latency", mi_request_fs, config::time(0, fs_per_s),
             "Time from an access of the software to the component.")
        .add("completion_latency", mi_completion_fs, config::time(0, fs_per_s),
             "Time from the component's answer to the software.")
        .add("posted_writes", mi_posted_writes, config::boolean(),
             "The software goes on after a write as soon as the bus has taken it.")
        .add("quantum", mi_quantum_fs, config::time(0, fs_per_s),
             "How far the software may run ahead of the simulation; changes the speed and no result.");
    telemetry.bind(registry);
}

platform::Platform::Config RunParameters::platform() const {
    telemetry.validate();
    platform::Platform::Config config;
    config.telemetry.generics = telemetry.component;
    config.telemetry.clocks = {telemetry.mi_clock(), telemetry.dma_clock(), telemetry.pcie_clocks()};
    config.bus.request.fs = mi_request_fs;
    config.bus.completion.fs = mi_completion_fs;
    config.bus.posted_writes = mi_posted_writes;
    config.processor.quantum_fs = mi_quantum_fs;
    config.traffic = traffic;
    config.seed = seed;
    config.validate();
    return config;
}

}  // namespace tlmetry::app
