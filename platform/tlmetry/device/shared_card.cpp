// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/shared_card.hpp"

#include <algorithm>
#include <chrono>

namespace tlmetry::device {

namespace {

constexpr std::int64_t ns_per_ms = 1'000'000;

// An access catches up for no longer than this; the keeper does the rest. Models that are too slow would only
// hold it up: then a moment earlier is as good.
constexpr std::int64_t access_budget_ns = 2 * ns_per_ms;
constexpr std::int64_t slow_access_budget_ns = ns_per_ms / 10;
// The keeper gives the lock away so often, and looks so often at the pace.
constexpr std::int64_t keeper_turn_ns = ns_per_ms / 2;
constexpr int most_yields = 100;
constexpr std::int64_t patience_ns = 2'000 * ns_per_ms;
constexpr auto keeper_pause = std::chrono::milliseconds(1);

constexpr time_fs first_piece_fs = 50 * fs_per_us;
constexpr time_fs shortest_piece_fs = fs_per_us;
constexpr time_fs longest_piece_fs = 10 * fs_per_ms;
constexpr std::int64_t ratio_interval_ns = 1'000 * ns_per_ms;

}  // namespace

/// The lock, taken so that the keeper sees that somebody waits.
class SharedCard::Turn {
public:
    explicit Turn(const SharedCard& card) : m_lock(card.m_mutex, std::defer_lock) {
        card.m_waiting.fetch_add(1, std::memory_order_relaxed);
        m_lock.lock();
        card.m_waiting.fetch_sub(1, std::memory_order_relaxed);
        if (card.m_failure) std::rethrow_exception(card.m_failure);
    }

private:
    std::unique_lock<std::mutex> m_lock;
};

double SharedCard::Status::reached() const {
    return pace.kind == Pacer::Kind::clock ? std::min(1.0, ratio / pace.speed) : 1.0;
}

SharedCard::SharedCard(CardAccess& card, const Pacer::Config& pace)
    : m_card(card),
      m_pacer(pace, host_now_ns()),
      m_piece_fs(first_piece_fs),
      m_start_ns(host_now_ns()),
      m_start_s(card.seconds()),
      m_ratio_from_ns(m_start_ns),
      m_ratio_from_s(m_start_s) {
    if (pace.kind == Pacer::Kind::step) return;
    m_keeper = std::thread([this] { keep_pace(); });
}

SharedCard::~SharedCard() {
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    if (m_keeper.joinable()) m_keeper.join();
}

template <class Access>
void SharedCard::access(const Access& access) {
    const Turn turn(*this);
    ++m_accesses;
    try {
        catch_up(m_slow ? slow_access_budget_ns : access_budget_ns);
        const time_fs before = m_card.now();
        access();
        m_pacer.passed(std::max<time_fs>(m_card.now() - before, 0));  // a restart begins at 0 again
    } catch (const AccessError&) {
        ++m_refused;
        throw;
    } catch (...) {
        fail();
        throw;
    }
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
    m_card.sleep(duration);
    m_pacer.passed(duration);
}

void SharedCard::sleep_piece(time_fs duration) {
    m_card.sleep(duration);
    m_pacer.passed(duration);
}

/// Lets pass what is due, in pieces; for about `budget_ns` of host time at most.
void SharedCard::catch_up(std::int64_t budget_ns) {
    const std::int64_t start = host_now_ns();
    time_fs due = m_pacer.due(start);
    m_slow = m_pacer.far_behind();
    for (std::int64_t before = start; due > 0;) {
        const time_fs piece = std::min(due, m_piece_fs);
        sleep_piece(piece);
        due -= piece;
        if (due <= 0) break;
        const std::int64_t now = host_now_ns();
        if (m_interrupted && now - start > patience_ns) throw UserError("the simulation is being ended");
        if (now - before < keeper_turn_ns / 8) m_piece_fs = std::min(2 * m_piece_fs, longest_piece_fs);
        if (now - before > keeper_turn_ns / 2) m_piece_fs = std::max(m_piece_fs / 2, shortest_piece_fs);
        if (now - start > budget_ns && m_pacer.config().kind == Pacer::Kind::clock) break;
        before = now;
    }
}

/// The thread that lets time pass while no software looks.
void SharedCard::keep_pace() {
    const bool free_run = m_pacer.config().kind == Pacer::Kind::free_run;
    std::unique_lock<std::mutex> lock(m_mutex);
    try {
        while (!m_stop) {
            const std::int64_t before = host_now_ns();
            bool rest = false;
            if (free_run) {
                m_card.sleep(m_piece_fs);
                const std::int64_t took = host_now_ns() - before;
                if (took < keeper_turn_ns / 2) m_piece_fs = std::min(2 * m_piece_fs, longest_piece_fs);
                if (took > keeper_turn_ns) m_piece_fs = std::max(m_piece_fs / 2, shortest_piece_fs);
            } else {
                catch_up(keeper_turn_ns);
                rest = host_now_ns() - before < keeper_turn_ns;
            }
            measure_ratio(before);
            if (rest) {
                m_wake.wait_for(lock, keeper_pause, [this] { return m_stop; });
                continue;
            }
            lock.unlock();
            for (int i = 0; i < most_yields && m_waiting.load(std::memory_order_relaxed) > 0; ++i)
                std::this_thread::yield();
            lock.lock();
        }
    } catch (...) {
        fail();
    }
}

/// Keeps the exception in flight: the models cannot go on.
void SharedCard::fail() {
    m_failure = std::current_exception();
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

SharedCard::Status SharedCard::status() const {
    const std::lock_guard<std::mutex> lock(m_mutex);
    Status status;
    status.pace = m_pacer.config();
    status.simulated_s = m_card.seconds() - m_start_s;
    const std::int64_t host_ns = host_now_ns();
    status.host_s = static_cast<double>(host_ns - m_start_ns) * 1e-9;
    status.ratio = m_ratio;
    if (m_ratio_from_ns == m_start_ns && host_ns > m_start_ns)
        status.ratio = status.simulated_s / status.host_s;
    status.lost_s = m_pacer.lost_s();
    status.accesses = m_accesses;
    status.refused = m_refused;
    status.failure = m_failure_text;
    return status;
}

}  // namespace tlmetry::device
