// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/serve/nfb_server.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/device/bus_address.hpp>
#include <tlmetry/device/device_tree.hpp>
#include <tlmetry/remote/address.hpp>

#include <grpc/support/log.h>
#include <grpcpp/grpcpp.h>
#include <netdb.h>
#include <nfb.grpc.pb.h>
#include <status.grpc.pb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <list>
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
constexpr auto longest_shutdown = std::chrono::seconds(2);
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

bool is_path(const std::string& address) {
    return !remote::socket_path(address).empty();
}

sockaddr_un path_name(const std::string& address) {
    sockaddr_un name = {};
    name.sun_family = AF_UNIX;
    remote::socket_path(address).copy(name.sun_path, sizeof name.sun_path - 1);
    return name;
}

/// The socket at the path of a server. gRPC removes what it finds at its path when it ends, also what another
/// server has put there since: it gets a path that nobody else knows, and the socket is moved from there.
class PathSocket {
public:
    explicit PathSocket(const std::string& address) : m_path(remote::socket_path(address)) {
        static std::atomic<unsigned> made{0};
        m_first_path = m_path.substr(0, m_path.rfind('/') + 1) + "." + std::to_string(getpid()) + "-" +
                       std::to_string(made++);
        if (m_first_path.size() >= sizeof(sockaddr_un::sun_path))
            throw UserError("listening on " + address +
                            ": the address cannot be used: " + std::strerror(ENAMETOOLONG));
    }
    ~PathSocket() {
        unlink(m_first_path.c_str());
        struct stat now = {};
        if (m_moved && lstat(m_path.c_str(), &now) == 0 && now.st_dev == m_file.st_dev &&
            now.st_ino == m_file.st_ino)
            unlink(m_path.c_str());
    }
    PathSocket(const PathSocket&) = delete;
    PathSocket& operator=(const PathSocket&) = delete;

    /// Where gRPC is to listen.
    std::string first_address() const { return "unix:" + m_first_path; }

    /// From there to the path of the server, when clients can be served. The reason why not; empty if it is
    /// there.
    std::string move() {
        m_moved = lstat(m_first_path.c_str(), &m_file) == 0 &&
                  std::rename(m_first_path.c_str(), m_path.c_str()) == 0;
        return m_moved ? "" : std::strerror(errno);
    }

private:
    std::string m_path;
    std::string m_first_path;
    struct stat m_file = {};
    bool m_moved = false;
};

/// A list may ask for several ports that are free.
bool is_any_port(const std::string& address) {
    return !is_path(address) && address.compare(address.size() - 2, 2, ":0") == 0;
}

/// gRPC would take the path of a living server away from it.
void require_unused(const std::string& address) {
    if (!is_path(address)) return;
    const sockaddr_un name = path_name(address);
    const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    const bool used =
        connect(probe, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0 || errno == EAGAIN;
    close(probe);
    if (used) throw UserError("listening on " + address + ": another server is there");
}

/// Why nobody can listen on an address, which gRPC keeps to itself; empty if somebody can.
std::string why_not(const std::string& address) {
    const auto try_bind = [](int family, const sockaddr* name, socklen_t bytes) -> std::string {
        const int probe = socket(family, SOCK_STREAM, 0);
        const int on = 1;
        setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        std::string reason = bind(probe, name, bytes) == 0 ? "" : std::strerror(errno);
        close(probe);
        return reason;
    };
    if (is_path(address)) {
        const sockaddr_un name = path_name(address);
        struct stat file = {};
        if (lstat(name.sun_path, &file) == 0) {
            // One that nobody listens on any more is replaced.
            if (S_ISSOCK(file.st_mode)) return "";
            return S_ISDIR(file.st_mode) ? "it is a folder" : "there is a file of this name already";
        }
        std::string reason = try_bind(AF_UNIX, reinterpret_cast<const sockaddr*>(&name), sizeof name);
        if (reason.empty()) unlink(name.sun_path);
        return reason;
    }
    const std::size_t colon = address.rfind(':');
    std::string host = address.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    addrinfo wanted = {};
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_PASSIVE;
    addrinfo* found = nullptr;
    if (const int error = getaddrinfo(host.c_str(), address.c_str() + colon + 1, &wanted, &found); error != 0)
        return gai_strerror(error);
    std::string reason = try_bind(found->ai_family, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    return reason;
}

}  // namespace

void require_usable(const std::vector<std::string>& addresses) {
    for (auto address = addresses.begin(); address != addresses.end(); ++address) {
        require_unused(*address);
        if (const std::string reason = why_not(*address); !reason.empty())
            throw UserError("listening on " + *address + ": the address cannot be used: " + reason);
        if (std::find(addresses.begin(), address, *address) != address && !is_any_port(*address))
            throw UserError("listening on " + *address + ": expected each address once");
    }
}

struct NfbServer::Services {
    Services(device::SharedCard& served, std::vector<std::uint8_t> device_tree)
        : card(served), nfb(served, std::move(device_tree)), status(served) {}

    device::SharedCard& card;
    NfbService nfb;
    StatusService status;
    std::list<PathSocket> sockets;
    std::unique_ptr<grpc::Server> server;
};

NfbServer::NfbServer(device::SharedCard& card, std::vector<std::uint8_t> device_tree,
                     const std::vector<std::string>& addresses)
    : m_addresses(addresses), m_services(std::make_unique<Services>(card, std::move(device_tree))) {
    gpr_set_log_function([](gpr_log_func_args*) {});  // errors come back from its functions
    grpc::ServerBuilder builder;
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.RegisterService(&m_services->nfb);
    builder.RegisterService(&m_services->status);
    require_usable(addresses);
    std::vector<int> ports(addresses.size());
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        std::string address = addresses[i];
        if (is_path(address)) address = m_services->sockets.emplace_back(address).first_address();
        builder.AddListeningPort(remote::grpc_address(address), grpc::InsecureServerCredentials(), &ports[i]);
    }
    m_services->server = builder.BuildAndStart();
    auto socket = m_services->sockets.begin();
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        const auto refuse = [&](const std::string& reason) {
            throw UserError("listening on " + addresses[i] + ": the address cannot be used" + reason);
        };
        if (m_services->server == nullptr || ports[i] == 0) refuse("");
        if (is_path(addresses[i])) {
            if (const std::string reason = (socket++)->move(); !reason.empty()) refuse(": " + reason);
            continue;
        }
        m_addresses[i] = addresses[i].substr(0, addresses[i].rfind(':') + 1) + std::to_string(ports[i]);
    }
}

NfbServer::~NfbServer() {
    stop();
}

void NfbServer::stop() {
    if (m_services->server == nullptr) return;
    m_services->card.interrupt();
    std::this_thread::sleep_for(farewell);
    m_services->sockets.clear();
    m_services->server->Shutdown(std::chrono::system_clock::now() + longest_shutdown);
    m_services->server->Wait();
    m_services->server.reset();
}

}  // namespace tlmetry::serve
