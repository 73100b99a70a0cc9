// SPDX-License-Identifier: BSD-3-Clause
// The device service over the wire, by a client that speaks it bare and by the client of the tool.
#include "../sw/files.hpp"
#include "served_card.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/driver/telemetry.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/remote/address.hpp>
#include <tlmetry/remote/remote_device.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>

using namespace tlmetry;
using Catch::Contains;
using grpc::StatusCode;
using test::component_path;
using test::ServedCard;

namespace {

constexpr device::Pacer::Config steps{device::Pacer::Kind::step, 1, 0};

}  // namespace

TEST_CASE("a client finds the component by the device tree and reads it") {
    ServedCard served;
    remote::RemoteCard client(served.address);
    CHECK(client.device_tree() == device::device_tree(served.card.config(), "shape"));
    const auto component = remote::find_telemetry(client.device_tree(), 0, client.name());
    CHECK(component.path == component_path);
    CHECK(component.base == device::telemetry_base);
    CHECK(component.bytes == regs::component_bytes);
    std::uint8_t bytes[4];
    client.read(component.path, regs::magic, bytes, sizeof bytes);
    CHECK(word_of(bytes) == regs::magic_value);
    CHECK_THROWS_WITH(
        remote::find_telemetry(client.device_tree(), 1, "card"),
        "card: expected the index of a component cesnet,ofm,pcie_telemetry_mi of the device tree, "
        "which has 1 of them, counted from 0; found 1");
    CHECK_THROWS_WITH(remote::find_telemetry({1, 2, 3}, 0, "card"),
                      "card: expected a device tree, found 3 bytes of something else");
}

TEST_CASE("any number of bytes at any offset is answered exactly") {
    ServedCard served(steps);
    std::string all, data;
    REQUIRE(served.read(component_path, 64, 0, all).ok());
    REQUIRE(all.size() == 64);
    CHECK(all.substr(0, 4) == "MLTP");
    for (int offset = 0; offset < 24; ++offset) {
        for (int nbyte = 0; nbyte <= 8; ++nbyte) {
            REQUIRE(served.read(component_path, nbyte, offset, data).ok());
            CHECK(data == all.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(nbyte)));
        }
    }
    for (const int nbyte : {512, 32'768}) {
        REQUIRE(served.read(component_path, nbyte, 0x8000, data).ok());
        CHECK(data.size() == static_cast<std::size_t>(nbyte));
    }
    REQUIRE(served.read(component_path, 0x10000, 0, data).ok());
    CHECK(data.size() == 0x10000);
}

TEST_CASE("writes reach the bytes they name") {
    ServedCard served(steps);
    std::string data;
    REQUIRE(served.write(component_path, 4, regs::read_sel, std::string("\x01\0\0\0", 4)).ok());
    REQUIRE(served.read(component_path, 4, regs::read_sel, data).ok());
    CHECK(data == std::string("\x01\0\0\0", 4));
    // The component takes no notice of byte enables: the lanes that are not written are zero.
    REQUIRE(served.write(component_path, 1, regs::read_sel + 1, "\x01").ok());
    REQUIRE(served.read(component_path, 1, regs::read_sel, data).ok());
    CHECK(data == std::string(1, '\0'));
    CHECK(served.write(component_path, 4, regs::read_sel, "\x01").error_code() ==
          StatusCode::INVALID_ARGUMENT);
    CHECK(served.write(component_path, 1, regs::read_sel, "\x01\x01").error_code() ==
          StatusCode::INVALID_ARGUMENT);
}

TEST_CASE("writes of no bytes succeed anywhere, and do nothing") {
    ServedCard served(steps);
    const auto before = served.shared.now();
    for (const int offset : {0, 1, int{regs::command}, int{regs::component_bytes}, 0x7FFFFFFF})
        CHECK(served.write(component_path, 0, offset, "").ok());
    CHECK(served.write(device::mi_bus_path, 0, device::mi_bus_bytes, "").ok());
    CHECK(served.shared.now() == before);
    CHECK(served.shared.status().accesses == 0);
    CHECK(served.write("/nowhere", 0, 0, "").error_code() == StatusCode::NOT_FOUND);
}

TEST_CASE("what cannot be is a status") {
    ServedCard served(steps);
    std::string data;
    for (const char* path :
         {"", "/", "/nowhere", "/firmware/mi_bus0/pcie_telemetry_mi/", "pcie_telemetry_mi"})
        CHECK(served.read(path, 4, 0, data).error_code() == StatusCode::NOT_FOUND);
    CHECK(served.read(std::string(100'000, 'x'), 4, 0, data).error_code() == StatusCode::NOT_FOUND);
    for (const auto& [nbyte, offset] :
         {std::pair(-1, 0), std::pair(4, -4), std::pair(INT32_MIN, INT32_MIN)}) {
        CHECK(served.read(component_path, nbyte, offset, data).error_code() == StatusCode::INVALID_ARGUMENT);
        CHECK(served.write(component_path, nbyte, offset, "abcd").error_code() ==
              StatusCode::INVALID_ARGUMENT);
    }
    for (const auto& [nbyte, offset] : {std::pair(1, 0x10000), std::pair(4, 0xFFFD), std::pair(0x10001, 0),
                                        std::pair(INT32_MAX, 0), std::pair(INT32_MAX, INT32_MAX)})
        CHECK(served.read(component_path, nbyte, offset, data).error_code() == StatusCode::OUT_OF_RANGE);
    CHECK(served.write(component_path, 4, 0xFFFE, "abcd").error_code() == StatusCode::OUT_OF_RANGE);
    CHECK(served.shared.now() == 0);
    REQUIRE(served.read(component_path, 4, 0, data).ok());
    CHECK(data == "MLTP");
}

TEST_CASE("the bus itself can be accessed where the component is") {
    ServedCard served(steps);
    std::string data;
    REQUIRE(served.read(device::mi_bus_path, 4, device::telemetry_base, data).ok());
    CHECK(data == "MLTP");
    for (const int offset : {0, int{device::telemetry_base} - 2, 0x30000, 0x2FFFE})
        CHECK(served.read(device::mi_bus_path, 4, offset, data).error_code() == StatusCode::OUT_OF_RANGE);
    CHECK(served.read(device::mi_bus_path, 4, device::mi_bus_bytes, data).error_code() ==
          StatusCode::OUT_OF_RANGE);
}

TEST_CASE("four clients in parallel find no wrong value") {
    // TLMETRY_WIRE_READS=1000000 takes minutes.
    const char* wanted = std::getenv("TLMETRY_WIRE_READS");
    const int rounds = (wanted != nullptr ? std::atoi(wanted) : 60'000) / 4 / 3;
    ServedCard served(steps, test::busy_card());
    served.shared.sleep(fs_per_ms);
    remote::RemoteDevice device(served.address, 0);
    driver::Telemetry(device.bus(), device.clock()).snapshot();
    std::string window;
    REQUIRE(served.read(component_path, 512, 0x8000, window).ok());
    std::atomic<int> wrong{0};
    std::vector<std::thread> clients;
    for (int client = 0; client < 4; ++client) {
        clients.emplace_back([&] {
            const auto stub = test::wire::Nfb::NewStub(
                grpc::CreateChannel(served.address, grpc::InsecureChannelCredentials()));
            const auto differs = [&](int nbyte, int offset, const std::string& expected) {
                test::wire::ReadCompRequest request;
                request.set_path(component_path);
                request.set_nbyte(nbyte);
                request.set_offset(offset);
                test::wire::ReadCompResponse response;
                grpc::ClientContext context;
                return !stub->ReadComp(&context, request, &response).ok() || response.data() != expected;
            };
            for (int i = 0; i < rounds; ++i) {
                wrong += differs(4, 0, "MLTP");
                wrong += differs(3, 1, "LTP");
                wrong += differs(512, 0x8000, window);
            }
        });
    }
    for (std::thread& client : clients)
        client.join();
    CHECK(wrong == 0);
    CHECK(served.shared.status().refused == 0);
}

namespace {

/// MHz of the PCIe clock as software with host time sees it; the median of five seconds.
double median_megahertz(ServedCard& served) {
    remote::RemoteDevice device(served.address, 0);
    driver::Telemetry driver(device.bus(), device.clock());
    // A machine that is busy with other things gets another chance.
    double median = 0;
    for (int attempt = 0; attempt < 5 && std::abs(median - 400) > 0.2; ++attempt) {
        std::vector<double> megahertz;
        for (int i = 0; i < 5; ++i) {
            const auto result = driver::evaluate(driver.layout(), driver.record(1));
            megahertz.push_back(static_cast<double>(result.endpoints[0].pcie_cycles) /
                                result.seconds.value_or(1) / 1e6);
        }
        std::sort(megahertz.begin(), megahertz.end());
        median = megahertz[2];
    }
    return median;
}

}  // namespace

TEST_CASE("at the pace of real time a clock of 400 MHz shows") {
    ServedCard served;
    CHECK(median_megahertz(served) == Approx(400).margin(0.2));
}

TEST_CASE("a slow bus leaves rates as they are") {
    auto config = test::idle_card();
    config.faults.delay_fs = 10 * fs_per_ms;
    ServedCard served({}, config);
    CHECK(median_megahertz(served) == Approx(400).margin(0.2));
}

TEST_CASE("every call is answered when the server ends") {
    for (int round = 0; round < 5; ++round) {
        ServedCard served({}, test::busy_card());
        std::atomic<int> answered{0};
        std::atomic<int> clients_done{0};
        std::vector<std::thread> clients;
        for (int client = 0; client < 4; ++client) {
            clients.emplace_back([&] {
                std::string data;
                // A call that is not answered would hang here: it has no deadline.
                while (served.read(component_path, 32'768, 0x8000, data).ok()) {
                    CHECK(data.size() == 32'768);
                    ++answered;
                }
                ++clients_done;
            });
        }
        while (answered < 20)
            std::this_thread::yield();
        served.server->stop();
        for (std::thread& client : clients)
            client.join();
        CHECK(clients_done == 4);
    }
}

TEST_CASE("a call that would take hours is answered when the server ends") {
    ServedCard served({device::Pacer::Kind::step, 1, 1000 * fs_per_s}, test::busy_card());
    std::string data;
    grpc::Status status;
    std::thread client([&] { status = served.read(component_path, 4, 0, data); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    served.server->stop();
    client.join();
    CHECK_FALSE(status.ok());
}

TEST_CASE("a day of measurements over the wire") {
    // A second passes with each access, and no host time is waited for.
    ServedCard served({device::Pacer::Kind::step, 1, fs_per_s});
    remote::RemoteDevice device(served.address, 0);
    driver::Telemetry driver(device.bus(), device.clock());
    int measurements = 0;
    std::uint64_t cycles = 0;
    for (; served.shared.seconds() < 24 * 3600; ++measurements) {
        const auto totals = driver::totals(driver.layout(), driver.snapshot());
        CHECK(totals.endpoints[0].pcie_cycles > cycles);
        cycles = totals.endpoints[0].pcie_cycles;
    }
    CHECK(measurements > 9'000);
    CHECK(static_cast<double>(cycles) == Approx(24 * 3600 * 400e6).epsilon(0.001));
    CHECK(served.card.restarts() == 21);
}

TEST_CASE("a platform tells how it keeps pace") {
    ServedCard fast;
    remote::RemoteCard client(fast.address);
    std::uint8_t bytes[4];
    client.read(component_path, 0, bytes, 4);
    const auto status = client.status();
    CHECK(status.pace == "real time");
    CHECK(status.accesses == 1);
    CHECK(status.failure == "");

    ServedCard slow({device::Pacer::Kind::clock, 1000, 0}, test::busy_card());
    remote::RemoteCard slow_client(slow.address);
    while (slow_client.status().lost_s == 0)
        std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    CHECK(slow_client.status().reached < 0.5);
    CHECK(slow_client.status().pace == "1000 x real time");
}

TEST_CASE("a client says what is wrong") {
    test::TemporaryFolder folder;
    const std::string nowhere = "unix:" + folder.path("socket");
    CHECK_THROWS_WITH(remote::RemoteDevice(nowhere, 0),
                      Contains("grpc:" + nowhere + ": reading the device tree failed: "));
    ServedCard served;
    remote::RemoteCard client(served.address);
    std::uint8_t bytes[4] = {};
    CHECK_THROWS_WITH(client.read("/nowhere", 0, bytes, 4),
                      "grpc:" + served.address + ": a read failed: no component at the path /nowhere");
    CHECK_THROWS_WITH(client.write(component_path, 0xFFFE, bytes, 4),
                      Contains(": a write failed: 4 bytes at offset 65534 are beyond the 65536 bytes"));
}

TEST_CASE("addresses are checked, and used once") {
    for (const char* good : {"localhost:0", "127.0.0.1:65535", "unix:/tmp/x", "[::1]:1"})
        CHECK_NOTHROW(remote::check_address(good, remote::Use::listen, "option"));
    for (const std::string& bad :
         {std::string(""), std::string("host"), std::string(":1"), std::string("host:"),
          std::string("host:65536"), std::string("host:x"), std::string("unix:"), std::string("::1"),
          std::string("::1:5"), std::string("host:0x12"), std::string("*:1"), std::string("unix:a,b"),
          std::string("unix:a\nb"), "unix:" + std::string(200, 'x')})
        CHECK_THROWS_AS(remote::check_address(bad, remote::Use::listen, "option"), UserError);

    test::TemporaryFolder folder;
    const std::string path = "unix:" + folder.path("socket");
    ServedCard served;
    const serve::NfbServer second(served.shared, {}, {path});
    CHECK_THROWS_WITH(serve::NfbServer(served.shared, {}, {path}),
                      "listening on " + path + ": the address cannot be used: another server is there");
    const auto refused = [&](const std::vector<std::string>& addresses, const std::string& sentence) {
        CHECK_THROWS_WITH(serve::NfbServer(served.shared, {}, addresses), "listening on " + sentence);
    };
    refused({served.address}, served.address + ": the address cannot be used: Address already in use");
    refused({"127.0.0.1:0", served.address},
            served.address + ": the address cannot be used: Address already in use");
    const std::string twice = "unix:" + folder.path("twice");
    refused({twice, twice}, twice + ": expected each address once");
    const std::string other_words = "unix:" + folder.path("./twice");
    refused({twice, other_words}, other_words + ": expected each address once");
    refused({served.address, served.address}, served.address +
                                                  ": the address cannot be used: Address already "
                                                  "in use");
    const std::string nowhere = "unix:" + folder.path("none/socket");
    refused({nowhere}, nowhere + ": the address cannot be used: No such file or directory");
    const std::string file = folder.write("file", "kept");
    refused({"unix:" + file},
            "unix:" + file + ": the address cannot be used: there is a file of this name already");
    CHECK(test::read_file(file) == "kept");
    CHECK_THROWS_WITH(
        serve::NfbServer(served.shared, {}, {"192.0.2.1:0"}),
        "listening on 192.0.2.1:0: the address cannot be used: Cannot assign requested address");
}
