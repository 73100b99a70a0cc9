// SPDX-License-Identifier: BSD-3-Clause
// The tune and trace unit behind TLM-2.0 sockets: the same trace as without a kernel.
#include "../account/configured.hpp"

#include <tlmetry/base/bytes.hpp>
#include <tlmetry/ptt_driver/trace_driver.hpp>
#include <tlmetry/ptt_driver/tune_driver.hpp>
#include <tlmetry/ptt_sc/unit_module.hpp>
#include <tlmetry/systemc/time.hpp>
#include <tlmetry/trace/recorder.hpp>

#include <catch2/catch.hpp>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

using namespace tlmetry;
namespace reg = ptt::reg;

namespace {

constexpr std::uint64_t ring_address = 0x4000'0000;
constexpr std::uint32_t buffer_bytes = 1 << 14;
constexpr time_fs run_time = 80 * fs_per_us;

device::SimulatedCard::Config traffic() {
    return test::configured("reference_load.ini",
                            {"telemetry.pcie_endpoints=2", "traffic.start=5us", "traffic.stop=60us"});
}

ptt::TraceConfig everything() {
    ptt::TraceConfig config;
    config.filter |= 0x5;
    config.both_directions = true;
    config.format = ptt::Format::eight_dwords;
    return config;
}

/// Memory of the host at ring_address.
struct Memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<Memory> socket{"socket"};
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(std::size_t{4} * buffer_bytes);
    bool dmi;
    int writes = 0;

    Memory(const sc_core::sc_module_name& name, bool allow_dmi) : sc_module(name), dmi(allow_dmi) {
        socket.register_b_transport(this, &Memory::b_transport);
        socket.register_get_direct_mem_ptr(this, &Memory::get_direct_mem_ptr);
    }
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time&) {
        const sc_dt::uint64 from = trans.get_address() - ring_address;
        if (from + trans.get_data_length() > bytes.size()) {
            trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        std::copy_n(trans.get_data_ptr(), trans.get_data_length(),
                    bytes.begin() + static_cast<std::ptrdiff_t>(from));
        ++writes;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& range) {
        range.set_start_address(ring_address);
        range.set_end_address(ring_address + bytes.size() - 1);
        range.set_dmi_ptr(bytes.data());
        range.allow_read_write();
        return dmi;
    }
};

/// Software on a processor of its own.
struct Software : sc_core::sc_module, ptt::UnitBus {
    tlm_utils::simple_initiator_socket<Software> socket{"socket"};
    sc_core::sc_in<bool> interrupt{"interrupt"};
    std::function<void(Software&)> body;

    Software(const sc_core::sc_module_name& name, std::function<void(Software&)> what)
        : sc_module(name), body(std::move(what)) {
        SC_HAS_PROCESS(Software);
        SC_THREAD(run);
    }
    void run() { body(*this); }

    tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                                    unsigned length) {
        tlm::tlm_generic_payload trans;
        trans.set_command(command);
        trans.set_address(address);
        trans.set_data_ptr(data);
        trans.set_data_length(length);
        trans.set_streaming_width(length);
        trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_core::sc_time delay;
        socket->b_transport(trans, delay);
        return trans.get_response_status();
    }
    std::uint32_t read32(std::uint32_t offset) override {
        std::array<std::uint8_t, 4> bytes{};
        CHECK(access(tlm::TLM_READ_COMMAND, offset, bytes.data(), 4) == tlm::TLM_OK_RESPONSE);
        return word_of(bytes.data());
    }
    void write32(std::uint32_t offset, std::uint32_t value) override {
        std::array<std::uint8_t, 4> bytes{};
        put_word(value, bytes.data());
        CHECK(access(tlm::TLM_WRITE_COMMAND, offset, bytes.data(), 4) == tlm::TLM_OK_RESPONSE);
    }
};

/// A card with the unit and software at its sockets.
struct Bench {
    Bench(bool dmi, std::function<void(Software&)> body)
        : config(traffic()),
          telemetry(config.generics, config.clocks),
          card(config.card, telemetry, config.seed),
          unit("unit", card, unit_config(config)),
          memory("memory", dmi),
          software("software", std::move(body)) {
        software.socket.bind(unit.registers);
        unit.memory.bind(memory.socket);
        unit.interrupt(line);
        software.interrupt(line);
    }
    static ptt_sc::UnitModule::Config unit_config(const device::SimulatedCard::Config& config) {
        ptt_sc::UnitModule::Config result;
        result.trace.topology = card::topology(config.card, config.generics);
        return result;
    }

    std::array<ptt::DmaBuffer, 4> ring() {
        std::array<ptt::DmaBuffer, 4> result;
        for (std::size_t b = 0; b < 4; ++b)
            result[b] = {ring_address + b * buffer_bytes, memory.bytes.data() + b * buffer_bytes};
        return result;
    }

    device::SimulatedCard::Config config;
    telemetry::Telemetry telemetry;
    card::Card card;
    ptt_sc::UnitModule unit;
    Memory memory;
    Software software;
    sc_core::sc_signal<bool> line;
};

std::string without_kernel() {
    device::SimulatedCard card(traffic());
    std::vector<std::vector<std::uint8_t>> ring(4, std::vector<std::uint8_t>(buffer_bytes));
    std::string bytes;
    trace::Recorder::Config config;
    config.trace = everything();
    config.buffer_bytes = buffer_bytes;
    trace::Recorder recorder(card, config, {ring[0].data(), ring[1].data(), ring[2].data(), ring[3].data()},
                             [&](std::uint8_t* data, std::size_t size) {
                                 bytes.append(reinterpret_cast<const char*>(data), size);
                                 return data;
                             });
    recorder.start();
    card.sleep(run_time);
    recorder.stop();
    return bytes;
}

void traces_the_same(bool dmi) {
    std::string bytes;
    int interrupts = 0;
    Bench* all = nullptr;
    ptt::TraceDriver::Statistics statistics;
    Bench bench(dmi, [&](Software& software) {
        const ptt::TraceDriver::Sink sink = [&](std::uint8_t* data, std::size_t size) {
            bytes.append(reinterpret_cast<const char*>(data), size);
            return data;
        };
        ptt::TraceDriver driver(software, all->ring(), buffer_bytes);
        driver.start(everything());
        while (kernel_now() < run_time) {
            sc_core::wait(to_sc_time(run_time - kernel_now()), software.interrupt.posedge_event());
            if (!software.interrupt.read()) continue;
            ++interrupts;
            driver.serve(sink);
            sc_core::wait(sc_core::sc_time(1, sc_core::SC_NS));
            CHECK(!software.interrupt.read());
        }
        driver.stop(sink);
        statistics = driver.statistics();
    });
    all = &bench;
    sc_core::sc_start(to_sc_time(run_time + fs_per_us));
    const std::string expected = without_kernel();
    CHECK(bytes.size() == expected.size());
    CHECK(std::mismatch(bytes.begin(), bytes.end(), expected.begin(), expected.end()).first - bytes.begin() ==
          static_cast<std::ptrdiff_t>(expected.size()));
    CHECK(bytes.size() > std::size_t{10} * buffer_bytes);
    CHECK(statistics.lost_bytes == 0);
    CHECK(interrupts > 5);
    CHECK((bench.memory.writes == 0) == dmi);
    CHECK(bench.card.unbalanced().empty());
}

}  // namespace

TEST_CASE("a trace by interrupts and DMI") {
    traces_the_same(true);
}

TEST_CASE("a trace by interrupts and transactions") {
    traces_the_same(false);
}

TEST_CASE("accesses that the registers do not take") {
    Bench bench(true, [](Software& software) {
        std::array<std::uint8_t, 16> data{};
        const auto read = [&](std::uint64_t address, unsigned length) {
            return software.access(tlm::TLM_READ_COMMAND, address, data.data(), length);
        };
        CHECK(read(0xfe0, 4) == tlm::TLM_OK_RESPONSE);
        CHECK(word_of(data.data()) == 0x0088'0080);  // 00:11.0 and 00:10.0
        CHECK(read(0xfe0, 12) == tlm::TLM_OK_RESPONSE);
        CHECK(read(0xfe1, 4) == tlm::TLM_BURST_ERROR_RESPONSE);
        CHECK(read(0xfe0, 2) == tlm::TLM_BURST_ERROR_RESPONSE);
        CHECK(read(0xfe0, 0) == tlm::TLM_BURST_ERROR_RESPONSE);
        CHECK(read(0x1000, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(read(0xffc, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(read(~std::uint64_t{3}, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(software.access(tlm::TLM_IGNORE_COMMAND, 0, data.data(), 4) == tlm::TLM_OK_RESPONSE);
    });
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
}

TEST_CASE("registers are those of the time at which they are read") {
    Bench* all = nullptr;
    std::vector<std::uint32_t> positions;
    Bench bench(true, [&](Software& software) {
        ptt::TraceDriver driver(software, all->ring(), buffer_bytes);
        driver.start(everything());
        for (int i = 0; i < 200; ++i) {
            sc_core::wait(sc_core::sc_time(100, sc_core::SC_NS));
            positions.push_back(software.read32(reg::trace_wr_sts));
        }
    });
    all = &bench;
    sc_core::sc_start(sc_core::sc_time(30, sc_core::SC_US));
    REQUIRE(positions.size() == 200);
    // Not in steps of the quantum: at 100 TLPs a microsecond and endpoint each look finds another position.
    std::size_t changes = 0;
    for (std::size_t i = 100; i < positions.size(); ++i)
        changes += positions[i] != positions[i - 1];
    CHECK(positions[40] == 0);  // traffic begins at 5 us
    CHECK(changes > 90);
}

TEST_CASE("levels that software sets reach the root ports at their time") {
    Bench* all = nullptr;
    Bench bench(true, [&](Software& software) {
        ptt::TuneDriver driver(software);
        CHECK(driver.level(ptt::TuneEvent::qos_tx_cpl) == 1);
        sc_core::wait(sc_core::sc_time(20, sc_core::SC_US));
        driver.set_level(ptt::TuneEvent::tx_alloc_buf_level, 2);
        CHECK(driver.level(ptt::TuneEvent::tx_alloc_buf_level) == 2);
        sc_core::wait(sc_core::sc_time(20, sc_core::SC_US));
        all->card.advance(kernel_now());
    });
    all = &bench;
    sc_core::sc_start(sc_core::sc_time(50, sc_core::SC_US));
    for (std::uint32_t e = 0; e < 2; ++e) {
        CHECK(bench.card.tuning(e).levels == ptt::TuneUnit::Levels{1, 1, 1, 0, 2});
        const auto sent = bench.card.endpoint(e).root_port_tx().statistics(endpoint::RootPortTx::completion);
        CHECK(sent.tlps > 100);
        CHECK(sent.batches < sent.tlps / 2);
        CHECK(sent.tlps < bench.card.endpoint(e).statistics().completions);  // those before went straight
    }
}
