// SPDX-License-Identifier: BSD-3-Clause
#include "bench.hpp"
#include "software.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/mi/bus.hpp>

using namespace tlmetry;
using namespace tlmetry::mi;
using namespace tlmetry::mi::test;

namespace {

// Says busy like the command register of the telemetry: a command sampled at w shows from w + 2 on, for 20
// cycles.
class BusyDevice : public LoggingDevice {
public:
    static constexpr std::uint32_t command = 0x20;
    static constexpr std::uint32_t status = 0x24;

    std::uint32_t read(cycle_t edge, std::uint32_t address) override {
        LoggingDevice::read(edge, address);
        return address == status && edge >= m_commanded + 2 && edge < m_commanded + 22 ? 1 : 0;
    }
    void write(cycle_t edge, std::uint32_t address, std::uint32_t data, std::uint8_t enables) override {
        LoggingDevice::write(edge, address, data, enables);
        if (address == command) m_commanded = edge;
    }

private:
    cycle_t m_commanded = -1000;
};

// Software on a bus with one device; MI edge n at n * 10 ns.
template <typename Device = LoggingDevice>
struct BusBench {
    BusBench(const MiBus::Config& config, std::function<void(MiInitiator&)> body)
        : clock(10 * ns, 0),
          target("target", {}, clock, device),
          bus("bus", config, clock),
          software("software", std::move(body)) {
        bus.devices[0].bind(target.socket);
        software.mi.socket.bind(bus.initiators[0]);
    }

    ClockDomain clock;
    Device device;
    MiTarget target;
    MiBus bus;
    Software software;
};

MiBus::Config latencies(MiBus::Latency request, MiBus::Latency completion, bool posted) {
    MiBus::Config config;
    config.request = request;
    config.completion = completion;
    config.posted_writes = posted;
    return config;
}

}  // namespace

TEST_CASE("without latency a status read right after a command still reads idle, the next one busy") {
    BusBench<BusyDevice> bench({}, [](MiInitiator& mi) {
        mi.write32(BusyDevice::command, 1);
        CHECK(mi.now() == 10 * ns);
        CHECK(mi.read32(BusyDevice::status) == 0);
        CHECK(mi.read32(BusyDevice::status) == 1);
    });
    sc_core::sc_start();
    CHECK(bench.software.finished);
    REQUIRE(bench.device.log.size() == 3);
    CHECK(bench.device.log[1].edge == bench.device.log[0].edge + 1);
}

TEST_CASE("a bus without latency is not felt, posted or not") {
    BusBench<> bench(latencies({}, {}, false), [](MiInitiator& mi) {
        mi.write32(0, 1);
        CHECK(mi.now() == 10 * ns);
        mi.read32(0);
        CHECK(mi.now() == 30 * ns);
    });
    sc_core::sc_start();
    CHECK(bench.software.finished);
}

TEST_CASE("latency delays reads both ways and posted writes only on their way to the device") {
    BusBench<> bench(latencies({200 * ns, 3}, {300 * ns + 7, 0}, true), [](MiInitiator& mi) {
        mi.read32(0);  // sampled at 230 ns, answered at 250 ns
        CHECK(mi.now() == 550 * ns + 7);
        mi.write32(0, 1);  // sampled at 790 ns
        CHECK(mi.now() == 570 * ns);
        mi.write32(4, 1);  // sampled at 800 ns
        CHECK(mi.now() == 580 * ns);
        mi.read32(4);  // sampled at 810 ns
        CHECK(mi.now() == 1130 * ns + 7);
    });
    sc_core::sc_start();
    CHECK(bench.software.finished);
    REQUIRE(bench.device.log.size() == 4);
    CHECK(bench.device.log[0].edge == 23);
    CHECK(bench.device.log[1].edge == 79);
    CHECK(bench.device.log[2].edge == 80);
    CHECK(bench.device.log[3].edge == 81);
    CHECK(bench.target.late_accesses() == 0);
}

TEST_CASE("a write that is not posted waits for its completion") {
    BusBench<> bench(latencies({0, 5}, {0, 7}, false), [](MiInitiator& mi) {
        mi.write32(0, 1);  // sampled at 50 ns, done at 60 ns
        CHECK(mi.now() == 130 * ns);
        mi.read32(0);  // sampled at 180 ns, answered at 200 ns
        CHECK(mi.now() == 270 * ns);
    });
    sc_core::sc_start();
    CHECK(bench.software.finished);
    CHECK(bench.device.log[0].edge == 5);
    CHECK(bench.device.log[1].edge == 18);
}

TEST_CASE("each device sees the addresses of its own range, and what is between is refused") {
    const ClockDomain clock(10 * ns, 0);
    LoggingDevice device[2];
    MiTarget low("low", {0x100}, clock, device[0]);
    MiTarget high("high", {0x1000}, clock, device[1]);
    MiBus::Config config;
    config.devices = {{0x1000, 0x100}, {0x8000, 0x80}};  // the second shows a part of its device only
    MiBus bus("bus", config, clock);
    bus.devices[0].bind(low.socket);
    bus.devices[1].bind(high.socket);
    auto refused = [](MiInitiator& mi, std::uint64_t address, std::uint32_t bytes) {
        std::vector<std::uint8_t> data(bytes);
        try {
            mi.read_block(address, data.data(), bytes);
        } catch (const BusError& e) {
            CHECK(e.address() == address);
            return e.status() == tlm::TLM_ADDRESS_ERROR_RESPONSE;
        }
        return false;
    };
    Software software("software", [&](MiInitiator& mi) {
        CHECK(mi.read32(0x1000) == LoggingDevice::initial(0));
        CHECK(mi.read32(0x10FC) == LoggingDevice::initial(0xFC));
        mi.write32(0x8010, 5);
        CHECK(mi.read32(0x8010) == 5);
        CHECK(refused(mi, 0xFFC, 4));
        CHECK(refused(mi, 0xFFE, 4));
        CHECK(refused(mi, 0x10FE, 4));
        CHECK(refused(mi, 0x1100, 4));
        CHECK(refused(mi, 0x807C, 8));
        CHECK(refused(mi, 0xFFFFFFFFFFFFFFFF, 4));
        std::uint8_t data[8];
        CHECK(mi.debug_read(0x807C, data, 8) == 4);
        CHECK(mi.debug_read(0x1010, data, 8) == 8);
        CHECK(mi.debug_read(0x2000, data, 8) == 0);
    });
    software.mi.socket.bind(bus.initiators[0]);
    sc_core::sc_start();
    CHECK(software.finished);
    CHECK(bus.unmapped_accesses() == 6);
    CHECK(device[0].log.size() == 2);
    const std::vector<Seen> expected{{'w', 4, 0x10, 5, 0xF}, {'r', 5, 0x10, 5, 0xF}};
    CHECK(device[1].log == expected);
}

TEST_CASE("the bus passes on responses, ignores empty transfers and refuses direct memory access") {
    const ClockDomain clock(10 * ns, 0);
    LoggingDevice device;
    MiTarget target("target", {0x100}, clock, device);
    MiBus::Config config = latencies({0, 5}, {0, 5}, true);
    config.devices = {{0x1000, 0x200}};
    MiBus bus("bus", config, clock);
    bus.devices[0].bind(target.socket);
    RawInitiator initiator("initiator", [](RawInitiator& i) {
        std::vector<std::uint8_t> word(4);
        std::vector<std::uint8_t> empty;
        time_fs t = 0;
        CHECK(i.send(tlm::TLM_READ_COMMAND, 0x1100, word, t) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(i.send(tlm::TLM_WRITE_COMMAND, 0x1000, word, t, {2}) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        CHECK(i.send(tlm::TLM_READ_COMMAND, 0x1000, word, t, {}, 0) == tlm::TLM_BURST_ERROR_RESPONSE);
        CHECK(i.send(tlm::TLM_IGNORE_COMMAND, 0x1000, word, t) == tlm::TLM_OK_RESPONSE);
        CHECK(i.send(tlm::TLM_IGNORE_COMMAND, 0x3000, word, t) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        t = 0;
        CHECK(i.send(tlm::TLM_WRITE_COMMAND, 0x3000, empty, t) == tlm::TLM_OK_RESPONSE);
        CHECK(t == 0);
        tlm::tlm_generic_payload trans;
        trans.set_address(0x1000);
        tlm::tlm_dmi dmi;
        dmi.allow_read_write();
        CHECK_FALSE(i.socket->get_direct_mem_ptr(trans, dmi));
        CHECK(dmi.is_none_allowed());
    });
    initiator.socket.bind(bus.initiators[0]);
    sc_core::sc_start();
    CHECK(device.log.empty());
}

TEST_CASE("software of two initiators shares the bus one access a cycle") {
    const ClockDomain clock(10 * ns, 0);
    LoggingDevice device;
    MiTarget target("target", {}, clock, device);
    MiBus::Config config = latencies({0, 4}, {0, 4}, true);
    config.initiators = 2;
    MiBus bus("bus", config, clock);
    bus.devices[0].bind(target.socket);
    auto body = [](MiInitiator& mi) {
        for (std::uint32_t i = 0; i < 100; ++i) {
            mi.write32(4 * i, i);
            mi.read32(4 * i);
        }
    };
    // Neither runs ahead of the kernel, so the bus sees their accesses in order of time.
    Software first("first", body, 0);
    Software second("second", body, 0);
    first.mi.socket.bind(bus.initiators[0]);
    second.mi.socket.bind(bus.initiators[1]);
    sc_core::sc_start();
    CHECK(first.finished);
    CHECK(second.finished);
    CHECK(target.late_accesses() == 0);
    REQUIRE(device.log.size() == 400);
    for (std::size_t i = 1; i < device.log.size(); ++i) {
        CHECK(device.log[i].edge > device.log[i - 1].edge);
    }
}

TEST_CASE("initiators that run ahead of each other are served in order of arrival, and counted") {
    const ClockDomain clock(10 * ns, 0);
    LoggingDevice device;
    MiTarget target("target", {}, clock, device);
    MiBus::Config config;
    config.initiators = 2;
    MiBus bus("bus", config, clock);
    bus.devices[0].bind(target.socket);
    auto body = [](MiInitiator& mi) {
        for (std::uint32_t i = 0; i < 5; ++i) {
            mi.read32(4 * i);
        }
    };
    Software first("first", body, fs_per_us);
    Software second("second", body, fs_per_us);
    first.mi.socket.bind(bus.initiators[0]);
    second.mi.socket.bind(bus.initiators[1]);
    sc_core::sc_start();
    REQUIRE(device.log.size() == 10);
    CHECK(device.log[4].edge == 8);
    CHECK(device.log[5].edge == 9);  // meant for edge 0, when the first software was through to 8
    CHECK(target.late_accesses() == 1);
}

TEST_CASE("non-blocking transport works through the bus") {
    const ClockDomain clock(10 * ns, 0);
    LoggingDevice device;
    MiTarget target("target", {}, clock, device);
    MiBus bus("bus", latencies({25 * ns, 0}, {0, 1}, true), clock);
    bus.devices[0].bind(target.socket);

    struct Initiator : sc_core::sc_module {
        tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};
        sc_core::sc_event response;
        time_fs answered = -1;

        explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name) {
            socket.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
            SC_HAS_PROCESS(Initiator);
            SC_THREAD(run);
        }
        tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time& t) {
            response.notify(t);
            return tlm::TLM_COMPLETED;
        }
        void run() {
            tlm::tlm_generic_payload trans;
            std::uint32_t data = 0;
            trans.set_command(tlm::TLM_READ_COMMAND);
            trans.set_address(0x44);
            trans.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
            trans.set_data_length(4);
            trans.set_streaming_width(4);
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time t;
            CHECK(socket->nb_transport_fw(trans, phase, t) == tlm::TLM_ACCEPTED);
            sc_core::wait(response);
            CHECK(trans.is_response_ok());
            CHECK(data == LoggingDevice::initial(0x44));
            answered = kernel_now();
        }
    } initiator("initiator");
    initiator.socket.bind(bus.initiators[0]);
    sc_core::sc_start();
    CHECK(initiator.answered == 60 * ns);  // sampled at 30 ns, answered at 50 ns
}

TEST_CASE("configurations of the bus that make no sense are refused") {
    auto refused = [](MiBus::Config config) {
        try {
            config.validate();
        } catch (const UserError&) {
            return true;
        }
        return false;
    };
    CHECK_FALSE(refused({}));
    CHECK(refused(latencies({-1, 0}, {}, true)));
    CHECK(refused(latencies({}, {fs_per_s + 1, 0}, true)));
    CHECK(refused(latencies({0, 1'000'001}, {}, true)));
    MiBus::Config config;
    config.devices = {{0, 0x100}, {0x100, 0x100}};
    CHECK_FALSE(refused(config));
    config.devices[1].base = 0xFF;
    CHECK(refused(config));
    config.devices = {{0x10, 0x10}, {0, 0x100}};
    CHECK(refused(config));
    config.devices = {{0, 0}};
    CHECK(refused(config));
    config.devices = {{0xFFFFFFFFFFFFFFFF, 1}};
    CHECK_FALSE(refused(config));
    config.devices = {{0xFFFFFFFFFFFFFFFF, 2}};
    CHECK(refused(config));
}
