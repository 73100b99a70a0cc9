// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/bytes.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/remote/remote_device.hpp>

#include <string_view>

namespace tlmetry::remote {
RemoteDevice::RemoteDevice(const std::string& address, unsigned index)
    : m_card(address), m_component(find_telemetry(m_card.device_tree(), index, m_card.name())) {}

std::uint32_t RemoteDevice::read32(std::uint32_t address) {
    std::uint8_t bytes[4];
    m_card.read(m_component.path, address, bytes, sizeof bytes);
    return word_of(bytes);
}

void RemoteDevice::write32(std::uint32_t address, std::uint32_t value) {
    std::uint8_t bytes[4];
    put_word(value, bytes);
    m_card.write(m_component.path, address, bytes, sizeof bytes);
}

std::vector<std::uint32_t> RemoteDevice::read_block(std::uint32_t address, std::size_t bytes) {
    std::vector<std::uint8_t> data(bytes);
    m_card.read(m_component.path, address, data.data(), static_cast<std::uint32_t>(bytes));
    std::vector<std::uint32_t> words(bytes / 4);
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = word_of(&data[4 * i]);
    return words;
}

void RemoteDevice::Clock::sleep(double seconds) {
    constexpr double pause_s = 1e-3;
    driver::HostClock::sleep(seconds);
    if (seconds >= pause_s) m_device.m_card.write(m_device.m_component.path, 0, nullptr, 0);
}

std::optional<tool::Pace> RemoteDevice::pace() {
    const auto status = m_card.find_status();
    if (!status) return std::nullopt;
    return tool::Pace{status->pace, status->simulated_s, status->host_s};
}

std::unique_ptr<tool::Device> open_remote_device(const std::string& path, unsigned index) {
    constexpr std::string_view prefix = "grpc:";
    if (path.compare(0, prefix.size(), prefix) != 0) return nullptr;
    if (path.size() == prefix.size())
        throw UserError("option --device: expected grpc:HOST:PORT or grpc:unix:PATH, found no address");
    return std::make_unique<RemoteDevice>(path.substr(prefix.size()), index);
}

}  // namespace tlmetry::remote
