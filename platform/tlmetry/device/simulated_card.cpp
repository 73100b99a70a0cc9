// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/simulated_card.hpp"

#include <tlmetry/regs/telemetry_registers.hpp>

#include <algorithm>
#include <utility>

namespace tlmetry::device {

namespace {

// Where a command runs at the time of a restart, its end is looked for so often.
constexpr time_fs restart_look_fs = fs_per_ms;

// With a faster clock the longest transfer takes less than 2 ms.
constexpr time_fs slow_period_fs = 100 * fs_per_ns;

const SimulatedCard::Config& validated(const SimulatedCard::Config& config) {
    config.validate();
    return config;
}

mi::Transfer transfer(std::uint32_t address, std::uint32_t bytes) {
    return {address, bytes, bytes, nullptr, 0};
}

}  // namespace

/// In front of the component where the bus is slow: one transfer may take long then, and is worked out word
/// by word.
class SimulatedCard::SlowBus : public mi::MiDevice {
public:
    SlowBus(SimulatedCard& card, mi::MiDevice& device) : m_card(card), m_device(device) {}

    std::uint32_t read(cycle_t edge, std::uint32_t address) override {
        m_card.work_out(m_card.m_config.clocks.mi.time_of(edge));
        return m_device.read(edge, address);
    }
    void write(cycle_t edge, std::uint32_t address, std::uint32_t data, std::uint8_t enables) override {
        m_card.work_out(m_card.m_config.clocks.mi.time_of(edge));
        m_device.write(edge, address, data, enables);
    }
    std::uint32_t peek(time_fs now, std::uint32_t address) override { return m_device.peek(now, address); }

private:
    SimulatedCard& m_card;
    mi::MiDevice& m_device;
};

struct SimulatedCard::Model {
    Model(SimulatedCard& card, const Config& config, std::uint64_t seed)
        : core(config.generics, config.clocks),
          stimulus(seeded(config, seed), core),
          faulty(core, config.faults, seed),
          slow(card, config.faults.change_answers() ? static_cast<mi::MiDevice&>(faulty) : core),
          port(config.clocks.mi, core, regs::component_bytes) {
        if (config.faults.change_answers()) port.set_device(faulty);
        if (config.clocks.mi.period_fs() > slow_period_fs) port.set_device(slow);
    }

    static Stimulus::Config seeded(Stimulus::Config config, std::uint64_t seed) {
        config.seed = seed;
        return config;
    }

    telemetry::Telemetry core;
    Stimulus stimulus;
    FaultyDevice faulty;
    SlowBus slow;
    mi::MiPort port;
};

void SimulatedCard::Config::validate() const {
    generics.validate();
    Stimulus::Config::validate(generics);
}

SimulatedCard::SimulatedCard(const Config& config, time_fs restart_after)
    : m_config(validated(config)),
      m_step_fs(config.step_fs(config.generics.drain_period, config.clocks)),
      m_restart_fs(restart_after),
      m_model(std::make_unique<Model>(*this, m_config, m_config.seed)) {}

SimulatedCard::~SimulatedCard() = default;

void SimulatedCard::on_access(std::function<void(const mi::MiAccess& access)> watch) {
    m_model->port.on_access(std::move(watch));
}

card::Card* SimulatedCard::card() {
    return m_model->stimulus.card();
}

const telemetry::Telemetry& SimulatedCard::component() const {
    return m_model->core;
}

double SimulatedCard::seconds() const {
    return m_seconds_before + static_cast<double>(m_now) / static_cast<double>(fs_per_s);
}

/// Lets the models go on to less than a step before `until`: how long a time ever is, an interruption is seen
/// after a step.
void SimulatedCard::work_out(time_fs until) {
    while (until - m_worked_out >= m_step_fs) {
        if (m_interrupted.load(std::memory_order_relaxed)) throw Interrupted("the simulation is being ended");
        m_worked_out += m_step_fs;
        m_model->core.advance_to(m_worked_out);
    }
}

void SimulatedCard::finish(const mi::MiPort::Served& served, const SoftwareAccess& access, bool wait) {
    if (served.outcome != mi::MiPort::Outcome::served) throw outside_component(access);
    if (access.bytes == 0) return;
    m_now = served.until + (wait ? m_config.completion_fs + m_config.faults.delay_fs : -m_config.request_fs);
    if (m_now >= m_restart_fs) restart();
}

void SimulatedCard::read(std::uint32_t address, void* data, std::uint32_t bytes) {
    const time_fs at = m_now + m_config.request_fs;
    work_out(at);
    const auto served = m_model->port.read(at, transfer(address, bytes), static_cast<std::uint8_t*>(data));
    finish(served, {false, address, bytes}, true);
}

void SimulatedCard::write(std::uint32_t address, const void* data, std::uint32_t bytes) {
    const time_fs at = m_now + m_config.request_fs;
    work_out(at);
    const auto served =
        m_model->port.write(at, transfer(address, bytes), static_cast<const std::uint8_t*>(data));
    finish(served, {true, address, bytes}, !m_config.posted_writes);
}

void SimulatedCard::sleep(time_fs duration) {
    while (duration > 0) {
        if (m_now >= m_restart_fs) restart();
        // Beyond the restart it goes on in the models after it, as soon as no command runs.
        const time_fs piece =
            std::min(duration, m_now >= m_restart_fs ? restart_look_fs : m_restart_fs - m_now);
        const time_fs end = m_now + piece;
        work_out(end);
        m_now = end;
        duration -= piece;
    }
}

void SimulatedCard::restart() {
    work_out(m_now);
    // A command that runs is let go on to its end first.
    const std::uint32_t status = m_model->core.peek(m_now, regs::status);
    if (regs::fields::status::busy.extract(status) != 0) return;
    auto next = std::make_unique<Model>(*this, m_config, m_config.seed + ++m_restarts);
    next->core.take_over_counters(m_model->core);
    m_model = std::move(next);
    m_seconds_before += static_cast<double>(m_now) / static_cast<double>(fs_per_s);
    m_now = 0;
    m_worked_out = 0;
}

}  // namespace tlmetry::device
