// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/replay/read_back.hpp"

#include <tlmetry/regs/telemetry_registers.hpp>

#include <array>
#include <optional>

namespace tlmetry::replay {

namespace {

namespace f = regs::fields;

struct Generic {
    const char* name;
    std::uint32_t reg;
    const regs::Field& field;
};

constexpr std::array<Generic, 15> generics{{
    {"pcie_endpoints", regs::cfg_topology, f::topology::endpoints},
    {"dma_ports", regs::cfg_topology, f::topology::dma_ports},
    {"pcie_rq_mfb_regions", regs::cfg_regions, f::regions::rq},
    {"pcie_rc_mfb_regions", regs::cfg_regions, f::regions::rc},
    {"dma_up_mfb_regions", regs::cfg_regions, f::regions::up},
    {"dma_down_mfb_regions", regs::cfg_regions, f::regions::down},
    {"pcie_rq_mfb_region_bytes", regs::cfg_width, f::width::rq},
    {"pcie_rc_mfb_region_bytes", regs::cfg_width, f::width::rc},
    {"dma_up_mfb_region_bytes", regs::cfg_width_dma, f::width_dma::up},
    {"dma_down_mfb_region_bytes", regs::cfg_width_dma, f::width_dma::down},
    {"mfb_item_bytes", regs::cfg_drain, f::drain::item_bytes},
    {"cnt_width", regs::cfg_layout, f::layout::counter_width},
    {"drain_period", regs::cfg_drain, f::drain::period},
    {"tag_capacity", regs::cfg_capacity, f::capacity::tags},
    {"stfifo_capacity", regs::cfg_capacity, f::capacity::stfifo},
}};

bool tells_generics(std::uint32_t offset) {
    for (const Generic& generic : generics) {
        if (generic.reg == offset) return true;
    }
    return false;
}

constexpr std::size_t telling_registers = 7;

}  // namespace

std::map<std::uint32_t, std::uint32_t> read_back(wave::VcdReader& reader, const PinSource& source,
                                                 Sample sample) {
    const PinHandles handles(reader, mi_pins(), source);
    const RecordedMi mi(reader, handles, sample);
    std::map<std::uint32_t, std::uint32_t> registers;
    if (!mi.has_answers()) return registers;
    const PinHandles::Handle clock = *handles.find("mi_clk");
    // Addresses of the reads that the last edge sampled and the one before, which is answered now.
    std::optional<std::uint32_t> sampled, answered;
    while (registers.size() < telling_registers && reader.next_step()) {
        if (!rises(reader, clock)) continue;
        const RecordedAnswer answer = mi.answer();
        if (answered && answer.valid && answer.known_bits == ~std::uint32_t{0} && tells_generics(*answered)) {
            registers.emplace(*answered, answer.data);
        }
        const telemetry::MiInputs inputs = mi.inputs();
        answered = inputs.reset ? std::nullopt : sampled;
        sampled = inputs.read && !inputs.reset ? std::optional(inputs.address) : std::nullopt;
    }
    return registers;
}

std::vector<config::Assignment> generics_of(const std::map<std::uint32_t, std::uint32_t>& registers,
                                            const std::string& recording) {
    std::vector<config::Assignment> result;
    for (const Generic& generic : generics) {
        const auto found = registers.find(generic.reg);
        if (found == registers.end()) continue;
        std::uint64_t value = generic.field.extract(found->second);
        if (value == 0) value = std::uint64_t{generic.field.max_value()} + 1;
        const std::string name = "telemetry." + std::string(generic.name);
        result.push_back({name, std::to_string(value),
                          recording + ": " + name + ", read back from " +
                              std::string(regs::find_register(generic.reg)->name)});
    }
    return result;
}

}  // namespace tlmetry::replay
