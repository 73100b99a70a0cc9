// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/card_access.hpp>
#include <tlmetry/device/fair_lock.hpp>
#include <tlmetry/device/pacer.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

namespace tlmetry::device {

/// A card for software outside the simulation: any number of threads, and simulated time at the pace of a
/// Pacer. Each access is made by its own thread, under a lock, and at the pace of a clock answered no sooner
/// than host time has reached the answer; see README.md beside this file.
class SharedCard : public CardAccess {
public:
    struct Status {
        Pacer::Config pace;
        double simulated_s = 0;      ///< since the start
        double host_s = 0;           ///< since the start
        double ratio = 0;            ///< simulated by host time, of the last second or so
        double lost_s = 0;           ///< simulated time that the models were too slow for
        std::uint64_t accesses = 0;  ///< reads and writes of software
        std::uint64_t refused = 0;   ///< of them: nothing is at their address
        std::string failure;         ///< what ended the simulation; empty while it goes on

        /// The share of the pace that the models reach, at most 1: below it they are too slow.
        double reached() const;
    };

    /// Nobody else may use `card`, which must outlive this object.
    SharedCard(CardAccess& card, const Pacer::Config& pace);
    ~SharedCard() override;
    SharedCard(const SharedCard&) = delete;
    SharedCard& operator=(const SharedCard&) = delete;

    // All may be called by any thread. When the simulation has failed, all throw what it has thrown; behind
    // interrupt() accesses throw Interrupted.
    void read(std::uint32_t address, void* data, std::uint32_t bytes) override;
    void write(std::uint32_t address, const void* data, std::uint32_t bytes) override;
    time_fs now() const override;
    double seconds() const override;
    void sleep(time_fs duration) override;
    bool posted_writes() const override { return m_card.posted_writes(); }

    /// At once, also while an access takes long.
    Status status() const;

    /// At the pace of a clock, lets what is due pass for a moment unless the card is in use: the status is of
    /// now then.
    void catch_up();

    /// Counts an access that is refused before it gets to the card: the bus has nothing at its address.
    void count_refused() { m_refused_before.fetch_add(1, std::memory_order_relaxed); }

    /// Ends it all within a moment: no time passes any more, no answer is held, accesses that are under way
    /// or wait for their turn throw Interrupted, as do all that come later.
    void interrupt() override;

private:
    class Turn;

    template <class Access>
    void access(const Access& access);
    template <class Access>
    std::int64_t access_in_turn(const Access& access);
    void hold_until(std::int64_t host_ns);
    time_fs look(std::int64_t host_ns);
    void pass(time_fs due, std::int64_t start, std::int64_t budget_ns, bool give_way);
    void keep_pace();
    void require_going_on() const;
    void fail();
    void measure_ratio(std::int64_t host_ns);

    CardAccess& m_card;
    mutable FairLock m_lock;  // of the members up to the next comment
    Pacer m_pacer;
    time_fs m_piece_fs;   // simulated time that goes by at once, adapted to the speed of the models
    bool m_slow = false;  // the models have been far behind the pace lately
    std::exception_ptr m_failure;
    std::int64_t m_ratio_from_ns;
    double m_ratio_from_s;

    // The status, which waits for nobody.
    const std::int64_t m_start_ns;
    const double m_start_s;
    std::atomic<double> m_seconds;
    std::atomic<double> m_ratio{-1};  // none yet
    std::atomic<double> m_lost_s{0};
    std::atomic<std::uint64_t> m_accesses{0};
    std::atomic<std::uint64_t> m_refused{0};
    std::atomic<std::uint64_t> m_refused_before{0};
    mutable std::mutex m_failure_mutex;
    std::string m_failure_text;

    std::mutex m_pause_mutex;
    std::condition_variable m_pause;
    std::atomic<bool> m_interrupted{false};
    std::thread m_keeper;  // last: it uses all of the above
};

}  // namespace tlmetry::device
