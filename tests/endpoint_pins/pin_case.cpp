// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint_pins/pin_case.hpp"

#include "endpoint_pins/random_card.hpp"
#include "endpoint_telemetry/twin.hpp"

#include <tlmetry/base/random.hpp>
#include <tlmetry/card/card.hpp>
#include <tlmetry/endpoint_pins/protocol_checker.hpp>
#include <tlmetry/endpoint_pins/side_pins.hpp>
#include <tlmetry/endpoint_pins/wave_recorder.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/replay/player.hpp>
#include <tlmetry/telemetry/probe_pins.hpp>

#include <deque>

namespace tlmetry::testing {

namespace {

using endpoint_pins::SidePins;

/// The pins of one side, told to a component as they become known, and checked.
class CountedSide {
public:
    CountedSide(const endpoint_telemetry::EndpointLogs& logs, Twin& twin, std::uint32_t endpoint, bool pcie,
                const std::vector<endpoint_pins::MfbRules>& rules,
                const std::vector<endpoint::ResetSpan>& resets)
        : m_told(logs, twin.bulk, endpoint, pcie),
          m_checked(logs, twin.bulk, endpoint, pcie),
          m_pins(twin.plain, endpoint, pcie),
          m_plain(twin.plain),
          m_endpoint(endpoint),
          m_pcie(pcie),
          m_checker(m_checked, rules, m_pins.regions(), resets) {}

    void show_to(time_fs t) {
        m_told.expand(t);
        // What a word that waits carries makes no difference to the counters.
        m_told.finish(t);
        while (m_told.next() < m_told.known())
            tell();
        m_checked.expand(t);
        check();
    }
    void finish(time_fs t) {
        m_checked.finish(t);
        check();
    }
    std::string broken() const { return m_checker.broken(); }
    void add(PinCase& sum) const {
        for (std::uint32_t b = 0; b < m_told.buses(); ++b) {
            sum.words += m_checker.mfb(b).words();
            sum.stalled += m_checker.mfb(b).stalled();
        }
    }

private:
    void tell() {
        const cycle_t cycle = m_told.next();
        m_told.take();
        const auto& pins = m_told.pins();
        const auto words = [&](std::size_t p) { return pins[p].value.data(); };
        m_pins.tell_mfb(cycle, {words(0), words(1), words(2), words(3), words(4)});
        if (!m_pcie) {
            m_pins.tell_mvb(cycle, {words(5), words(6), words(7)});
            return;
        }
        const auto value = [&](std::size_t p) { return static_cast<std::uint32_t>(pins[p].value[0]); };
        m_plain.pcie_probe(m_endpoint).brakes().hold(cycle, {value(5)});
        const telemetry::StatusPins status{
            value(7), value(6),
            telemetry::settings_of_pins(value(8), value(9), value(10) != 0, value(11) != 0, value(12) != 0,
                                        value(13) != 0)};
        m_plain.status(m_endpoint).hold(cycle, status);
    }
    void check() {
        while (m_checked.next() < m_checked.known()) {
            const cycle_t cycle = m_checked.next();
            m_checked.take();
            m_checker.taken(cycle);
        }
        m_checker.advance(m_checked.known());
    }

    SidePins m_told;
    SidePins m_checked;
    telemetry::ProbePins m_pins;
    telemetry::Telemetry& m_plain;
    std::uint32_t m_endpoint;
    bool m_pcie;
    endpoint_pins::SideChecker m_checker;
};

std::string compare_replay(const std::string& wave, const RandomCard& card, telemetry::Telemetry& component,
                           std::uint64_t& answers) {
    wave::VcdReader reader(wave::Input::open(wave));
    replay::Player player(reader, card.component, {}, replay::Sample::pre, card.clocks);
    player.play();
    answers = player.answers_compared();
    if (!player.missing_pins().empty()) return "the waveform lacks the pin " + player.missing_pins().front();
    if (const auto& d = player.difference()) {
        return "replay: a read of address " + std::to_string(d->address.value_or(0)) + " at " +
               std::to_string(d->time) + " fs";
    }
    for (std::uint32_t i = 0; i < component.layout().entries; ++i) {
        if (player.counters()[i] != component.counted(i)) {
            return "replay: counter " + std::to_string(i) + ": found " +
                   std::to_string(player.counters()[i]) + ", expected " +
                   std::to_string(component.counted(i));
        }
    }
    return {};
}

}  // namespace

PinCase play_pin_case(std::uint64_t seed, const std::string& wave) {
    const RandomCard config(seed);
    Random random(seed, "looks");
    PinCase result;
    Twin twin(config.component, config.clocks, true);
    card::Card card(config.card, twin.bulk, seed);
    std::vector<endpoint_telemetry::EndpointLogs> logs;
    std::deque<CountedSide> sides;
    for (std::uint32_t e = 0; e < card.endpoints(); ++e) {
        logs.push_back(card.logs(e));
        const auto rules =
            endpoint_pins::rules_of(card.endpoint(e).config(), config.component, config.card.link.mps_bytes);
        sides.emplace_back(logs[e], twin, e, true, rules.pcie, card.resets());
        sides.emplace_back(logs[e], twin, e, false, rules.dma, card.resets());
    }
    endpoint_pins::WaveRecorder recorder({wave, 0, never}, twin.bulk, logs, card.resets());
    card.on_advance([&](time_fs t) {
        for (CountedSide& side : sides)
            side.show_to(t);
        recorder.advance(t);
        for (const endpoint::ResetSpan& reset : card.resets()) {
            if (t != reset.from && t != reset.until) continue;
            // As the card does: edges at that time see it.
            if (reset.of_dma()) twin.plain.set_dma_reset(t - 1, t == reset.from);
            for (std::uint32_t e = 0; reset.of_pcie() && e < card.endpoints(); ++e)
                twin.plain.set_pcie_reset(t - 1, e, t == reset.from);
        }
    });
    time_fs now = 0;
    cycle_t edge = 5;
    const auto read = [&](std::uint32_t address) {
        edge = std::max(edge + 1, config.clocks.mi.first_at_or_after(now));
        const std::uint32_t data = twin.bulk.read(edge, address);
        if (twin.plain.read(edge, address) != data && result.difference.empty())
            result.difference = "address " + std::to_string(address);
        recorder.access({edge, false, address, data, 0xF});
    };
    while (now < config.end && result.difference.empty()) {
        now =
            std::min<time_fs>(config.end, now + 1 + random.below(30'000) * fs_per_ps * random.between(1, 30));
        if (random.chance(1, 6)) {
            edge = std::max(edge + 1, config.clocks.mi.first_at_or_after(now));
            const std::uint32_t commands = random.below(16);
            twin.both([&](auto& component) { component.write(edge, regs::command, commands, 0xF); });
            recorder.access({edge, true, regs::command, commands, 0xF});
        }
        for (std::uint32_t i = random.below(6); i > 0; --i) {
            read(random.chance(1, 2)
                     ? 4 * random.below(64)
                     : regs::counter_window + 4 * random.below(2 * twin.bulk.layout().entries));
        }
        now = std::max(now, config.clocks.mi.time_of(edge) + 1);
        twin.look(now);
        if (result.difference.empty()) result.difference = twin.difference();
    }
    for (CountedSide& side : sides) {
        side.finish(now);
        side.add(result);
        if (result.difference.empty() && !side.broken().empty())
            result.difference = "protocol: " + side.broken();
    }
    recorder.finish(now);
    result.deltas = twin.deltas();
    for (const endpoint::ResetSpan& reset : card.resets())
        result.resets += reset.from < now;
    const telemetry::Config& c = config.component;
    result.padded =
        c.pcie_rq_mfb_regions != c.pcie_rc_mfb_regions || c.dma_up_mfb_regions != c.dma_down_mfb_regions;
    if (result.difference.empty())
        result.difference = compare_replay(wave, config, twin.bulk, result.answers);
    return result;
}

}  // namespace tlmetry::testing
