// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/driver_bus.hpp"

#include <tlmetry/base/bytes.hpp>

#include <cmath>

namespace tlmetry::device {

std::uint32_t DriverBus::read32(std::uint32_t address) {
    std::uint8_t bytes[4];
    m_card.read(address, bytes, sizeof bytes);
    return word_of(bytes);
}

void DriverBus::write32(std::uint32_t address, std::uint32_t value) {
    std::uint8_t bytes[4];
    put_word(value, bytes);
    m_card.write(address, bytes, sizeof bytes);
}

std::vector<std::uint32_t> DriverBus::read_block(std::uint32_t address, std::size_t bytes) {
    std::vector<std::uint8_t> data(bytes);
    m_card.read(address, data.data(), static_cast<std::uint32_t>(bytes));
    std::vector<std::uint32_t> words(bytes / 4);
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = word_of(&data[4 * i]);
    return words;
}

void DriverClock::sleep(double seconds) {
    constexpr double longest_s = 1000;  // far inside time_fs
    const auto pass = [&](double s) {
        m_card.sleep(static_cast<time_fs>(std::llround(s * static_cast<double>(fs_per_s))));
    };
    for (; seconds > longest_s; seconds -= longest_s)
        pass(longest_s);
    pass(seconds);
}

}  // namespace tlmetry::device
