// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/card_access.hpp>
#include <tlmetry/device/faults.hpp>
#include <tlmetry/device/stimulus.hpp>
#include <tlmetry/mi/port.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

namespace tlmetry::device {

/// A whole card without a SystemC kernel: any number of them in a process, each for one thread at a time.
/// Accesses and times are those of software in a platform.
class SimulatedCard : public CardAccess {
public:
    struct Config : Stimulus::Config {
        telemetry::Config generics;
        telemetry::Clocks clocks{ClockDomain(10 * fs_per_ns, 0),
                                 ClockDomain(5 * fs_per_ns, 0),
                                 {ClockDomain(2500 * fs_per_ps, 0)}};
        time_fs request_fs = 0;     ///< from the issue of an access to the component
        time_fs completion_fs = 0;  ///< from its answer to the software
        bool posted_writes = true;  ///< the software does not wait for the latency of a write
        Faults faults;

        /// Throws UserError naming the parameter, its value and the rule it breaks.
        void validate() const;
    };

    /// A model cannot reach 4600 s. Behind this time it is restarted where nobody looks: the counters,
    /// their snapshot and READ_SEL go on; flags and lowest values restart, what is under way is lost.
    static constexpr time_fs restart_fs = 4000 * fs_per_s;

    /// Throws UserError like Config::validate(). `restart_after` is for tests.
    explicit SimulatedCard(const Config& config, time_fs restart_after = restart_fs);
    ~SimulatedCard() override;

    void read(std::uint32_t address, void* data, std::uint32_t bytes) override;
    void write(std::uint32_t address, const void* data, std::uint32_t bytes) override;
    time_fs now() const override { return m_now; }
    double seconds() const override;
    void sleep(time_fs duration) override;
    bool posted_writes() const override { return m_config.posted_writes; }
    void interrupt() override { m_interrupted = true; }

    /// Calls `watch` with each access that the component has served and the time of its edge, until the
    /// models are restarted. There is one watch.
    void on_access(std::function<void(const mi::MiAccess& access)> watch);

    /// Its endpoints, until the models are restarted; null without requests of its own.
    card::Card* card();

    /// What the software reads, until the models are restarted.
    const telemetry::Telemetry& component() const;

    const Config& config() const { return m_config; }
    std::uint32_t restarts() const { return m_restarts; }

private:
    struct Model;
    class SlowBus;

    void work_out(time_fs until);
    void finish(const mi::MiPort::Served& served, const SoftwareAccess& access, bool wait);
    void restart();

    const Config m_config;
    const time_fs m_step_fs;
    const time_fs m_restart_fs;
    std::unique_ptr<Model> m_model;
    time_fs m_now = 0;
    time_fs m_worked_out = 0;  // the models have gone so far at least
    std::uint32_t m_restarts = 0;
    double m_seconds_before = 0;  // those of the models before
    std::atomic<bool> m_interrupted{false};
};

}  // namespace tlmetry::device
