// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/card_access.hpp>
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
/// Pacer. Each access is made by its own thread, under a lock; see README.md beside this file.
class SharedCard : public CardAccess {
public:
    struct Status {
        Pacer::Config pace;
        double simulated_s = 0;      ///< since the start
        double host_s = 0;           ///< since the start
        double ratio = 0;            ///< simulated by host time, of the last second or so
        double lost_s = 0;           ///< simulated time that the models were too slow for
        std::uint64_t accesses = 0;  ///< reads and writes of software
        std::uint64_t refused = 0;   ///< of them by the bus
        std::string failure;         ///< what ended the simulation; empty while it goes on

        /// The share of the pace that the models reach, at most 1: below it they are too slow.
        double reached() const;
    };

    /// Nobody else may use `card`, which must outlive this object.
    SharedCard(CardAccess& card, const Pacer::Config& pace);
    ~SharedCard() override;
    SharedCard(const SharedCard&) = delete;
    SharedCard& operator=(const SharedCard&) = delete;

    // All may be called by any thread. When the simulation has failed, all throw what it has thrown.
    void read(std::uint32_t address, void* data, std::uint32_t bytes) override;
    void write(std::uint32_t address, const void* data, std::uint32_t bytes) override;
    time_fs now() const override;
    double seconds() const override;
    void sleep(time_fs duration) override;
    bool posted_writes() const override { return m_card.posted_writes(); }

    Status status() const;

    /// From now on, accesses that let time pass for seconds of host time end with an exception.
    void interrupt() { m_interrupted = true; }

private:
    class Turn;

    template <class Access>
    void access(const Access& access);
    void catch_up(std::int64_t budget_ns);
    void sleep_piece(time_fs duration);
    void keep_pace();
    void fail();
    void measure_ratio(std::int64_t host_ns);

    CardAccess& m_card;
    mutable std::mutex m_mutex;
    mutable std::atomic<int> m_waiting{0};  // threads that want the lock for an access
    Pacer m_pacer;
    time_fs m_piece_fs;   // simulated time that goes by at once, adapted to the speed of the models
    bool m_slow = false;  // the models have been far behind the pace lately
    std::exception_ptr m_failure;
    std::string m_failure_text;
    std::uint64_t m_accesses = 0;
    std::uint64_t m_refused = 0;

    const std::int64_t m_start_ns;
    const double m_start_s;
    std::int64_t m_ratio_from_ns;
    double m_ratio_from_s;
    double m_ratio = 0;

    std::condition_variable m_wake;
    bool m_stop = false;
    std::atomic<bool> m_interrupted{false};
    std::thread m_keeper;  // last: it uses all of the above
};

}  // namespace tlmetry::device
