// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/access_log.hpp"

#include <tlmetry/device/line_file.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/wave/vcd_writer.hpp>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <string_view>

namespace tlmetry::device {

namespace {

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// The name of a register, with the number of the one of several; `counter N low` in the window.
std::string register_name(std::uint32_t address) {
    const std::uint32_t offset = address & (regs::component_bytes - 1);
    if (offset >= regs::counter_window) {
        const std::uint32_t place = offset - regs::counter_window;
        return "counter " + std::to_string(place / regs::counter_bytes) +
               (place % regs::counter_bytes == 0 ? " low" : " high");
    }
    const regs::Register* found = regs::find_register(offset % regs::registers_end);
    if (found == nullptr) return "-";
    const std::uint32_t index = (offset % regs::registers_end - found->offset) / 4;
    return std::string(found->name) + (found->count > 1 ? " " + std::to_string(index) : "");
}

class TextLog : public AccessLog {
public:
    TextLog(const std::string& path, const ClockDomain& clock, const std::string& place)
        : m_clock(clock), m_file(path, place) {
        m_file.put("#        time/ns  access  address     data        enables  register\n");
    }

    void access(const mi::MiAccess& access) override {
        char text[60];
        std::snprintf(text, sizeof text, "0x%08x  %d%d%d%d     ", access.data, access.enables >> 3 & 1,
                      access.enables >> 2 & 1, access.enables >> 1 & 1, access.enables & 1);
        put(m_clock.time_of(access.edge), access.write, access.address, text + register_name(access.address));
    }

    void refused(time_fs at, const SoftwareAccess& access) override {
        put(at, access.write, access.address, "refused     " + std::to_string(access.bytes) + " bytes");
    }

    void finish() override {}

private:
    void put(time_fs at, bool write, std::uint32_t address, const std::string& rest) {
        char text[60];
        std::snprintf(text, sizeof text, "%12lld.%03lld  %-6s  0x%08x  ",
                      static_cast<long long>(at / fs_per_ns),
                      static_cast<long long>(at % fs_per_ns / fs_per_ps), write ? "write" : "read", address);
        m_file.put(text + rest + "\n");
    }

    const ClockDomain& m_clock;
    LineFile m_file;
};

/// Shows the clock around accesses only: a bus that rests for a second would fill the file with edges.
class WaveLog : public AccessLog {
public:
    WaveLog(const std::string& path, const ClockDomain& clock)
        : m_clock(clock),
          m_writer(
              path,
              clock.period_fs() % (2 * fs_per_ps) == 0 && clock.time_of(0) % fs_per_ps == 0 ? fs_per_ps : 1,
              "MI bus; the clock is shown around accesses only; time stamps are 1 ns later than in the "
              "simulation") {
        m_writer.open_scope("mi");
        m_clk = m_writer.add("mi_clk", 1);
        m_addr = m_writer.add("mi_addr", 32);
        m_dwr = m_writer.add("mi_dwr", 32);
        m_be = m_writer.add("mi_be", 4);
        m_rd = m_writer.add("mi_rd", 1);
        m_wr = m_writer.add("mi_wr", 1);
        m_ardy = m_writer.add("mi_ardy", 1);
        m_drd = m_writer.add("mi_drd", 32);
        m_drdy = m_writer.add("mi_drdy", 1);
        m_writer.close_scope();
        m_writer.begin(0);
        for (const auto signal : {m_clk, m_addr, m_dwr, m_be, m_rd, m_wr, m_ardy, m_drd, m_drdy})
            m_writer.change(signal, 0);
    }

    void access(const mi::MiAccess& access) override {
        draw(access.edge - 1);
        m_next = std::max(m_next, access.edge - 1);
        m_accesses.push_back(access);
    }

    void refused(time_fs, const SoftwareAccess&) override {}

    void finish() override {
        draw(never);
        m_writer.finish();
    }

private:
    static constexpr time_fs lead_fs = fs_per_ns;

    /// The access that an edge samples, if there is one.
    const mi::MiAccess* at(cycle_t edge) const {
        for (const mi::MiAccess& access : m_accesses) {
            if (access.edge == edge) return &access;
        }
        return nullptr;
    }

    /// Draws the edges below `end` around the accesses so far.
    void draw(cycle_t end) {
        while (!m_accesses.empty() && m_next < end) {
            rise(m_next++);
            while (!m_accesses.empty() && m_accesses.front().edge + 2 < m_next)
                m_accesses.pop_front();
        }
    }

    void rise(cycle_t edge) {
        if (edge < 0) return;
        const mi::MiAccess* next = at(edge + 1);
        const mi::MiAccess* answered = at(edge - 1);
        const time_fs time = m_clock.time_of(edge) + lead_fs;
        m_writer.time(time);
        m_writer.change(m_clk, 1);
        m_writer.change(m_rd, next != nullptr && !next->write);
        m_writer.change(m_wr, next != nullptr && next->write);
        m_writer.change(m_ardy, next != nullptr);
        m_writer.change(m_addr, next != nullptr ? next->address : 0);
        m_writer.change(m_be, next != nullptr ? next->enables : 0);
        m_writer.change(m_dwr, next != nullptr && next->write ? next->data : 0);
        const bool drdy = answered != nullptr && !answered->write;
        m_writer.change(m_drdy, drdy);
        if (drdy) m_writer.change(m_drd, answered->data);
        m_writer.time(time + m_clock.period_fs() / 2);
        m_writer.change(m_clk, 0);
    }

    const ClockDomain& m_clock;
    wave::VcdWriter m_writer;
    wave::VcdWriter::Handle m_clk, m_addr, m_dwr, m_be, m_rd, m_wr, m_ardy, m_drd, m_drdy;
    std::deque<mi::MiAccess> m_accesses;  // whose edges are not all drawn
    cycle_t m_next = 0;                   // to be drawn
};

}  // namespace

std::unique_ptr<AccessLog> AccessLog::open(const std::string& path, const ClockDomain& clock,
                                           const std::string& place) {
    if (ends_with(path, ".vcd") || ends_with(path, ".vcd.gz")) return std::make_unique<WaveLog>(path, clock);
    return std::make_unique<TextLog>(path, clock, place);
}

void LoggedCard::read(std::uint32_t address, void* data, std::uint32_t bytes) {
    try {
        m_card.read(address, data, bytes);
    } catch (const AccessError&) {
        m_log.refused(m_card.now(), {false, address, bytes});
        throw;
    }
}

void LoggedCard::write(std::uint32_t address, const void* data, std::uint32_t bytes) {
    try {
        m_card.write(address, data, bytes);
    } catch (const AccessError&) {
        m_log.refused(m_card.now(), {true, address, bytes});
        throw;
    }
}

}  // namespace tlmetry::device
