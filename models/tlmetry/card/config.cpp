// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/card/config.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/pcie/dllp_rules.hpp>
#include <tlmetry/pcie/link_rate.hpp>
#include <tlmetry/pcie/tlp_sizes.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace tlmetry::card {

namespace {

void require_same_region(const char* name, std::uint32_t bytes, const char* other,
                         std::uint32_t other_bytes) {
    if (bytes == other_bytes) return;
    throw UserError(std::string("telemetry.") + name + ": expected " + std::to_string(other_bytes) +
                    ", the size of " + other + ", as the PTC has one region size for each direction, found " +
                    std::to_string(bytes));
}

std::uint32_t of_2_32(std::uint32_t ppb) {
    return static_cast<std::uint32_t>((std::uint64_t{ppb} << 32) / 1'000'000'000);
}

std::uint32_t coded_size(std::uint32_t bytes) {
    return static_cast<std::uint32_t>(__builtin_ctz(bytes / 128));
}

void check_tags(const Config& config) {
    const std::uint32_t tags = config.endpoint.ptc.tags;
    const std::uint32_t most = config.tags_10bit      ? tags_10bit
                               : config.extended_tags ? tags_8bit
                                                      : tags_without_extended;
    if (tags <= most) return;
    throw UserError("ptc.tags: expected at most " + std::to_string(most) + " with link.tag_10bit " +
                    (config.tags_10bit ? "true" : "false") + " and link.extended_tag " +
                    (config.extended_tags ? "true" : "false") + ", found " + std::to_string(tags));
}

void check_buses(const Config& config, const telemetry::Config& component) {
    if (component.mfb_item_bytes != item_bytes) {
        throw UserError("telemetry.mfb_item_bytes: expected 4, the items of a card, found " +
                        std::to_string(component.mfb_item_bytes));
    }
    require_same_region("dma_up_mfb_region_bytes", component.dma_up_mfb_region_bytes,
                        "telemetry.pcie_rq_mfb_region_bytes", component.pcie_rq_mfb_region_bytes);
    require_same_region("dma_down_mfb_region_bytes", component.dma_down_mfb_region_bytes,
                        "telemetry.pcie_rc_mfb_region_bytes", component.pcie_rc_mfb_region_bytes);
    const std::uint32_t items = std::max(component.dma_up_mfb_regions, component.dma_down_mfb_regions);
    if (config.endpoint.buses.mvb_up_items > items) {
        throw UserError("card.mvb_up_items: expected at most " + std::to_string(items) +
                        ", the items of an MVB that the telemetry sees (most regions of a DMA bus), found " +
                        std::to_string(config.endpoint.buses.mvb_up_items));
    }
    const std::uint32_t frames = std::max(component.pcie_rc_mfb_regions, component.dma_down_mfb_regions);
    if (config.endpoint.buses.mvb_down_items < frames) {
        throw UserError("card.mvb_down_items: expected at least " + std::to_string(frames) +
                        ", as so many completions can end in one cycle, found " +
                        std::to_string(config.endpoint.buses.mvb_down_items));
    }
}

void check_links(const Config& config) {
    for (const Event& event : config.timeline) {
        if (std::holds_alternative<LinkDown>(event.action) && !config.link_up) {
            throw UserError(event.name + ": expected link.up = true for links that go down, found false");
        }
        if (const auto* change = std::get_if<LinkChange>(&event.action)) {
            try {
                link_after(config, *change).validate();
            } catch (const UserError& error) {
                throw UserError(event.name + ": " + error.what());
            }
        }
    }
}

void check_credits(const Config& config) {
    const endpoint::Link& link = config.endpoint.link;
    const std::uint32_t largest_write = config.link.mps_bytes / endpoint::credit_bytes;
    if (link.posted_data != 0 && link.posted_data < largest_write) {
        throw UserError("link.posted_data_credits: expected 0, or at least " + std::to_string(largest_write) +
                        " for a write of link.mps bytes, found " + std::to_string(link.posted_data));
    }
    if (link.has_credits() && link.propagation_fs + link.credit_update_latency_fs == 0) {
        throw UserError(
            "link.credit_update_latency: expected above 0 with finite credits and link.propagation = 0, "
            "found 0");
    }
}

void check_loop(const generator::Config& traffic) {
    if (traffic.outstanding_max == 0 && (traffic.gap_fs != 0 || traffic.gap_fs_per_byte != 0)) {
        throw UserError(
            "traffic.outstanding: expected at least 1 with a software gap (traffic.gap or "
            "traffic.gap_per_byte), found 0");
    }
}

}  // namespace

void Config::validate(const telemetry::Config& component) const {
    component.validate();
    link.validate();
    host.validate("host");
    check_tags(*this);
    check_timeline(timeline);
    check_links(*this);
    check_buses(*this, component);
    check_credits(*this);
    const std::size_t ports = std::size_t{component.pcie_endpoints} * component.dma_ports;
    if (traffic.size() != 1 && traffic.size() != ports) {
        throw UserError("traffic: expected one for all or one for each of the " + std::to_string(ports) +
                        " DMA ports, found " + std::to_string(traffic.size()));
    }
    for (const generator::Config& port : traffic) {
        port.validate("traffic");
        check_loop(port);
    }
    endpoint_config(*this, component, 0).validate();
}

endpoint::Config endpoint_config(const Config& config, const telemetry::Config& component,
                                 time_fs least_latency_fs) {
    endpoint::Config result = config.endpoint;
    result.ports = component.dma_ports;
    endpoint::Buses& buses = result.buses;
    buses.up_regions = component.dma_up_mfb_regions;
    buses.rq_regions = component.pcie_rq_mfb_regions;
    buses.rc_regions = component.pcie_rc_mfb_regions;
    buses.down_regions = component.dma_down_mfb_regions;
    buses.up_region_items = component.pcie_rq_mfb_region_bytes / item_bytes;
    buses.down_region_items = component.pcie_rc_mfb_region_bytes / item_bytes;

    const pcie::TlpSizes sizes(config.link);
    result.link.up_byte_time = result.link.down_byte_time = link_byte_time(config.link);
    result.link.write_overhead = sizes.request_overhead();
    result.link.read_overhead = sizes.read();
    result.link.completion_overhead = sizes.completion_overhead();
    result.link.dllp_interval_fs = pcie::DllpRules(config.link).ack_interval_fs();
    result.link.dword_padding = config.link.dword_padding;

    result.link.up_errors = of_2_32(config.up_error_ppb);
    result.link.down_errors = of_2_32(config.down_error_ppb);
    for (const Event& event : config.timeline)
        result.link.goes_down = result.link.goes_down || std::holds_alternative<LinkDown>(event.action);
    if (config.through_switch) result.link.propagation_fs += config.switch_latency_fs;
    result.ptc.mps_bytes = config.link.mps_bytes;
    result.ptc.mrrs_bytes = config.link.mrrs_bytes;

    if (!config.link_up) result.cpu.writes_per_s = result.cpu.reads_per_s = 0;

    result.host.least_latency_fs = least_latency_fs;
    result.host.rcb = config.link.rcb_bytes;
    result.host.completion_bytes = config.combine_completions ? config.link.mps_bytes : config.link.rcb_bytes;
    return result;
}

Topology topology(const Config& config, const telemetry::Config& component) {
    return {component.pcie_endpoints, config.through_switch};
}

generator::Config port_traffic(const Config& config, const telemetry::Config& component, DmaPort port) {
    generator::Config traffic = config.traffic.size() == 1
                                    ? config.traffic.front()
                                    : config.traffic[port.endpoint * component.dma_ports + port.number];
    traffic.mps_bytes = config.link.mps_bytes;
    traffic.mrrs_bytes = config.link.mrrs_bytes;
    if (!config.link_up) traffic.stop_fs = 0;
    return traffic;
}

std::uint64_t window_of(const Config& config, std::uint32_t endpoint) {
    // Addresses of 64 bits have something in the upper half.
    constexpr std::uint64_t low = 0xC000'0000;
    constexpr std::uint64_t high = 0x20'0000'0000;
    return (config.link.address_bits == 32 ? low : high) + endpoint * endpoint::Cpu::window_bytes;
}

pcie::LinkSettings link_after(const Config& config, const LinkChange& change) {
    pcie::LinkSettings link = config.link;
    link.generation = change.generation;
    link.lanes = change.lanes;
    return link;
}

std::uint64_t link_byte_time(const pcie::LinkSettings& link) {
    return static_cast<std::uint64_t>(std::llround(pcie::byte_time_fs(link).value() * 65536.0));
}

std::uint32_t settings_word(const Config& config) {
    namespace f = regs::fields::pcie_status;
    return f::mps.make(coded_size(config.link.mps_bytes)) | f::mrrs.make(coded_size(config.link.mrrs_bytes)) |
           f::ext_tag.make(config.extended_tags) | f::tag_10bit.make(config.tags_10bit) |
           f::rcb.make(config.link.rcb_bytes == 128) | f::link_up.make(config.link_up);
}

}  // namespace tlmetry::card
