// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/replay/player.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/replay/recorded_probe.hpp>

#include <algorithm>

namespace tlmetry::replay {

namespace {

using Handle = PinHandles::Handle;

// Clock domains by number; that of the PCIe clock of endpoint e is first_pcie_domain + e.
constexpr std::uint32_t mi_domain = 0;
constexpr std::uint32_t dma_domain = 1;
constexpr std::uint32_t first_pcie_domain = 2;

/// What a change of a pin means.
struct Meaning {
    enum class Role { ignored, clock, reset, observed };
    Role role = Role::ignored;
    std::uint32_t domain = 0;  // of a clock or reset
    std::uint32_t probe = 0;   // of an observed pin: 2*e PCIe, 2*e + 1 DMA
    std::uint32_t group = 0;
};

bool clears_counters(std::uint32_t address, std::uint32_t data) {
    return (address & regs::counter_window) == 0 && address % regs::registers_end / 4 == regs::command / 4 &&
           regs::fields::command::clear_counters.extract(data) != 0;
}

void check_map(const PinMap& map, const std::vector<Pin>& pins) {
    for (const auto& entry : map) {
        const std::string& name = entry.first;
        const bool known =
            name == "mi_be" || name == "mi_ardy" ||  // nothing depends on them
            std::any_of(pins.begin(), pins.end(), [&](const Pin& pin) { return pin.name() == name; });
        if (!known) {
            throw UserError(entry.second.place +
                            "expected a pin of the component such as pcie_mfb_sof_0, found '" + name + "'");
        }
    }
}

}  // namespace

struct Player::Impl {
    struct Domain {
        ClockDomain* clock = nullptr;
        cycle_t edges = 0;      // recorded so far
        bool recorded = false;  // else it runs by itself
        bool edge_now = false;  // in this step
    };
    struct Observed {
        RecordedProbe pins;
        std::uint32_t domain;
        std::uint32_t changed = 0;  // groups
    };

    Impl(wave::VcdReader& reader_, const telemetry::Config& config, const std::vector<Pin>& pins,
         const PinSource& source, Sample sample_, const telemetry::Clocks& absent)
        : reader(reader_),
          handles(reader_, pins, source),
          sample(sample_),
          mi(reader_, handles, sample_),
          clocks(absent),
          domains(first_pcie_domain + config.pcie_endpoints),
          meanings(handles.size()) {
        check_map(source.map, pins);
        bind_clock(mi_domain, "mi_clk", clocks.mi);
        bind_clock(dma_domain, "dma_clk", clocks.dma);
        for (std::uint32_t e = 0; e < config.pcie_endpoints; ++e) {
            bind_clock(first_pcie_domain + e, "pcie_clk_" + std::to_string(e), clocks.pcie[e]);
        }
        model = std::make_unique<telemetry::Telemetry>(config, clocks);
        model_mi.emplace(*model);
        bind_reset(mi_domain, "mi_reset");
        bind_reset(dma_domain, "dma_reset");
        for (std::uint32_t e = 0; e < config.pcie_endpoints; ++e) {
            bind_reset(first_pcie_domain + e, "pcie_reset_" + std::to_string(e));
            bind_probe(e, true);
            bind_probe(e, false);
        }
        if (std::all_of(observed.begin(), observed.end(),
                        [](const auto& o) { return o.pins.members().empty(); })) {
            throw UserError(reader.header().source + ": expected pins of PCIE_TELEMETRY_MI such as " +
                            (source.scope.empty() ? "" : source.scope + ".") +
                            "pcie_mfb_src_rdy_0, found none (name their scope, or each pin in a map file)");
        }
    }

    void bind_clock(std::uint32_t number, const std::string& pin, ClockDomain& clock) {
        Domain& domain = domains[number];
        domain.clock = &clock;
        const auto handle = handles.find(pin);
        if (!handle) return;
        domain.recorded = true;
        clock = ClockDomain();
        meanings[*handle] = {Meaning::Role::clock, number, 0, 0};
    }

    void bind_reset(std::uint32_t domain, const std::string& pin) {
        if (const auto handle = handles.find(pin)) meanings[*handle] = {Meaning::Role::reset, domain, 0, 0};
    }

    void bind_probe(std::uint32_t endpoint, bool pcie) {
        const std::uint32_t domain = pcie ? first_pcie_domain + endpoint : dma_domain;
        observed.push_back({RecordedProbe(reader, handles, *model, endpoint, pcie), domain});
        const auto probe = static_cast<std::uint32_t>(observed.size() - 1);
        for (const auto& [handle, group] : observed.back().pins.members()) {
            meanings[handle] = {Meaning::Role::observed, domain, probe, group};
        }
        if (!observed.back().pins.members().empty() && !domains[domain].recorded) {
            const std::string clock = pcie ? "pcie_clk_" + std::to_string(endpoint) : "dma_clk";
            throw UserError(reader.header().source + ": expected the clock " + clock + " beside the " +
                            (pcie ? "PCIe" : "DMA") + " pins of endpoint " + std::to_string(endpoint) +
                            ", found no such signal");
        }
    }

    void mark(Handle handle) {
        const Meaning& meaning = meanings[handle];
        switch (meaning.role) {
            case Meaning::Role::observed: {
                Observed& probe = observed[meaning.probe];
                if (probe.changed == 0) touched.push_back(meaning.probe);
                probe.changed |= meaning.group;
                break;
            }
            case Meaning::Role::clock:
                if (rises(reader, handle)) {
                    domains[meaning.domain].edge_now = true;
                    edges.push_back(meaning.domain);
                }
                break;
            case Meaning::Role::reset:
                resets.push_back(handle);
                break;
            case Meaning::Role::ignored:
                break;
        }
    }

    void step() {
        for (const Handle handle : reader.changes())
            mark(handle);
        for (const std::uint32_t number : edges) {
            domains[number].clock->append(reader.time());
            ++domains[number].edges;
        }
        if (sample == Sample::post) apply_resets();
        if (domains[mi_domain].edge_now && mi.has_traffic()) mi_edge();
        for (const std::uint32_t number : touched) {
            Observed& probe = observed[number];
            // A change at the time of an edge is sampled by the next edge, or with `post` by this one.
            const Domain& domain = domains[probe.domain];
            probe.pins.tell(probe.changed,
                            domain.edges - (sample == Sample::post && domain.edge_now ? 1 : 0));
            probe.changed = 0;
        }
        touched.clear();
        if (sample == Sample::pre) apply_resets();
        for (const std::uint32_t number : edges)
            domains[number].edge_now = false;
        edges.clear();
    }

    void apply_resets() {
        const time_fs t = sample == Sample::pre ? reader.time() : reader.time() - 1;
        for (const Handle handle : resets) {
            const std::uint32_t domain = meanings[handle].domain;
            const bool level = reader.now(handle).value[0] != 0;
            if (domain == mi_domain) {
                model->set_mi_reset(t, level);
            } else if (domain == dma_domain) {
                model->set_dma_reset(t, level);
            } else {
                model->set_pcie_reset(t, domain - first_pcie_domain, level);
            }
        }
        resets.clear();
    }

    void mi_edge() {
        if (mi.has_answers()) compare(mi.answer());
        const telemetry::MiInputs inputs = mi.inputs();
        model_mi->edge(domains[mi_domain].edges - 1, inputs);
        cleared = cleared || (inputs.write && !inputs.reset && clears_counters(inputs.address, inputs.data));
    }

    void compare(const RecordedAnswer& recorded) {
        if (!recorded.known) return;
        const auto& answer = model_mi->answer();
        if (!answer && !recorded.valid) return;
        if (answer && recorded.valid) {
            ++compared;
            if (((answer->data ^ recorded.data) & recorded.known_bits) == 0) return;
        }
        difference = Difference{reader.time(), {}, {}, {}};
        if (recorded.valid) difference->expected = recorded.data;
        if (!answer) return;
        difference->address = answer->address;
        difference->found = answer->data;
    }

    /// Keeps what is pending small where no software looks.
    void housekeeping() {
        constexpr cycle_t kept_edges = 65536;
        model->advance_to(reader.time());
        for (const Domain& domain : domains) {
            if (domain.recorded) domain.clock->forget_before(domain.edges - kept_edges);
        }
    }

    /// Passes the time in which nothing is recorded in pieces, so that what clocks of their own count does
    /// not pile up. False when the user has interrupted it.
    bool advance_through_gap() {
        constexpr time_fs piece = 10 * fs_per_ms;
        while (reader.time() - end_time > piece) {
            end_time += piece;
            model->advance_to(end_time);
            if (progress && !progress()) return false;
        }
        end_time = reader.time();
        return true;
    }

    void play() {
        constexpr std::uint64_t steps_between = 4096;
        bool started = false;
        for (std::uint64_t steps = 1; reader.next_step(); ++steps) {
            if (!started) first_time = reader.time();
            started = true;
            if (!advance_through_gap()) return finish();
            step();
            if (difference) return;
            if (steps % steps_between != 0) continue;
            housekeeping();
            if (progress && !progress()) return finish();
        }
        to_the_end = advance_through_gap();  // the last time stamp may change nothing
        finish();
    }

    /// Counts up to the end, and gives software one more edge to look at the registers.
    void finish() {
        look_time = end_time + 1;
        model->advance_to(look_time);
        for (std::uint32_t entry = 0; entry < model->layout().entries; ++entry) {
            counters.push_back(model->counted(entry));
        }
        if (domains[mi_domain].recorded) clocks.mi.append(look_time);
    }

    wave::VcdReader& reader;
    PinHandles handles;
    Sample sample;
    RecordedMi mi;
    telemetry::Clocks clocks;
    std::unique_ptr<telemetry::Telemetry> model;
    std::optional<telemetry::MiPins> model_mi;
    std::vector<Domain> domains;
    std::vector<Meaning> meanings;  // by handle
    std::vector<Observed> observed;

    // Of this step; each is empty in between.
    std::vector<std::uint32_t> edges;    // domains
    std::vector<std::uint32_t> touched;  // probes
    std::vector<Handle> resets;

    std::uint64_t compared = 0;
    std::optional<Difference> difference;
    std::function<bool()> progress;
    time_fs first_time = 0;
    time_fs end_time = 0;  // of what is played
    time_fs look_time = 0;
    std::vector<std::uint64_t> counters;
    bool cleared = false;
    bool to_the_end = false;
};

Player::Player(wave::VcdReader& reader, const telemetry::Config& config, const PinSource& source,
               Sample sample, const telemetry::Clocks& absent)
    : m_impl(std::make_unique<Impl>(reader, config, pins_of(config), source, sample, absent)) {}
Player::~Player() = default;

void Player::on_progress(std::function<bool()> callback) {
    m_impl->progress = std::move(callback);
}
void Player::play() {
    m_impl->play();
}

telemetry::Telemetry& Player::telemetry() {
    return *m_impl->model;
}
const telemetry::Telemetry& Player::telemetry() const {
    return *m_impl->model;
}
bool Player::has_traffic() const {
    return m_impl->mi.has_traffic();
}
bool Player::has_answers() const {
    return m_impl->mi.has_answers();
}
const std::vector<std::string>& Player::missing_pins() const {
    return m_impl->handles.missing();
}
std::uint64_t Player::answers_compared() const {
    return m_impl->compared;
}
const std::optional<Difference>& Player::difference() const {
    return m_impl->difference;
}
bool Player::played_to_the_end() const {
    return m_impl->to_the_end;
}
time_fs Player::first_time() const {
    return m_impl->first_time;
}
time_fs Player::end_time() const {
    return m_impl->end_time;
}
const std::vector<std::uint64_t>& Player::counters() const {
    return m_impl->counters;
}
bool Player::cleared() const {
    return m_impl->cleared;
}
time_fs Player::look_time() const {
    return m_impl->look_time;
}

}  // namespace tlmetry::replay
