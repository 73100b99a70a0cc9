// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace tlmetry::device {

/// A lock that nobody waits for without end: threads that find it taken stand in a line, and whoever is first
/// there is promised the next turn after a moment. Until then others may be faster, which spares a change of
/// threads with each turn.
class FairLock {
public:
    void lock() {
        if (!try_lock()) stand_in_line();
    }
    /// Without waiting.
    bool try_lock() { return !m_promised.load(std::memory_order_relaxed) && m_turn.try_lock(); }
    void unlock() { m_turn.unlock(); }

    /// How many threads stand in the line.
    std::uint32_t waiting() const {
        return m_next.load(std::memory_order_relaxed) - m_first.load(std::memory_order_relaxed);
    }
    /// The next turn is that of the first in the line.
    bool promised() const { return m_promised.load(); }

private:
    /// Where some of the line sleep.
    struct Room {
        std::mutex mutex;
        std::condition_variable called;
    };

    void stand_in_line();
    void wait_to_be_first(std::uint32_t place);
    void call(std::uint32_t place);

    std::mutex m_turn;
    std::atomic<bool> m_promised{false};
    std::atomic<std::uint32_t> m_next{0};   // place of who comes
    std::atomic<std::uint32_t> m_first{0};  // place of who is first
    std::array<Room, 16> m_rooms;
};

}  // namespace tlmetry::device
