// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tlmetry::remote {

/// What a served platform tells of itself; see PlatformStatus of status.proto.
struct PlatformStatus {
    std::string pace;
    double simulated_s = 0;
    double host_s = 0;
    double ratio = 0;
    double reached = 0;
    double lost_s = 0;
    std::uint64_t accesses = 0;
    std::uint64_t refused = 0;
    std::string failure;
};

/// A client of the device service. Any number of threads may use one. All functions throw UserError, which
/// begins with the device, for a call that the server refuses or does not answer.
class RemoteCard {
public:
    /// `address` is HOST:PORT or unix:PATH; throws UserError for another. Whether somebody is there shows the
    /// first call.
    explicit RemoteCard(const std::string& address);
    ~RemoteCard();
    RemoteCard(const RemoteCard&) = delete;
    RemoteCard& operator=(const RemoteCard&) = delete;

    /// `grpc:` and the address.
    const std::string& name() const { return m_name; }

    std::vector<std::uint8_t> device_tree();
    /// Exactly `bytes` bytes at `offset` from the base of the component at a path of the device tree.
    void read(const std::string& path, std::uint32_t offset, void* data, std::uint32_t bytes);
    void write(const std::string& path, std::uint32_t offset, const void* data, std::uint32_t bytes);
    /// Only a platform has one; nothing where the server does not know the question.
    std::optional<PlatformStatus> find_status();
    /// The same where there has to be one.
    PlatformStatus status();

private:
    struct Stubs;

    template <class Call>
    void call(const char* what, const Call& make);

    std::string m_name;
    std::unique_ptr<Stubs> m_stubs;
    std::atomic<bool> m_answered{false};
};

}  // namespace tlmetry::remote
