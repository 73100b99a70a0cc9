// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/regs/register_table.hpp>

#include <array>
#include <cstdint>

/// The register map of PCIE_TELEMETRY_MI (documentation of PCIE_TELEMETRY_MI, Register map), said once: the
/// model, the driver, the tests, `--list-registers` and the documentation read it from here.
namespace tlmetry::regs {

// Byte offsets.
inline constexpr std::uint32_t magic = 0x0000;
inline constexpr std::uint32_t version = 0x0004;
inline constexpr std::uint32_t cfg_topology = 0x0008;
inline constexpr std::uint32_t cfg_layout = 0x000C;
inline constexpr std::uint32_t cfg_pcie = 0x0010;
inline constexpr std::uint32_t cfg_dma = 0x0014;
inline constexpr std::uint32_t cfg_drain = 0x0018;
inline constexpr std::uint32_t cnt_base = 0x001C;
inline constexpr std::uint32_t command = 0x0020;
inline constexpr std::uint32_t status = 0x0024;
inline constexpr std::uint32_t read_sel = 0x0028;
inline constexpr std::uint32_t cfg_regions = 0x002C;
inline constexpr std::uint32_t cfg_width = 0x0030;
inline constexpr std::uint32_t cfg_hist = 0x0034;
inline constexpr std::uint32_t cfg_capacity = 0x0038;
inline constexpr std::uint32_t cfg_width_dma = 0x003C;
inline constexpr std::uint32_t pcie_status = 0x0040;
inline constexpr std::uint32_t pcie_tags = 0x0080;
inline constexpr std::uint32_t pcie_stfifo = 0x00C0;
inline constexpr std::uint32_t counter_window = 0x8000;

inline constexpr std::uint32_t registers_end =
    0x0100;  ///< below lie the registers, repeated up to the window
inline constexpr std::uint32_t component_bytes = 0x10000;
inline constexpr std::uint32_t counter_window_bytes = component_bytes - counter_window;
inline constexpr std::uint32_t counter_bytes = 8;  ///< low word first
inline constexpr std::uint32_t max_endpoints = 16;

inline constexpr std::uint32_t magic_value = 0x5054'4C4D;
inline constexpr std::uint32_t version_value = 0x0002'0000;  ///< 2.0

/// The bit fields, by register. `probe` serves CFG_PCIE and CFG_DMA, `level` PCIE_TAGS and PCIE_STFIFO.
namespace fields {
namespace version {
inline constexpr Field minor{"MINOR", 0, 16, "minor version"};
inline constexpr Field major{"MAJOR", 16, 16, "major version"};
}  // namespace version
namespace topology {
inline constexpr Field endpoints{"ENDPOINTS", 0, 8, "PCIe endpoints"};
inline constexpr Field dma_ports{"DMA_PORTS", 8, 8, "DMA ports per endpoint"};
inline constexpr Field probes{"PROBES", 16, 8, "probes"};
}  // namespace topology
namespace layout {
inline constexpr Field counters{"COUNTERS", 0, 16, "counters in the window, a power of two"};
inline constexpr Field counter_width{"CNT_WIDTH", 16, 8, "width of a counter in bits"};
inline constexpr Field per_endpoint{"PER_ENDPOINT", 24, 8, "counters per endpoint"};
}  // namespace layout
namespace probe {
inline constexpr Field channels{"CHANNELS", 0, 8, "channels of the probe"};
inline constexpr Field buses{"BUSES", 8, 8, "buses of the probe"};
inline constexpr Field regions{"REGIONS", 16, 8, "regions of the probe"};
inline constexpr Field brakes{"BRAKES", 24, 8, "BRAKE signals of the probe, histogram bands included"};
}  // namespace probe
namespace drain {
inline constexpr Field period{"DRAIN_PERIOD", 0, 16, "cycles between two read-outs of a probe"};
inline constexpr Field item_bytes{"ITEM_BYTES", 16, 8, "bytes per MFB item"};
}  // namespace drain
namespace command {
inline constexpr Field snapshot{"SNAPSHOT", 0, 1, "copy all counters into the snapshot copy"};
inline constexpr Field clear_counters{"CLEAR", 1, 1, "zero both copies of the counters"};
inline constexpr Field clear_flags{"CLEAR_FLAGS", 2, 1, "clear LOST_DELTA and OVERRUN"};
inline constexpr Field clear_marks{"CLEAR_MARKS", 3, 1,
                                   "restart the lowest values of PCIE_TAGS and PCIE_STFIFO"};
}  // namespace command
namespace status {
inline constexpr Field busy{"BUSY", 0, 1, "a snapshot or clear is pending or running"};
inline constexpr Field lost_delta{"LOST_DELTA", 1, 1, "a delta was lost because a probe FIFO was full"};
inline constexpr Field overrun{"OVERRUN", 2, 1, "a read-out of a probe started before the last one ended"};
}  // namespace status
namespace read_sel {
inline constexpr Field live{"LIVE", 0, 1, "0 = read the snapshot copy, 1 = read the live copy"};
}  // namespace read_sel
namespace regions {
inline constexpr Field rq{"RQ", 0, 8, "regions of the RQ bus"};
inline constexpr Field rc{"RC", 8, 8, "regions of the RC bus"};
inline constexpr Field up{"UP", 16, 8, "regions of the UP buses"};
inline constexpr Field down{"DOWN", 24, 8, "regions of the DOWN buses"};
}  // namespace regions
namespace width {
inline constexpr Field rq{"RQ", 0, 16, "bytes per region of the RQ bus"};
inline constexpr Field rc{"RC", 16, 16, "bytes per region of the RC bus"};
}  // namespace width
namespace width_dma {
inline constexpr Field up{"UP", 0, 16, "bytes per region of the UP buses"};
inline constexpr Field down{"DOWN", 16, 16, "bytes per region of the DOWN buses"};
}  // namespace width_dma
namespace hist {
inline constexpr Field bands{"BANDS", 0, 8, "bands per histogram"};
inline constexpr Field pcie{"PCIE_HISTS", 8, 8, "histograms of the PCIe clock probe"};
inline constexpr Field dma{"DMA_HISTS", 16, 8, "histograms of the DMA clock probe"};
}  // namespace hist
namespace capacity {
inline constexpr Field tags{"TAGS", 0, 16, "PCIe tags"};
inline constexpr Field stfifo{"STFIFO", 16, 16, "words of the storage FIFO"};
}  // namespace capacity
namespace pcie_status {
inline constexpr Field mps{"MPS", 0, 3, "maximum payload size, 128 << MPS bytes"};
inline constexpr Field mrrs{"MRRS", 3, 3, "maximum read request size, 128 << MRRS bytes"};
inline constexpr Field ext_tag{"EXT_TAG", 6, 1, "extended (8-bit) tags enabled"};
inline constexpr Field tag_10bit{"TAG_10BIT", 7, 1, "10-bit tags enabled"};
inline constexpr Field rcb{"RCB", 8, 1, "read completion boundary, 0 = 64 bytes, 1 = 128 bytes"};
inline constexpr Field link_up{"LINK_UP", 9, 1, "the link is up"};
}  // namespace pcie_status
namespace level {
inline constexpr Field now{"NOW", 0, 16, "free now"};
inline constexpr Field lowest{"LOWEST", 16, 16,
                              "lowest value reached since the marks or the counters were cleared"};
}  // namespace level
}  // namespace fields

/// The register map, by offset. Words not listed read as zero.
inline constexpr std::array<Register, 20> telemetry_table{{
    {"MAGIC", magic, Access::ro, 1, 4, {}, "0x50544C4D", "says that this is the telemetry component"},
    {"VERSION",
     version,
     Access::ro,
     1,
     4,
     {fields::version::minor, fields::version::major},
     "2.0",
     "version of the register map"},
    {"CFG_TOPOLOGY",
     cfg_topology,
     Access::ro,
     1,
     4,
     {fields::topology::endpoints, fields::topology::dma_ports, fields::topology::probes},
     "from the generics",
     "what the component observes"},
    {"CFG_LAYOUT",
     cfg_layout,
     Access::ro,
     1,
     4,
     {fields::layout::counters, fields::layout::counter_width, fields::layout::per_endpoint},
     "from the generics",
     "the counters of the window"},
    {"CFG_PCIE",
     cfg_pcie,
     Access::ro,
     1,
     4,
     {fields::probe::channels, fields::probe::buses, fields::probe::regions, fields::probe::brakes},
     "from the generics",
     "the PCIe clock probe"},
    {"CFG_DMA",
     cfg_dma,
     Access::ro,
     1,
     4,
     {fields::probe::channels, fields::probe::buses, fields::probe::regions, fields::probe::brakes},
     "from the generics",
     "the DMA clock probe"},
    {"CFG_DRAIN",
     cfg_drain,
     Access::ro,
     1,
     4,
     {fields::drain::period, fields::drain::item_bytes},
     "from the generics",
     "period of the read-outs and size of an MFB item"},
    {"CNT_BASE", cnt_base, Access::ro, 1, 4, {}, "0x00008000", "byte offset of the counter window"},
    {"COMMAND",
     command,
     Access::wo,
     1,
     4,
     {fields::command::snapshot, fields::command::clear_counters, fields::command::clear_flags,
      fields::command::clear_marks},
     "none",
     "every bit written as one starts its command"},
    {"STATUS",
     status,
     Access::ro,
     1,
     4,
     {fields::status::busy, fields::status::lost_delta, fields::status::overrun},
     "0x00000000",
     "state of the commands and of the read-outs"},
    {"READ_SEL",
     read_sel,
     Access::rw,
     1,
     4,
     {fields::read_sel::live},
     "0x00000000",
     "which copy of the counters the window shows"},
    {"CFG_REGIONS",
     cfg_regions,
     Access::ro,
     1,
     4,
     {fields::regions::rq, fields::regions::rc, fields::regions::up, fields::regions::down},
     "from the generics",
     "regions each bus really has; a bus narrower than its probe is padded"},
    {"CFG_WIDTH",
     cfg_width,
     Access::ro,
     1,
     4,
     {fields::width::rq, fields::width::rc},
     "from the generics",
     "size of a region of the PCIe side buses"},
    {"CFG_HIST",
     cfg_hist,
     Access::ro,
     1,
     4,
     {fields::hist::bands, fields::hist::pcie, fields::hist::dma},
     "from the generics",
     "histograms; their bands are the last BRAKE channels of a probe, first the tags, then the storage FIFO"},
    {"CFG_CAPACITY",
     cfg_capacity,
     Access::ro,
     1,
     4,
     {fields::capacity::tags, fields::capacity::stfifo},
     "from the generics",
     "capacities; the thresholds of the bands are an eighth and a half of them"},
    {"CFG_WIDTH_DMA",
     cfg_width_dma,
     Access::ro,
     1,
     4,
     {fields::width_dma::up, fields::width_dma::down},
     "from the generics",
     "size of a region of the DMA side buses"},
    {"PCIE_STATUS",
     pcie_status,
     Access::ro,
     max_endpoints,
     4,
     {fields::pcie_status::mps, fields::pcie_status::mrrs, fields::pcie_status::ext_tag,
      fields::pcie_status::tag_10bit, fields::pcie_status::rcb, fields::pcie_status::link_up},
     "0x00000000",
     "settings negotiated with the host, one register per endpoint"},
    {"PCIE_TAGS",
     pcie_tags,
     Access::ro,
     max_endpoints,
     4,
     {fields::level::now, fields::level::lowest},
     "NOW 0, LOWEST 0x07FF",
     "free PCIe tags, one register per endpoint"},
    {"PCIE_STFIFO",
     pcie_stfifo,
     Access::ro,
     max_endpoints,
     4,
     {fields::level::now, fields::level::lowest},
     "NOW 0, LOWEST 0xFFFF",
     "free words of the storage FIFO, one register per endpoint"},
    {"COUNTERS",
     counter_window,
     Access::ro,
     counter_window_bytes / counter_bytes,
     counter_bytes,
     {},
     "0 at power-up, kept by MI_RESET",
     "the counters, low word first; those of one endpoint together, its PCIe clock probe first"},
}};

static_assert(table_well_formed(telemetry_table));
static_assert(telemetry_table.back().end() == component_bytes);

/// Entry of the table that a byte offset belongs to, nullptr for a reserved word. Offsets are those of the
/// documentation; that registers repeat in the address space is a matter of the address decoder.
constexpr const Register* find_register(std::uint32_t offset) {
    for (const Register& reg : telemetry_table)
        if (offset >= reg.offset && offset < reg.end()) return &reg;
    return nullptr;
}

}  // namespace tlmetry::regs
