// SPDX-License-Identifier: BSD-3-Clause
// Walks every rule of the registers, as a driver author would try them out on a new card.
//
//     $ c++ -shared -fPIC -I PREFIX/include self_test.cpp -o self_test.so
//     $ tlmetry run configs/default.ini --software ./self_test.so
#include <tlmetry/software/tlmetry.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>

namespace {

enum : std::uint32_t {
    magic = 0x00,
    version = 0x04,
    cfg_topology = 0x08,
    cfg_layout = 0x0C,
    cnt_base = 0x1C,
    command = 0x20,
    status = 0x24,
    read_sel = 0x28,
    cfg_width_dma = 0x3C,
    pcie_status = 0x40,
    pcie_tags = 0x80,
    pcie_stfifo = 0xC0,
    mirror = 0x100,  // the registers repeat up to the window
    window = 0x8000,
    component = 0x10000,
};
enum : std::uint32_t { snapshot = 1, clear_counters = 2, clear_flags = 4, clear_marks = 8 };
enum : std::uint32_t { busy = 1 };

constexpr int patience_us = 1000;  // a command takes far less

class SelfTest {
public:
    explicit SelfTest(const tlmetry_card* t) : m_t(t) {}

    int run() {
        try {
            identity();
            layout();
            constants();
            bytes();
            reserved();
            read_select();
            commands();
            window_repeats();
            outside();
        } catch (const AccessFailed&) {
            failed("%s", tlmetry_error(m_t));
        }
        std::printf("self-test: %d checks, %d failed\n", m_checks, m_failed);
        return m_failed == 0 ? 0 : 1;
    }

private:
    /// Nothing can be tested behind it.
    struct AccessFailed {};

    static void require(int result) {
        if (result != 0) throw AccessFailed();
    }
    std::uint32_t read(std::uint32_t address) {
        std::uint32_t value = 0;
        require(tlmetry_read32(m_t, address, &value));
        return value;
    }
    void write(std::uint32_t address, std::uint32_t value) { require(tlmetry_write32(m_t, address, value)); }
    void sleep_us(std::uint64_t us) { require(tlmetry_sleep_us(m_t, us)); }
    /// A command and the end of it.
    void carry_out(std::uint32_t bits) {
        write(command, bits);
        read(status);  // BUSY rises two cycles after the write
        for (int us = 0; (read(status) & busy) != 0; ++us) {
            if (us == patience_us) return failed("STATUS: busy for %d us", us);
            sleep_us(1);
        }
    }

    template <class... Values>
    void failed(const char* format, Values... values) {
        ++m_failed;
        char text[256];
        std::snprintf(text, sizeof text, format, values...);
        tlmetry_log(m_t, "FAILED: %s", text);
    }
    void expect(const char* what, std::uint32_t found, std::uint32_t expected) {
        ++m_checks;
        if (found != expected)
            failed("%s: expected 0x%08x, found 0x%08x", what, static_cast<unsigned>(expected),
                   static_cast<unsigned>(found));
    }
    void expect_that(const char* what, bool holds) {
        ++m_checks;
        if (!holds) failed("%s", what);
    }

    void identity() {
        expect("MAGIC", read(magic), 0x50544C4D);
        expect("VERSION, major number", read(version) >> 16, 2);
    }

    void layout() {
        m_endpoints = read(cfg_topology) & 0xFF;
        m_counters = read(cfg_layout) & 0xFFFF;
        m_width = read(cfg_layout) >> 16 & 0xFF;
        expect_that("CFG_TOPOLOGY: 1 to 16 endpoints", m_endpoints >= 1 && m_endpoints <= 16);
        expect_that("CFG_LAYOUT: a power of two of counters",
                    m_counters != 0 && (m_counters & (m_counters - 1)) == 0);
        expect_that("CFG_LAYOUT: counters of 33 to 64 bits", m_width >= 33 && m_width <= 64);
        expect("CNT_BASE", read(cnt_base), window);
    }

    void constants() {
        for (std::uint32_t address = 0; address <= cfg_width_dma; address += 4) {
            if (address >= command && address <= read_sel) continue;
            const std::uint32_t before = read(address);
            write(address, ~before);
            expect("a register that is read-only", read(address), before);
            expect("a register in its mirror", read(address + mirror), before);
        }
    }

    void bytes() {
        std::uint8_t all[4] = {};
        require(tlmetry_read(m_t, magic, all, sizeof all));
        for (std::uint32_t i = 0; i < 4; ++i) {
            std::uint8_t one = 0;
            require(tlmetry_read(m_t, magic + i, &one, 1));
            expect("a byte of MAGIC", one, all[i]);
        }
        std::uint8_t odd[3] = {};
        require(tlmetry_read(m_t, magic + 1, odd, sizeof odd));
        expect_that("three bytes at an odd address", std::memcmp(odd, all + 1, sizeof odd) == 0);
    }

    void reserved() {
        expect("COMMAND cannot be read", read(command), 0);
        for (const std::uint32_t base :
             {std::uint32_t{pcie_status}, std::uint32_t{pcie_tags}, std::uint32_t{pcie_stfifo}}) {
            for (std::uint32_t e = m_endpoints; e < 16; ++e)
                expect("a register of an endpoint that is not there", read(base + 4 * e), 0);
        }
    }

    void read_select() {
        write(read_sel, ~0U);
        expect("READ_SEL has one bit", read(read_sel), 1);
        write(read_sel, 0);
        expect("READ_SEL can be cleared", read(read_sel), 0);
    }

    /// The elapsed cycles of the first endpoint's PCIe clock, whichever copy is selected.
    std::uint64_t cycles() { return std::uint64_t{read(window + 4)} << 32 | read(window); }

    void commands() {
        carry_out(clear_counters | clear_flags | clear_marks);
        marks();
        sleep_us(100);
        carry_out(snapshot);
        const std::uint64_t first = cycles();
        expect_that("the counters count behind a CLEAR", first != 0);
        sleep_us(100);
        expect_that("a snapshot stands still", cycles() == first);
        write(read_sel, 1);
        expect_that("the live copy goes on", cycles() > first);
        write(read_sel, 0);
        carry_out(snapshot);
        expect_that("the next SNAPSHOT takes the live copy", cycles() > first);
        expect("STATUS: idle behind the command", read(status) & busy, 0);
    }

    /// The lowest values restart with all ones; they may be told anew at once, but not every time.
    void marks() {
        bool restarted = false;
        for (int i = 0; i < 4 && !restarted; ++i) {
            write(command, clear_marks);
            restarted = read(pcie_tags) >> 16 == 0x07FF;
        }
        expect_that("CLEAR MARKS restarts the lowest value of the free tags", restarted);
    }

    void window_repeats() {
        const std::uint32_t bytes = 8 * m_counters;
        if (window + bytes < component)
            expect("the window repeats behind its last counter", read(window + bytes), read(window));
    }

    void outside() {
        std::uint32_t value = 0;
        expect_that(
            "an access behind the component is refused",
            tlmetry_read32(m_t, component, &value) != 0 && tlmetry_read32(m_t, component - 2, &value) != 0);
    }

    const tlmetry_card* m_t;
    std::uint32_t m_endpoints = 0;
    std::uint32_t m_counters = 0;
    std::uint32_t m_width = 0;
    int m_checks = 0;
    int m_failed = 0;
};

}  // namespace

extern "C" int tlmetry_main(const struct tlmetry_card* t) {
    return SelfTest(t).run();
}
