// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/serve/nfb_server.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/device/bus_address.hpp>
#include <tlmetry/device/device_tree.hpp>
#include <tlmetry/remote/grpc_process.hpp>
#include <tlmetry/serve/acceptor.hpp>
#include <tlmetry/serve/listener.hpp>

#include <grpcpp/grpcpp.h>
#include <grpcpp/server_posix.h>
#include <nfb.grpc.pb.h>
#include <status.grpc.pb.h>

#include <chrono>
#include <optional>
#include <thread>

namespace tlmetry::serve {

namespace {

namespace wire = nfb::ext::protobuf::v1;
using google::protobuf::Empty;
using grpc::ServerContext;
using grpc::Status;
using grpc::StatusCode;

// Calls end within milliseconds once the card is interrupted; only clients that take no answer are not waited
// for.
constexpr auto longest_shutdown = std::chrono::milliseconds(800);
// Calls that are on their way are answered in words, which gRPC would break.
constexpr auto farewell = std::chrono::milliseconds(100);

/// A node of the device tree that can be accessed.
struct Node {
    std::uint32_t base;
    std::uint32_t bytes;
};

/// Null for other paths.
const Node* find_node(const std::string& path) {
    static const Node telemetry{device::telemetry_base, regs::component_bytes};
    static const Node bus{0, device::mi_bus_bytes};
    if (path == device::telemetry_path) return &telemetry;
    if (path == device::mi_bus_path) return &bus;
    return nullptr;
}

/// Checks an access and makes it with `access(offset in the component)`.
template <class Request, class Access>
Status serve(device::SharedCard& card, const Request& request, const Access& access) {
    const Node* node = find_node(request.path());
    if (node == nullptr)
        return {StatusCode::NOT_FOUND, "no component at the path " + request.path().substr(0, 200)};
    if (request.nbyte() < 0 || request.offset() < 0)
        return {StatusCode::INVALID_ARGUMENT, "nbyte and offset must not be negative"};
    if (request.nbyte() == 0) return Status::OK;
    const auto offset = static_cast<std::uint32_t>(request.offset());
    const auto bytes = static_cast<std::uint32_t>(request.nbyte());
    if (offset > node->bytes || bytes > node->bytes - offset) {
        card.count_refused();
        return {StatusCode::OUT_OF_RANGE, std::to_string(bytes) + " bytes at offset " +
                                              std::to_string(offset) + " are beyond the " +
                                              std::to_string(node->bytes) + " bytes of the component"};
    }
    std::uint32_t address = 0;
    try {
        address = device::component_offset(node->base + offset, bytes);
    } catch (const device::AccessError& error) {
        card.count_refused();
        return {StatusCode::OUT_OF_RANGE, error.what()};
    }
    try {
        access(address);
        return Status::OK;
    } catch (const device::AccessError& error) {
        return {StatusCode::OUT_OF_RANGE, error.what()};
    } catch (const device::Interrupted&) {
        return {StatusCode::UNAVAILABLE, "the server is ending"};
    } catch (const std::exception& error) {
        return {StatusCode::INTERNAL, std::string("the simulation has failed: ") + error.what()};
    }
}

class NfbService final : public wire::Nfb::Service {
public:
    NfbService(device::SharedCard& card, std::vector<std::uint8_t> device_tree)
        : m_card(card), m_device_tree(std::move(device_tree)) {}

    Status GetFdt(ServerContext*, const Empty*, wire::FdtResponse* response) override {
        response->set_fdt(m_device_tree.data(), m_device_tree.size());
        return Status::OK;
    }

    Status ReadComp(ServerContext*, const wire::ReadCompRequest* request,
                    wire::ReadCompResponse* response) override {
        return serve(m_card, *request, [&](std::uint32_t offset) {
            std::string& data = *response->mutable_data();
            data.resize(static_cast<std::size_t>(request->nbyte()));
            m_card.read(offset, data.data(), static_cast<std::uint32_t>(data.size()));
        });
    }

    Status WriteComp(ServerContext*, const wire::WriteCompRequest* request,
                     wire::WriteCompResponse*) override {
        if (request->nbyte() >= 0 && request->data().size() != static_cast<std::size_t>(request->nbyte()))
            return {StatusCode::INVALID_ARGUMENT,
                    "nbyte is " + std::to_string(request->nbyte()) + ", but there are " +
                        std::to_string(request->data().size()) + " bytes of data"};
        return serve(m_card, *request, [&](std::uint32_t offset) {
            m_card.write(offset, request->data().data(), static_cast<std::uint32_t>(request->nbyte()));
        });
    }

private:
    device::SharedCard& m_card;
    const std::vector<std::uint8_t> m_device_tree;
};

class StatusService final : public tlmetry::v1::Platform::Service {
public:
    explicit StatusService(device::SharedCard& card) : m_card(card) {}

    Status GetStatus(ServerContext*, const Empty*, tlmetry::v1::PlatformStatus* response) override {
        m_card.catch_up();
        const device::SharedCard::Status status = m_card.status();
        response->set_pace(status.pace.text());
        response->set_simulated_s(status.simulated_s);
        response->set_host_s(status.host_s);
        response->set_ratio(status.ratio);
        response->set_reached(status.reached());
        response->set_lost_s(status.lost_s);
        response->set_accesses(status.accesses);
        response->set_refused(status.refused);
        response->set_failure(status.failure);
        return Status::OK;
    }

private:
    device::SharedCard& m_card;
};

}  // namespace

void require_usable(const std::vector<std::string>& addresses) {
    listen_on(addresses);
}

struct NfbServer::Services {
    Services(device::SharedCard& served, std::vector<std::uint8_t> device_tree)
        : card(served), nfb(served, std::move(device_tree)), status(served) {}

    device::SharedCard& card;
    NfbService nfb;
    StatusService status;
    std::vector<Listener> listeners;
    std::unique_ptr<grpc::Server> server;
    std::optional<Acceptor> acceptor;
};

NfbServer::NfbServer(device::SharedCard& card, std::vector<std::uint8_t> device_tree,
                     const std::vector<std::string>& addresses)
    : m_services(std::make_unique<Services>(card, std::move(device_tree))) {
    remote::keep_grpc();
    m_services->listeners = listen_on(addresses);
    grpc::ServerBuilder builder;
    // A connection would be of any of several queues, and its calls handed from thread to thread.
    builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
    builder.RegisterService(&m_services->nfb);
    builder.RegisterService(&m_services->status);
    m_services->server = builder.BuildAndStart();
    if (m_services->server == nullptr) throw UserError("the server cannot be started");
    m_services->acceptor.emplace(m_services->listeners, [server = m_services->server.get()](int client) {
        grpc::AddInsecureChannelFromFd(server, client);
    });
    for (Listener& listener : m_services->listeners) {
        listener.publish();
        m_addresses.push_back({listener.address(), listener.local()});
    }
}

NfbServer::~NfbServer() {
    stop();
}

void NfbServer::stop() {
    if (m_services->server == nullptr) return;
    m_services->card.interrupt();
    std::this_thread::sleep_for(farewell);
    m_services->acceptor.reset();
    m_services->listeners.clear();
    m_services->server->Shutdown(std::chrono::system_clock::now() + longest_shutdown);
    m_services->server->Wait();
    m_services->server.reset();
}

std::uint64_t NfbServer::refused_clients() const {
    return m_services->acceptor ? m_services->acceptor->refused() : 0;
}

}  // namespace tlmetry::serve
