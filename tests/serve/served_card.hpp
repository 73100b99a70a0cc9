// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../device/cards.hpp"

#include <tlmetry/device/device_tree.hpp>
#include <tlmetry/device/shared_card.hpp>
#include <tlmetry/serve/nfb_server.hpp>

#include <grpcpp/grpcpp.h>
#include <nfb.grpc.pb.h>

#include <memory>
#include <string>

namespace tlmetry::test {

namespace wire = ::nfb::ext::protobuf::v1;

/// A card that is served on any port, and a client that speaks the bare service.
class ServedCard {
public:
    explicit ServedCard(const device::Pacer::Config& pace = {},
                        const device::SimulatedCard::Config& config = idle_card())
        : card(config),
          shared(card, pace),
          server(std::make_unique<serve::NfbServer>(shared, device::device_tree(config, "shape"),
                                                    std::vector<std::string>{"127.0.0.1:0"})),
          address(server->addresses().front().text),
          stub(wire::Nfb::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()))) {}

    grpc::Status read(const std::string& path, std::int32_t nbyte, std::int32_t offset, std::string& data) {
        wire::ReadCompRequest request;
        request.set_path(path);
        request.set_nbyte(nbyte);
        request.set_offset(offset);
        wire::ReadCompResponse response;
        grpc::ClientContext context;
        const grpc::Status status = stub->ReadComp(&context, request, &response);
        data = response.data();
        return status;
    }

    grpc::Status write(const std::string& path, std::int32_t nbyte, std::int32_t offset,
                       const std::string& data) {
        wire::WriteCompRequest request;
        request.set_path(path);
        request.set_nbyte(nbyte);
        request.set_offset(offset);
        request.set_data(data);
        wire::WriteCompResponse response;
        grpc::ClientContext context;
        return stub->WriteComp(&context, request, &response);
    }

    device::SimulatedCard card;
    device::SharedCard shared;
    std::unique_ptr<serve::NfbServer> server;
    std::string address;
    std::unique_ptr<wire::Nfb::Stub> stub;
};

inline const std::string component_path = device::telemetry_path;

}  // namespace tlmetry::test
