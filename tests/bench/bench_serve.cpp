// SPDX-License-Identifier: BSD-3-Clause
// Register reads over gRPC: a served card against a server that does nothing but look into a map under a
// lock, turn by turn in the same run, both with their clients in this process.
#include "measure.hpp"

#include <tlmetry/device/device_tree.hpp>
#include <tlmetry/device/shared_card.hpp>
#include <tlmetry/device/simulated_card.hpp>
#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/driver/telemetry.hpp>
#include <tlmetry/remote/remote_device.hpp>
#include <tlmetry/serve/nfb_server.hpp>

#include <grpcpp/grpcpp.h>
#include <nfb.grpc.pb.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace tlmetry;

namespace {

namespace wire = nfb::ext::protobuf::v1;

constexpr int rounds = 5;
constexpr auto round_time = std::chrono::milliseconds(500);

/// A register file without anything behind it.
class MapService final : public wire::Nfb::Service {
    grpc::Status ReadComp(grpc::ServerContext*, const wire::ReadCompRequest* request,
                          wire::ReadCompResponse* response) override {
        const std::lock_guard<std::mutex> lock(m_mutex);
        const std::uint32_t value = m_words[request->offset()];
        response->set_data(&value, sizeof value);
        return grpc::Status::OK;
    }
    std::mutex m_mutex;
    std::map<int, std::uint32_t> m_words;
};

/// Reads of a register a second by so many clients.
double reads_per_second(const std::string& address, int clients) {
    std::atomic<long> reads{0};
    std::vector<std::thread> threads;
    const auto start = std::chrono::steady_clock::now();
    for (int client = 0; client < clients; ++client) {
        threads.emplace_back([&] {
            grpc::ChannelArguments arguments;
            arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection of its own
            const auto stub = wire::Nfb::NewStub(
                grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
            wire::ReadCompRequest request;
            request.set_path(device::telemetry_path);
            request.set_nbyte(4);
            request.set_offset(0x24);
            long done = 0;
            for (; std::chrono::steady_clock::now() - start < round_time; ++done) {
                grpc::ClientContext context;
                wire::ReadCompResponse response;
                if (!stub->ReadComp(&context, request, &response).ok()) std::abort();
            }
            reads += done;
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    return static_cast<double>(reads) /
           std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

int main() {
    MapService map;
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&map);
    const auto server = builder.BuildAndStart();
    const std::string map_address = "127.0.0.1:" + std::to_string(port);

    device::SimulatedCard::Config config;
    config.requests = false;
    config.pins.kind = traffic::Kind::idle;
    device::SimulatedCard card(config);
    device::SharedCard shared(card, {});
    const serve::NfbServer served(shared, device::device_tree(config, "idle"), {"127.0.0.1:0"});

    for (const int clients : {1, 4}) {
        std::vector<double> of_map, of_card, ratios;
        for (int round = 0; round < rounds; ++round) {
            of_map.push_back(reads_per_second(map_address, clients));
            of_card.push_back(reads_per_second(served.addresses().front().text, clients));
            ratios.push_back(of_card.back() / of_map.back());
        }
        const std::string by = clients == 1 ? "one client" : "four clients";
        bench::result(("reads over gRPC by " + by + ", a map under a lock").c_str(), median(of_map) / 1e3,
                      "k/s");
        bench::result(("reads over gRPC by " + by + ", a served card").c_str(), median(of_card) / 1e3, "k/s");
        bench::result(("reads over gRPC by " + by + ", served card / map").c_str(), median(ratios), "");
    }

    remote::RemoteDevice device(served.addresses().front().text, 0);
    driver::Telemetry telemetry(device.bus(), device.clock());
    std::vector<double> megahertz;
    for (int i = 0; i < rounds; ++i) {
        const auto result = driver::evaluate(telemetry.layout(), telemetry.record(1));
        megahertz.push_back(static_cast<double>(result.endpoints[0].pcie_cycles) /
                            result.seconds.value_or(1) / 1e6);
    }
    bench::result("PCIe clock of 400 MHz at the pace of real time, median of five intervals of 1 s",
                  median(megahertz), "MHz");
}
