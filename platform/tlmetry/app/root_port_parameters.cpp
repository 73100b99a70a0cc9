// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/root_port_parameters.hpp"

#include "tlmetry/app/parameter_kinds.hpp"

namespace tlmetry::app {

void bind_cpu(config::Registry& registry, endpoint::Cpu& c) {
    const auto bytes = config::power_of_two_size(1, 4096);
    registry.section("cpu", "What the processor asks of each endpoint, beside all DMA.")
        .add("write_rate", c.writes_per_s, rate_per_s(0, endpoint::most_cpu_rate),
             "Writes to each endpoint, evenly spread.",
             "The processor waits while 32 of them wait at the root port: a rate that is too high for the "
             "link saturates it.")
        .add("write_size", c.write_bytes, bytes, "Size of a write, at most link.mps.")
        .add("read_rate", c.reads_per_s, rate_per_s(0, endpoint::most_cpu_rate),
             "Reads from each endpoint, evenly spread.",
             "At most 32 are under way. Their completions take the link beside the requests of the DMA "
             "ports. Costs speed of the simulation.")
        .add("read_size", c.read_bytes, bytes, "Size of a read, at most link.mps and link.mrrs.")
        .add("read_latency", c.read_latency_fs, config::time(0, fs_per_s),
             "From the arrival of a read at the device to its completion there.")
        .add("read_timeout", c.read_timeout_fs, config::time(1, 1000 * fs_per_s),
             "After which a read is given up that was lost on a link that went down, from that time on.");
}

void bind_tune(config::Registry& registry, card::Config& config) {
    using endpoint::TuneEvent;
    const auto level = config::integer(0, ptt::highest_level);
    endpoint::Tuning& tuning = config.endpoint.tuning;
    endpoint::Batching& batching = config.endpoint.batching;
    auto s = registry.section("tune", "Levels of all root ports, and what their buffers do.");
    s.add(
        "qos_tx_cpl", tuning[TuneEvent::qos_tx_cpl], level,
        "Weight of completions of DMA reads on the link to the endpoint: levels 0, 1, 2 are weights 1, 2, 4.",
        "While completions, reads and writes of the processor all want the link, each gets a share by its "
        "weight.");
    s.add("qos_tx_np", tuning[TuneEvent::qos_tx_np], level, "The same of reads of the processor.");
    s.add("qos_tx_p", tuning[TuneEvent::qos_tx_p], level, "The same of writes of the processor.");
    s.add("rx_alloc_buf_level", tuning[TuneEvent::rx_alloc_buf_level], level,
          "Watermark of the buffer for requests of an endpoint: levels 0, 1, 2 are none, 512 and 2048 bytes.",
          "Requests wait in the root port until so many bytes of TLPs are there, or for tune.timeout, and go "
          "on to the host in a batch.");
    s.add("tx_alloc_buf_level", tuning[TuneEvent::tx_alloc_buf_level], level,
          "The same of the buffers for what goes to the endpoint, one for each kind.");
    s.add("timeout", batching.timeout_fs, config::time(0, fs_per_s),
          "How long a packet waits in such a buffer for the watermark.");
    s.add("batch_time", batching.batch_time_fs, config::time(0, fs_per_s),
          "What each batch costs: the next one leaves the same buffer so much later.",
          "Without a watermark each packet is a batch, so that a larger watermark raises the rate.");
}

}  // namespace tlmetry::app
