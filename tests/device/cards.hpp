// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/bytes.hpp>
#include <tlmetry/device/simulated_card.hpp>

#include <cstdint>
#include <vector>

namespace tlmetry::test {

/// A card on which nothing happens.
inline device::SimulatedCard::Config idle_card() {
    device::SimulatedCard::Config config;
    config.requests = false;
    config.pins.kind = traffic::Kind::idle;
    return config;
}

/// A card with random activity on its pins.
inline device::SimulatedCard::Config busy_card() {
    device::SimulatedCard::Config config = idle_card();
    config.pins.kind = traffic::Kind::random;
    return config;
}

inline std::uint32_t read32(device::CardAccess& card, std::uint32_t address) {
    std::uint8_t bytes[4];
    card.read(address, bytes, sizeof bytes);
    return word_of(bytes);
}

inline void write32(device::CardAccess& card, std::uint32_t address, std::uint32_t value) {
    std::uint8_t bytes[4];
    put_word(value, bytes);
    card.write(address, bytes, sizeof bytes);
}

inline std::vector<std::uint8_t> read_bytes(device::CardAccess& card, std::uint32_t address,
                                            std::uint32_t bytes) {
    std::vector<std::uint8_t> data(bytes);
    card.read(address, data.data(), bytes);
    return data;
}

}  // namespace tlmetry::test
