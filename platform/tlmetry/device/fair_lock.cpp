// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/fair_lock.hpp"

#include <thread>

namespace tlmetry::device {

void FairLock::stand_in_line() {
    constexpr int most_tries = 20;
    const std::uint32_t place = m_next.fetch_add(1);
    if (m_first.load() != place) wait_to_be_first(place);
    bool mine = m_turn.try_lock();
    for (int i = 0; !mine && i < most_tries; ++i) {
        std::this_thread::yield();
        mine = m_turn.try_lock();
    }
    if (!mine) {
        m_promised = true;
        m_turn.lock();
        m_promised = false;
    }
    m_first.store(place + 1);
    if (m_next.load() != place + 1) call(place + 1);
}

void FairLock::wait_to_be_first(std::uint32_t place) {
    Room& room = m_rooms[place % m_rooms.size()];
    std::unique_lock<std::mutex> lock(room.mutex);
    room.called.wait(lock, [&] { return m_first.load() == place; });
}

void FairLock::call(std::uint32_t place) {
    Room& room = m_rooms[place % m_rooms.size()];
    { const std::lock_guard<std::mutex> lock(room.mutex); }  // it sleeps now, or sees that it is the first
    room.called.notify_all();
}

}  // namespace tlmetry::device
