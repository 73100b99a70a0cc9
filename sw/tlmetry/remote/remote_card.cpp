// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/remote/address.hpp>
#include <tlmetry/remote/grpc_process.hpp>
#include <tlmetry/remote/remote_card.hpp>

#include <grpcpp/grpcpp.h>
#include <nfb.grpc.pb.h>
#include <status.grpc.pb.h>

#include <chrono>
#include <cstring>

namespace tlmetry::remote {
namespace {

namespace wire = nfb::ext::protobuf::v1;

constexpr auto longest_call = std::chrono::seconds(30);

}  // namespace

struct RemoteCard::Stubs {
    explicit Stubs(const std::shared_ptr<grpc::Channel>& channel) : nfb(channel), platform(channel) {}

    wire::Nfb::Stub nfb;
    tlmetry::v1::Platform::Stub platform;
};

RemoteCard::RemoteCard(const std::string& address) : m_name("grpc:" + address) {
    check_address(address, Use::connect, config::shortened(m_name));
    keep_grpc();
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    m_stubs = std::make_unique<Stubs>(
        grpc::CreateCustomChannel(grpc_address(address), grpc::InsecureChannelCredentials(), arguments));
}

RemoteCard::~RemoteCard() = default;

/// Makes one call, and throws what became of it.
template <class Call>
void RemoteCard::call(const char* what, const Call& make) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + longest_call);
    const grpc::Status status = make(context);
    const grpc::StatusCode code = status.error_code();
    const bool gone = code == grpc::StatusCode::UNAVAILABLE || code == grpc::StatusCode::CANCELLED;
    if (gone && m_answered) throw UserError(m_name + ": the server has ended");
    if (code == grpc::StatusCode::DEADLINE_EXCEEDED)
        throw UserError(m_name + ": " + what + " failed: no answer came within " +
                        std::to_string(longest_call.count()) + " s");
    if (!status.ok()) throw UserError(m_name + ": " + what + " failed: " + status.error_message());
    m_answered = true;
}

std::vector<std::uint8_t> RemoteCard::device_tree() {
    wire::FdtResponse response;
    call("reading the device tree",
         [&](grpc::ClientContext& context) { return m_stubs->nfb.GetFdt(&context, {}, &response); });
    return {response.fdt().begin(), response.fdt().end()};
}

void RemoteCard::read(const std::string& path, std::uint32_t offset, void* data, std::uint32_t bytes) {
    wire::ReadCompRequest request;
    request.set_path(path);
    request.set_nbyte(static_cast<std::int32_t>(bytes));
    request.set_offset(static_cast<std::int32_t>(offset));
    wire::ReadCompResponse response;
    call("a read",
         [&](grpc::ClientContext& context) { return m_stubs->nfb.ReadComp(&context, request, &response); });
    if (response.data().size() != bytes)
        throw UserError(m_name + ": a read of " + std::to_string(bytes) + " bytes was answered with " +
                        std::to_string(response.data().size()));
    std::memcpy(data, response.data().data(), bytes);
}

void RemoteCard::write(const std::string& path, std::uint32_t offset, const void* data, std::uint32_t bytes) {
    wire::WriteCompRequest request;
    request.set_path(path);
    request.set_nbyte(static_cast<std::int32_t>(bytes));
    request.set_offset(static_cast<std::int32_t>(offset));
    request.set_data(data, bytes);
    wire::WriteCompResponse response;
    call("a write",
         [&](grpc::ClientContext& context) { return m_stubs->nfb.WriteComp(&context, request, &response); });
}

std::optional<PlatformStatus> RemoteCard::find_status() {
    tlmetry::v1::PlatformStatus response;
    bool known = true;
    call("asking for the status", [&](grpc::ClientContext& context) {
        const grpc::Status status = m_stubs->platform.GetStatus(&context, {}, &response);
        known = status.error_code() != grpc::StatusCode::UNIMPLEMENTED;
        return known ? status : grpc::Status::OK;
    });
    if (!known) return std::nullopt;
    return PlatformStatus{response.pace(),     response.simulated_s(), response.host_s(),
                          response.ratio(),    response.reached(),     response.lost_s(),
                          response.accesses(), response.refused(),     response.failure()};
}

PlatformStatus RemoteCard::status() {
    const auto status = find_status();
    if (!status) throw UserError(m_name + ": the server has no status: it is no platform of tlmetry serve");
    return *status;
}

}  // namespace tlmetry::remote
