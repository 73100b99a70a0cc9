// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/traffic_parameters.hpp"

#include "tlmetry/app/parameter_kinds.hpp"

#include <limits>
#include <string>

namespace tlmetry::app {

namespace {

void bind_size(config::Registry& registry, const std::string& section, generator::Size& size,
               std::vector<std::uint32_t>& fixed_bytes, const std::string& what) {
    using Kind = generator::SizeKind;
    const auto bytes = config::size(1, generator::max_operation_bytes);
    auto s = registry.section(section, "Sizes of the " + what + " of a DMA port, before they are split.");
    s.add("kind", size.kind,
          config::choice<Kind>({{"fixed", Kind::fixed},
                                {"list", Kind::list},
                                {"range", Kind::range},
                                {"normal", Kind::normal},
                                {"geometric", Kind::geometric}}),
          "How the sizes are spread.",
          "fixed: always BYTES. list: the sizes of LIST by their weights. range: evenly over MIN, MIN + "
          "STEP, ... "
          "up to MAX. normal: the same values by a bell curve of MEAN and DEVIATION. geometric: the same "
          "values, "
          "each less frequent than the one before by the same factor, with the average MEAN.");
    s.add("bytes", fixed_bytes, config::list<std::uint32_t>(bytes),
          "The size, if fixed: for all ports, or each.");
    s.add("list", size.list, config::text("sizes with weights such as 64:0.4,256:0.6"),
          "The sizes and their weights, if a list.");
    s.add("min", size.min_bytes, bytes, "The least size, if spread over a range.");
    s.add("max", size.max_bytes, bytes, "The largest size, if spread over a range.");
    s.add("step", size.step_bytes, bytes, "Distance of the sizes, if spread over a range.");
    s.add("mean", size.mean_bytes, bytes, "Their mean, if normal or geometric.");
    s.add("deviation", size.deviation_bytes, bytes, "Their deviation, if normal.");
}

void bind_addresses(config::Registry::Section& s, generator::Config& c) {
    using generator::Pattern;
    constexpr std::uint64_t largest_region = std::uint64_t{1} << 60;
    s.add(
        "pattern", c.pattern,
        config::choice<Pattern>(
            {{"random", Pattern::random}, {"sequential", Pattern::sequential}, {"stride", Pattern::stride}}),
        "Where the next operation lies.",
        "random: every aligned place is equally likely. sequential: the next aligned place behind the "
        "operation "
        "before. stride: traffic.stride behind its start.");
    s.add("base", c.base_address, config::integer(0, std::numeric_limits<std::uint64_t>::max(), "bytes"),
          "Address at which the buffers begin, a multiple of the alignment.");
    s.add("region", c.region_bytes, config::size(1, largest_region),
          "Size of the buffers; every operation lies wholly inside.");
    s.add("alignment", c.alignment_bytes, config::power_of_two_size(1, largest_region),
          "Operations start at base + a multiple of it + the offset.");
    s.add("offset", c.offset_bytes, config::size(0, largest_region),
          "Added to every address, less than the alignment.");
    s.add("stride", c.stride_bytes, config::size(1, largest_region),
          "Distance between the starts of operations with the pattern stride.");
}

void bind_arrivals(config::Registry::Section& s, TrafficParameters& p) {
    generator::Config& c = p.common;
    using generator::Rate;
    using generator::Spacing;
    constexpr std::uint64_t most = 1'000'000'000'000;
    s.add(
        "rate", c.rate,
        config::choice<Rate>(
            {{"saturate", Rate::saturate}, {"requests", Rate::requests}, {"payload", Rate::payload}}),
        "How fast a port is asked.",
        "saturate: as fast as it takes. requests: traffic.requests_per_s. payload: traffic.payload_rate, of "
        "reads and writes together.");
    s.add("requests_per_s", p.requests_per_s, config::list(rate_per_s(1, most)),
          "Requests at the rate requests: of each port, for all ports or each.");
    s.add("payload_rate", p.payload_bits_per_s, config::list(bit_rate(10'000, 10 * most)),
          "Payload at the rate payload: of each port, for all ports or each.");
    s.add("spacing", c.spacing,
          config::choice<Spacing>({{"constant", Spacing::constant}, {"exponential", Spacing::exponential}}),
          "Distances between requests at a rate.",
          "constant: always the same. exponential: random with that mean, as of independent sources.");
    s.add("burst", c.burst_requests,
          config::integer(0, std::numeric_limits<std::uint32_t>::max(), "requests"),
          "Requests between two pauses; 0 is no pauses. Operations stay whole.");
    s.add("burst_gap", c.burst_gap_fs, config::time(), "Length of a pause, on top of the rate.");
    s.add("start", p.start_fs, config::list(config::time()),
          "Nothing is asked for before: for all ports, or each.");
    s.add("stop", p.stop_fs, config::list(time_or_never()),
          "Nothing is asked for then and later: for all ports, or each.");
    s.add("max_requests", c.max_requests,
          config::integer(0, std::numeric_limits<std::uint64_t>::max(), "requests"),
          "Requests of a port before it stops; 0 is no limit.");
}

void bind_software(config::Registry::Section& s, TrafficParameters& p) {
    generator::Config& c = p.common;
    s.add(
        "outstanding", p.outstanding, config::list<std::uint32_t>(config::integer(0, 65536, "operations")),
        "Operations that software has under way at a time, for all ports or each; 0 is any number.",
        "A read operation ends with its last completion at the port, a write operation when its last request "
        "starts, as it is posted.");
    s.add("gap", c.gap_fs, config::time(0, fs_per_s),
          "What software needs from the end of an operation to the start of one in its place.",
          "Needs a limit of operations under way.");
    s.add("gap_per_byte", c.gap_fs_per_byte, config::time(0, fs_per_ms),
          "The same for each byte of the operation that has ended, as of a copy.");
}

}  // namespace

void TrafficParameters::bind(config::Registry& registry) {
    using generator::Mix;
    generator::Config& c = common;
    auto s = registry.section(
        "traffic", "What every DMA port of the card asks for, each with random numbers of its own.");
    s.add(
        "kind", kind,
        config::choice<TrafficKind>(
            {{"requests", TrafficKind::requests}, {"pins", TrafficKind::pins}, {"idle", TrafficKind::idle}}),
        "Where the traffic comes from.",
        "requests: from the DMA ports of a modelled card, through PTC, link and host. pins: every bus, brake "
        "and "
        "level acts legally, at random and by itself, see section pins. idle: nothing moves, all tags and "
        "words "
        "are free.");
    s.add("mix", c.mix, config::choice<Mix>({{"random", Mix::random}, {"groups", Mix::groups}}),
          "Which operations are reads.",
          "random: each by itself, traffic.read_share of them. groups: traffic.writes_per_group writes, then "
          "traffic.reads_per_group reads.");
    s.add("read_share", read_ppm, config::list(share()),
          "Operations that are reads, if they are mixed at random: for all ports, or each.");
    s.add("writes_per_group", c.writes_per_group, config::integer(0, 1'000'000, "operations"),
          "Writes in a row, if they are mixed in groups.");
    s.add("reads_per_group", c.reads_per_group, config::integer(0, 1'000'000, "operations"),
          "Reads in a row, if they are mixed in groups.");
    s.add("split", c.split, config::boolean(),
          "Operations are cut at MPS or MRRS and at 4 KiB boundaries, as PCI Express demands.",
          "Without it an operation becomes one request, legal or not.");
    s.add("no_snoop", c.no_snoop_ppm, share(), "Operations with the attribute No Snoop.");
    s.add("relaxed_ordering", c.relaxed_ordering_ppm, share(),
          "Operations with the attribute Relaxed Ordering.");
    bind_addresses(s, c);
    bind_arrivals(s, *this);
    bind_software(s, *this);
    s.add("trace", c.trace_file, config::text("the name of a file"),
          "File with operations to replay instead: time_ns, R|W, address, length[, flags] on each line.",
          "Mix, sizes, addresses, rate and bursts then have no effect. Every port replays it.");
    bind_size(registry, "traffic.read_size", c.read_size, read_bytes, "reads");
    bind_size(registry, "traffic.write_size", c.write_size, write_bytes, "writes");
}

std::vector<generator::Config> TrafficParameters::ports(std::size_t count) const {
    std::vector<generator::Config> result(count, common);
    const auto spread = [&](const char* key, const auto& values, const auto& assign) {
        const auto each = config::expand(values, count, std::string("traffic.") + key, "DMA ports");
        for (std::size_t p = 0; p < count; ++p)
            assign(result[p], each[p]);
    };
    using Config = generator::Config;
    using Int = std::uint32_t;
    using Long = std::uint64_t;
    spread("read_share", read_ppm, [](Config& c, Int value) { c.read_ppm = value; });
    spread("read_size.bytes", read_bytes, [](Config& c, Int value) { c.read_size.bytes = value; });
    spread("write_size.bytes", write_bytes, [](Config& c, Int value) { c.write_size.bytes = value; });
    spread("requests_per_s", requests_per_s, [](Config& c, Long value) { c.requests_per_s = value; });
    spread("payload_rate", payload_bits_per_s, [](Config& c, Long value) { c.payload_bits_per_s = value; });
    spread("outstanding", outstanding, [](Config& c, Int value) { c.outstanding_max = value; });
    spread("start", start_fs, [](Config& c, time_fs value) { c.start_fs = value; });
    spread("stop", stop_fs, [](Config& c, time_fs value) { c.stop_fs = value; });
    return result;
}

void bind_pins(config::Registry& registry, traffic::Config& c) {
    using config::integer;
    const auto mean = [](const char* unit) { return integer(1, traffic::max_mean, unit); };
    auto s =
        registry.section("pins",
                         "Random activity on the observed pins, with traffic.kind = pins. Lengths are means, "
                         "drawn evenly between nothing and twice the mean.");
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
}

}  // namespace tlmetry::app
