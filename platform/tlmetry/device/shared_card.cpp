// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/shared_card.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace tlmetry::device {

namespace {

constexpr std::int64_t ns_per_ms = 1'000'000;

// An access catches up for no longer than this; the keeper does the rest. Models that are too slow would only
// hold it up: then a moment earlier is as good.
constexpr std::int64_t access_budget_ns = 2 * ns_per_ms;
constexpr std::int64_t slow_access_budget_ns = ns_per_ms / 10;
// The keeper looks so often at the pace, and gives the lock away at the latest after it.
constexpr std::int64_t keeper_turn_ns = ns_per_ms / 2;
constexpr auto keeper_pause = std::chrono::milliseconds(1);
constexpr std::int64_t no_budget = std::numeric_limits<std::int64_t>::max();
// Answers this much before host time are not held: a thread cannot sleep for so short a time.
constexpr std::int64_t not_held_ns = ns_per_ms / 50;

constexpr time_fs first_piece_fs = 50 * fs_per_us;
constexpr time_fs shortest_piece_fs = fs_per_us;
constexpr time_fs longest_piece_fs = 10 * fs_per_ms;
constexpr std::int64_t ratio_interval_ns = 1'000 * ns_per_ms;

/// By one, under the lock.
void count(std::atomic<std::uint64_t>& number) {
    number.store(number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace

/// The lock, of models that have not failed.
class SharedCard::Turn {
public:
    explicit Turn(const SharedCard& card) : m_lock(card.m_lock) {
        if (card.m_failure) std::rethrow_exception(card.m_failure);
    }

private:
    std::lock_guard<FairLock> m_lock;
};

double SharedCard::Status::reached() const {
    return pace.kind == Pacer::Kind::clock ? std::min(1.0, ratio / pace.speed) : 1.0;
}

SharedCard::SharedCard(CardAccess& card, const Pacer::Config& pace)
    : m_card(card),
      m_pacer(pace, host_now_ns()),
      m_piece_fs(first_piece_fs),
      m_ratio_from_ns(host_now_ns()),
      m_ratio_from_s(card.seconds()),
      m_start_ns(m_ratio_from_ns),
      m_start_s(m_ratio_from_s),
      m_seconds(m_ratio_from_s) {
    if (pace.kind == Pacer::Kind::step) return;
    m_keeper = std::thread([this] { keep_pace(); });
}

SharedCard::~SharedCard() {
    interrupt();
    if (m_keeper.joinable()) m_keeper.join();
}

void SharedCard::interrupt() {
    {
        const std::lock_guard<std::mutex> lock(m_pause_mutex);
        m_interrupted = true;
    }
    m_pause.notify_all();
    m_card.interrupt();
}

template <class Access>
void SharedCard::access(const Access& access) {
    if (const std::int64_t host_ns = access_in_turn(access); host_ns != 0) hold_until(host_ns);
}

/// Returns the host time until which the answer is held; 0 if it is not.
template <class Access>
std::int64_t SharedCard::access_in_turn(const Access& access) {
    const Turn turn(*this);
    require_going_on();
    count(m_accesses);
    try {
        const bool clock = m_pacer.config().kind == Pacer::Kind::clock;
        const std::int64_t start = host_now_ns();
        const time_fs due = look(start);
        if (due > 0)
            pass(due, start, !clock ? no_budget : m_slow ? slow_access_budget_ns : access_budget_ns, false);
        const time_fs before = m_card.now();
        access();
        m_pacer.passed(std::max<time_fs>(m_card.now() - before, 0));  // a restart begins at 0 again
        const std::int64_t ahead_ns = m_pacer.ahead_ns();
        // What passed in front of it is published already, and an access alone is short.
        if (!clock || due == 0 || ahead_ns > not_held_ns)
            m_seconds.store(m_card.seconds(), std::memory_order_relaxed);
        return ahead_ns > not_held_ns ? start + ahead_ns : 0;
    } catch (const AccessError&) {
        count(m_refused);
        throw;
    } catch (const Interrupted&) {
        throw;
    } catch (...) {
        fail();
        throw;
    }
}

void SharedCard::require_going_on() const {
    if (m_interrupted) throw Interrupted("the simulation is being ended");
}

/// Software has its answer when the moment of it has come.
void SharedCard::hold_until(std::int64_t host_ns) {
    std::unique_lock<std::mutex> lock(m_pause_mutex);
    m_pause.wait_until(lock, std::chrono::steady_clock::time_point(std::chrono::nanoseconds(host_ns)),
                       [this] { return m_interrupted.load(); });
}

/// What is due at a host time.
time_fs SharedCard::look(std::int64_t host_ns) {
    const time_fs due = m_pacer.due(host_ns);
    m_slow = m_pacer.far_behind();
    m_lost_s.store(m_pacer.lost_s(), std::memory_order_relaxed);
    return due;
}

void SharedCard::read(std::uint32_t address, void* data, std::uint32_t bytes) {
    if (bytes != 0) access([&] { m_card.read(address, data, bytes); });
}

void SharedCard::write(std::uint32_t address, const void* data, std::uint32_t bytes) {
    if (bytes != 0) access([&] { m_card.write(address, data, bytes); });
}

time_fs SharedCard::now() const {
    const Turn turn(*this);
    return m_card.now();
}

double SharedCard::seconds() const {
    const Turn turn(*this);
    return m_card.seconds();
}

void SharedCard::sleep(time_fs duration) {
    const Turn turn(*this);
    require_going_on();
    m_card.sleep(duration);
    m_pacer.passed(duration);
    m_seconds.store(m_card.seconds(), std::memory_order_relaxed);
}

/// Lets `due` pass from host time `start` on, in pieces; for about `budget_ns` of host time at most, and with
/// `give_way` until somebody wants the lock.
void SharedCard::pass(time_fs due, std::int64_t start, std::int64_t budget_ns, bool give_way) {
    for (std::int64_t before = start; due > 0;) {
        const time_fs piece = std::min(due, m_piece_fs);
        m_card.sleep(piece);
        m_pacer.passed(piece);
        m_seconds.store(m_card.seconds(), std::memory_order_relaxed);
        due -= piece;
        if (due <= 0) break;
        const std::int64_t now = host_now_ns();
        require_going_on();
        if (now - before < keeper_turn_ns / 8) m_piece_fs = std::min(2 * m_piece_fs, longest_piece_fs);
        if (now - before > keeper_turn_ns / 2) m_piece_fs = std::max(m_piece_fs / 2, shortest_piece_fs);
        if (now - start > budget_ns || (give_way && m_lock.waiting() > 0)) break;
        before = now;
    }
}

/// The thread that lets time pass while no software looks.
void SharedCard::keep_pace() {
    const bool free_run = m_pacer.config().kind == Pacer::Kind::free_run;
    try {
        while (!m_interrupted) {
            std::int64_t before = 0;
            {
                const std::lock_guard<FairLock> lock(m_lock);
                if (m_failure) return;
                before = host_now_ns();
                pass(free_run ? never : look(before), before, keeper_turn_ns, true);
                measure_ratio(before);
            }
            if (free_run || host_now_ns() - before >= keeper_turn_ns) continue;
            std::unique_lock<std::mutex> lock(m_pause_mutex);
            m_pause.wait_for(lock, keeper_pause, [this] { return m_interrupted.load(); });
        }
    } catch (const Interrupted&) {
    } catch (...) {
        const std::lock_guard<FairLock> lock(m_lock);
        fail();
    }
}

/// Keeps the exception in flight: the models cannot go on.
void SharedCard::fail() {
    m_failure = std::current_exception();
    const std::lock_guard<std::mutex> lock(m_failure_mutex);
    try {
        throw;
    } catch (const std::exception& error) {
        m_failure_text = error.what();
    } catch (...) {
        m_failure_text = "unknown";
    }
}

void SharedCard::measure_ratio(std::int64_t host_ns) {
    if (host_ns - m_ratio_from_ns < ratio_interval_ns) return;
    const double simulated_s = m_card.seconds();
    m_ratio = (simulated_s - m_ratio_from_s) / (static_cast<double>(host_ns - m_ratio_from_ns) * 1e-9);
    m_ratio_from_ns = host_ns;
    m_ratio_from_s = simulated_s;
}

void SharedCard::catch_up() {
    if (m_pacer.config().kind != Pacer::Kind::clock) return;
    const std::unique_lock<FairLock> lock(m_lock, std::try_to_lock);
    if (!lock || m_failure) return;
    try {
        const std::int64_t start = host_now_ns();
        pass(look(start), start, slow_access_budget_ns, true);
    } catch (const Interrupted&) {
    } catch (...) {
        fail();
    }
}

SharedCard::Status SharedCard::status() const {
    Status status;
    status.pace = m_pacer.config();
    status.simulated_s = m_seconds.load() - m_start_s;
    const std::int64_t host_ns = host_now_ns();
    status.host_s = static_cast<double>(host_ns - m_start_ns) * 1e-9;
    status.ratio = m_ratio.load();
    if (status.ratio < 0) status.ratio = host_ns > m_start_ns ? status.simulated_s / status.host_s : 0;
    status.lost_s = m_lost_s.load();
    const std::uint64_t before = m_refused_before.load();
    status.accesses = m_accesses.load() + before;
    status.refused = m_refused.load() + before;
    const std::lock_guard<std::mutex> lock(m_failure_mutex);
    status.failure = m_failure_text;
    return status;
}

}  // namespace tlmetry::device
