// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/driver/layout.hpp>
#include <tlmetry/driver/mi_bus.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>

#include <cstdio>

namespace tlmetry::driver {
namespace {

namespace fields = regs::fields;

std::string hex(std::uint32_t value, int digits = 8) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%0*x", digits, value);
    return text;
}

void check_identity(std::uint32_t magic, const std::string& device) {
    if (magic != regs::magic_value)
        throw UserError(device + ": MAGIC is " + hex(magic) + ", expected " + hex(regs::magic_value) +
                        ": this is not the telemetry component");
}

void check_version(std::uint32_t version, const std::string& device) {
    const std::uint32_t expected = fields::version::major.extract(regs::version_value);
    const std::uint32_t major = fields::version::major.extract(version);
    if (major != expected)
        throw UserError(device + ": VERSION is " + std::to_string(major) + "." +
                        std::to_string(fields::version::minor.extract(version)) + ", expected " +
                        std::to_string(expected) + ".x");
}

/// Reads fields out of the registers and says which one is wrong.
class Reader {
public:
    Reader(const RegisterValues& registers, const std::string& device)
        : m_registers(registers), m_device(device) {}

    std::uint32_t word(std::uint32_t offset) const {
        const auto found = m_registers.find(offset);
        if (found == m_registers.end())
            throw UserError(m_device + ": register " + name(offset) + " (" + hex(offset, 4) + ") is missing");
        return found->second;
    }

    std::uint32_t get(std::uint32_t offset, const regs::Field& field) const {
        return field.extract(word(offset));
    }

    /// A field that has to lie in lowest..highest.
    std::uint32_t get(std::uint32_t offset, const regs::Field& field, std::uint32_t lowest,
                      std::uint32_t highest) const {
        const std::uint32_t value = get(offset, field);
        if (value < lowest || value > highest)
            refuse(offset, field, std::to_string(lowest) + ".." + std::to_string(highest));
        return value;
    }

    /// A field that follows from others; the hardware cuts it to the width of the field.
    void expect(std::uint32_t offset, const regs::Field& field, std::uint32_t expected) const {
        expected &= field.max_value();
        if (get(offset, field) != expected) refuse(offset, field, std::to_string(expected));
    }

    [[noreturn]] void refuse(std::uint32_t offset, const regs::Field& field,
                             const std::string& expected) const {
        throw UserError(m_device + ": " + name(offset) + "." + std::string(field.name) + " is " +
                        std::to_string(get(offset, field)) + " (" + std::string(field.doc) + "), expected " +
                        expected);
    }

private:
    static std::string name(std::uint32_t offset) { return std::string(regs::find_register(offset)->name); }

    const RegisterValues& m_registers;
    const std::string& m_device;
};

ProbeLayout probe_layout(const Reader& reader, std::uint32_t offset, std::uint32_t buses,
                         const regs::Field& histograms, std::uint32_t bands) {
    ProbeLayout probe;
    probe.buses = buses;
    reader.expect(offset, fields::probe::buses, buses);
    probe.regions = reader.get(offset, fields::probe::regions, 1, fields::probe::regions.max_value());
    probe.histograms = bands == 0 ? 0 : reader.get(regs::cfg_hist, histograms);
    const std::uint32_t brakes = reader.get(offset, fields::probe::brakes);
    if (probe.histograms * bands > brakes)
        reader.refuse(
            offset, fields::probe::brakes,
            "at least the " + std::to_string(probe.histograms * bands) + " bands of its histograms");
    probe.reasons = brakes - probe.histograms * bands;
    probe.channels = probe.brake_channel() + brakes;
    reader.expect(offset, fields::probe::channels, probe.channels);
    return probe;
}

}  // namespace

RegisterValues read_configuration(MiBus& bus) {
    RegisterValues values;
    values[regs::magic] = bus.read32(regs::magic);
    check_identity(values[regs::magic], bus.name());
    values[regs::version] = bus.read32(regs::version);
    check_version(values[regs::version], bus.name());
    for (const std::uint32_t offset : {regs::cfg_topology, regs::cfg_layout, regs::cfg_pcie, regs::cfg_dma,
                                       regs::cfg_drain, regs::cnt_base, regs::cfg_width, regs::cfg_width_dma,
                                       regs::cfg_regions, regs::cfg_hist, regs::cfg_capacity})
        values[offset] = bus.read32(offset);
    return values;
}

Layout::Layout(const RegisterValues& registers, const std::string& device) {
    const Reader reader(registers, device);
    check_identity(reader.word(regs::magic), device);
    check_version(reader.word(regs::version), device);

    endpoints = reader.get(regs::cfg_topology, fields::topology::endpoints, 1, regs::max_endpoints);
    dma_ports = reader.get(regs::cfg_topology, fields::topology::dma_ports, 1,
                           fields::topology::dma_ports.max_value());
    bands = reader.get(regs::cfg_hist, fields::hist::bands);
    pcie = probe_layout(reader, regs::cfg_pcie, 2, fields::hist::pcie, bands);
    dma = probe_layout(reader, regs::cfg_dma, 2 * dma_ports, fields::hist::dma, bands);

    reader.expect(regs::cfg_layout, fields::layout::per_endpoint, counters_per_endpoint());
    counter_width = reader.get(regs::cfg_layout, fields::layout::counter_width, 33, 64);
    counters = reader.get(regs::cfg_layout, fields::layout::counters);
    const std::uint32_t needed = endpoints * counters_per_endpoint();
    counter_base = reader.word(regs::cnt_base);
    if (counter_base % regs::counter_bytes != 0 || counter_base < regs::registers_end ||
        counter_base >= regs::component_bytes)
        throw UserError(device + ": CNT_BASE is " + hex(counter_base) + ", expected a multiple of 8 in " +
                        hex(regs::registers_end) + ".." + hex(regs::component_bytes - regs::counter_bytes));
    const std::uint32_t available = (regs::component_bytes - counter_base) / regs::counter_bytes;
    if (counters < needed || counters > available)
        reader.refuse(regs::cfg_layout, fields::layout::counters,
                      "at least the " + std::to_string(needed) + " that the probes count and at most the " +
                          std::to_string(available) + " that fit behind CNT_BASE");

    rq = {reader.get(regs::cfg_regions, fields::regions::rq, 1, pcie.regions),
          reader.get(regs::cfg_width, fields::width::rq)};
    rc = {reader.get(regs::cfg_regions, fields::regions::rc, 1, pcie.regions),
          reader.get(regs::cfg_width, fields::width::rc)};
    up = {reader.get(regs::cfg_regions, fields::regions::up, 1, dma.regions),
          reader.get(regs::cfg_width_dma, fields::width_dma::up)};
    down = {reader.get(regs::cfg_regions, fields::regions::down, 1, dma.regions),
            reader.get(regs::cfg_width_dma, fields::width_dma::down)};

    item_bytes =
        reader.get(regs::cfg_drain, fields::drain::item_bytes, 1, fields::drain::item_bytes.max_value());
    drain_period = reader.get(regs::cfg_drain, fields::drain::period);
    tag_capacity = reader.get(regs::cfg_capacity, fields::capacity::tags);
    stfifo_capacity = reader.get(regs::cfg_capacity, fields::capacity::stfifo);
}

}  // namespace tlmetry::driver
