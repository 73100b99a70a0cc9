// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/replay/player.hpp"

#include <algorithm>

#include <tlmetry/base/error.hpp>

namespace tlmetry::replay {

namespace {

using Handle = PinHandles::Handle;
using wave::Bits;

/// `width` bits from `lsb` on, at most 64; unknown bits and bits beyond the value read as zero.
std::uint64_t extract(const Bits& bits, std::uint32_t lsb, std::uint32_t width) {
    const std::size_t word = lsb / 64;
    const std::uint32_t shift = lsb % 64;
    std::uint64_t value = word < bits.words() ? bits.value[word] >> shift : 0;
    if (shift != 0 && word + 1 < bits.words()) value |= bits.value[word + 1] << (64 - shift);
    return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

bool is_one(const Bits& bits) { return (bits.value[0] & 1) != 0; }
bool is_zero(const Bits& bits) { return ((bits.value[0] | bits.unknown[0]) & 1) == 0; }

/// What a change of a pin means; the pins of one probe are told together.
enum class Role { none, clock, mi_reset, reset, buses, mvb, brakes, status };

struct Meaning {
    Role role = Role::none;
    std::uint32_t domain = 0;  // 0 = MI, 1 = DMA, 2 + e = PCIe of endpoint e
    std::uint32_t probe = 0;   // 2*e PCIe, 2*e + 1 DMA
};

}  // namespace

struct Player::Impl {
    /// Pins of one probe.
    struct ProbePins {
        telemetry::Probe* probe = nullptr;
        std::uint32_t domain = 0;
        std::uint32_t eof_pos_width = 0;
        std::vector<telemetry::BusShape> buses;
        std::optional<Handle> sof, eof, eof_pos, src_rdy, dst_rdy;
        std::optional<Handle> mvb_vld, mvb_src_rdy, mvb_dst_rdy;
        std::optional<Handle> brake;
        std::optional<Handle> mps, mrrs, ext_tag, tag_10b, rcb, link_up, free_tags, free_words;
        bool buses_changed = false, mvb_changed = false, brakes_changed = false, status_changed = false;
    };
    struct Answer {
        bool valid = false;
        std::uint32_t address = 0;
        std::uint32_t data = 0;
    };

    Impl(wave::VcdReader& reader_, const telemetry::Config& config, const PinMap& map, const std::string& scope,
         Sample sample_, const MissingClocks& missing)
        : reader(reader_), handles(reader_, config, map, scope), sample(sample_) {
        const auto clock = [&](const std::string& pin, time_fs period) {
            return handles.find(pin) ? ClockDomain() : ClockDomain(period, period);
        };
        clocks.mi = clock("mi_clk", missing.mi_period);
        clocks.dma = clock("dma_clk", missing.dma_period);
        for (std::uint32_t e = 0; e < config.pcie_endpoints; ++e) {
            clocks.pcie.push_back(clock("pcie_clk_" + std::to_string(e), missing.pcie_period));
        }
        model = std::make_unique<telemetry::Telemetry>(config, clocks);
        bind_pins(config);
    }

    void assign(const std::string& pin, Meaning meaning) {
        if (const auto handle = handles.find(pin)) {
            if (meanings.size() <= *handle) meanings.resize(*handle + 1);
            meanings[*handle] = meaning;
        }
    }

    std::optional<Handle> bind(const std::string& pin, Role role, std::uint32_t domain, std::uint32_t probe) {
        assign(pin, {role, domain, probe});
        return handles.find(pin);
    }

    void bind_pins(const telemetry::Config& config) {
        mi_clk = bind("mi_clk", Role::clock, 0, 0);
        bind("mi_reset", Role::mi_reset, 0, 0);
        bind("dma_clk", Role::clock, 1, 0);
        bind("dma_reset", Role::reset, 1, 0);
        for (const char* pin : {"mi_dwr", "mi_addr", "mi_be", "mi_rd", "mi_wr", "mi_drd", "mi_ardy", "mi_drdy"}) {
            bind(pin, Role::none, 0, 0);
        }
        mi_addr = handles.find("mi_addr"), mi_dwr = handles.find("mi_dwr");
        mi_rd = handles.find("mi_rd"), mi_wr = handles.find("mi_wr");
        mi_drd = handles.find("mi_drd"), mi_drdy = handles.find("mi_drdy");
        mi_reset = handles.find("mi_reset");

        bool any_bus = false;
        for (std::uint32_t e = 0; e < config.pcie_endpoints; ++e) {
            const std::string suffix = "_" + std::to_string(e);
            bind("pcie_clk" + suffix, Role::clock, 2 + e, 0);
            bind("pcie_reset" + suffix, Role::reset, 2 + e, 2 * e);
            for (const bool pcie : {true, false}) {
                const std::uint32_t p = 2 * e + (pcie ? 0 : 1);
                const std::uint32_t domain = pcie ? 2 + e : 1;
                const std::string prefix = pcie ? "pcie_" : "dma_";
                ProbePins pins;
                pins.probe = pcie ? &model->pcie_probe(e) : &model->dma_probe(e);
                pins.domain = domain;
                pins.eof_pos_width = pcie ? config.pcie_eof_pos_width : config.dma_eof_pos_width;
                for (std::uint32_t b = 0; b < pins.probe->shape().buses; ++b) {
                    pins.buses.push_back(pcie ? model->pcie_bus(b) : model->dma_bus(b));
                }
                const auto bus = [&](const char* name) {
                    const auto handle = bind(prefix + "mfb_" + name + suffix, Role::buses, domain, p);
                    any_bus = any_bus || handle;
                    return handle;
                };
                pins.sof = bus("sof"), pins.eof = bus("eof"), pins.eof_pos = bus("eof_pos");
                pins.src_rdy = bus("src_rdy"), pins.dst_rdy = bus("dst_rdy");
                const auto other = [&](const std::string& name, Role role) { return bind(name + suffix, role, domain, p); };
                if (pcie) {
                    pins.brake = other("pcie_ptc_brake", Role::brakes);
                    pins.mps = other("pcie_mps", Role::status), pins.mrrs = other("pcie_mrrs", Role::status);
                    pins.ext_tag = other("pcie_ext_tag_en", Role::status);
                    pins.tag_10b = other("pcie_10b_tag_req_en", Role::status);
                    pins.rcb = other("pcie_rcb_size", Role::status), pins.link_up = other("pcie_link_up", Role::status);
                    pins.free_tags = other("pcie_tag_free", Role::status);
                    pins.free_words = other("pcie_stfifo_free", Role::status);
                } else {
                    pins.mvb_vld = other("dma_mvb_vld", Role::mvb);
                    pins.mvb_src_rdy = other("dma_mvb_src_rdy", Role::mvb);
                    pins.mvb_dst_rdy = other("dma_mvb_dst_rdy", Role::mvb);
                }
                if (pins.src_rdy && !handles.find(pcie ? "pcie_clk" + suffix : "dma_clk")) {
                    throw UserError(reader.header().source + ": expected the clock " +
                                    (pcie ? "pcie_clk" + suffix : std::string("dma_clk")) + " of the bus " + prefix +
                                    "mfb" + suffix + ", found no such signal");
                }
                probes.push_back(std::move(pins));
            }
        }
        if (!any_bus) {
            throw UserError(reader.header().source +
                            ": expected pins of PCIE_TELEMETRY_MI such as pcie_mfb_src_rdy_0, found none (give their "
                            "scope, or their names in a map file)");
        }
        if (mi_rd && !mi_clk) {
            throw UserError(reader.header().source + ": expected the clock mi_clk of mi_rd, found no such signal");
        }
    }

    ClockDomain& clock(std::uint32_t domain) {
        return domain == 0 ? clocks.mi : domain == 1 ? clocks.dma : clocks.pcie[domain - 2];
    }

    std::uint64_t value(const std::optional<Handle>& handle, std::uint32_t lsb, std::uint32_t width) const {
        return handle ? extract(reader.now(*handle), lsb, width) : 0;
    }

    /// Value that an edge of this step samples.
    std::uint64_t sampled(const std::optional<Handle>& handle, std::uint32_t width) const {
        if (!handle) return 0;
        return extract(sample == Sample::pre ? reader.before(*handle) : reader.now(*handle), 0, width);
    }

    void tell_buses(ProbePins& pins, cycle_t from) {
        const auto buses = static_cast<std::uint32_t>(pins.buses.size());
        for (std::uint32_t b = 0; b < buses; ++b) {
            const std::uint32_t regions = pins.buses[b].probe_regions;
            word.src_rdy = value(pins.src_rdy, b, 1) != 0;
            word.dst_rdy = value(pins.dst_rdy, b, 1) != 0;
            word.sof = value(pins.sof, b * regions, regions);
            word.eof = value(pins.eof, b * regions, regions);
            word.eof_pos.resize(regions);
            for (std::uint32_t r = 0; r < regions; ++r) {
                word.eof_pos[r] = static_cast<std::uint32_t>(
                    value(pins.eof_pos, (b * regions + r) * pins.eof_pos_width, pins.eof_pos_width));
            }
            pins.probe->mfb(b).hold(from, pins.buses[b].decode(word));
        }
    }

    void tell_mvb(ProbePins& pins, cycle_t from) {
        const std::uint32_t regions = pins.probe->shape().regions;
        for (std::uint32_t b = 0; b < pins.buses.size(); ++b) {
            telemetry::MvbWord mvb;
            mvb.src_rdy = value(pins.mvb_src_rdy, b, 1) != 0;
            mvb.dst_rdy = value(pins.mvb_dst_rdy, b, 1) != 0;
            mvb.items = static_cast<std::uint32_t>(__builtin_popcountll(value(pins.mvb_vld, b * regions, regions)));
            pins.probe->mvb(b).hold(from, mvb);
        }
    }

    void tell_status(const ProbePins& pins, std::uint32_t endpoint, cycle_t from) {
        const auto field = [&](const std::optional<Handle>& handle, std::uint32_t width) {
            return static_cast<std::uint32_t>(value(handle, 0, width));
        };
        telemetry::StatusPins status;
        status.free_tags = field(pins.free_tags, 11);
        status.free_words = field(pins.free_words, 16);
        status.settings = field(pins.mps, 3) | field(pins.mrrs, 3) << 3 | field(pins.ext_tag, 1) << 6 |
                          field(pins.tag_10b, 1) << 7 | field(pins.rcb, 1) << 8 | field(pins.link_up, 1) << 9;
        model->status(endpoint).hold(from, status);
    }

    void mark(Handle handle) {
        if (handle >= meanings.size()) return;
        const Meaning& meaning = meanings[handle];
        switch (meaning.role) {
            case Role::buses: probes[meaning.probe].buses_changed = true; break;
            case Role::mvb: probes[meaning.probe].mvb_changed = true; break;
            case Role::brakes: probes[meaning.probe].brakes_changed = true; break;
            case Role::status: probes[meaning.probe].status_changed = true; break;
            case Role::mi_reset:
            case Role::reset: resets_changed.push_back(handle); break;
            case Role::clock:
                if (is_zero(reader.before(handle)) && is_one(reader.now(handle))) edges.push_back(meaning.domain);
                break;
            case Role::none: break;
        }
        if (meaning.role != Role::clock && meaning.role != Role::none && meaning.role != Role::reset) any_told = true;
    }

    void tell_all() {
        for (std::size_t p = 0; p < probes.size(); ++p) {
            ProbePins& pins = probes[p];
            if (!pins.buses_changed && !pins.mvb_changed && !pins.brakes_changed && !pins.status_changed) continue;
            // A change at the time of an edge is sampled by the next edge, or with `post` by this one.
            cycle_t from = clock(pins.domain).known_edges();
            const bool edge_now = std::find(edges.begin(), edges.end(), pins.domain) != edges.end();
            if (sample == Sample::post && edge_now) --from;
            if (pins.buses_changed) tell_buses(pins, from);
            if (pins.mvb_changed) tell_mvb(pins, from);
            if (pins.brakes_changed) {
                pins.probe->brakes().hold(from, {static_cast<std::uint32_t>(value(pins.brake, 0, telemetry::brake_pins))});
            }
            if (pins.status_changed) tell_status(pins, static_cast<std::uint32_t>(p / 2), from);
            pins.buses_changed = pins.mvb_changed = pins.brakes_changed = pins.status_changed = false;
        }
    }

    void apply_resets() {
        const time_fs t = sample == Sample::pre ? reader.time() : reader.time() - 1;
        for (const Handle handle : resets_changed) {
            const Meaning& meaning = meanings[handle];
            const bool level = is_one(reader.now(handle));
            if (meaning.role == Role::mi_reset) {
                model->set_mi_reset(t, level);
            } else if (meaning.domain == 1) {
                model->set_dma_reset(t, level);
            } else {
                model->set_pcie_reset(t, meaning.domain - 2, level);
            }
        }
        resets_changed.clear();
    }

    void mi_edge() {
        const cycle_t edge = clocks.mi.known_edges() - 1;
        compare_answer();
        const bool in_reset = sampled(mi_reset, 1) != 0;
        drdy = in_reset ? Answer{} : reading;
        reading = Answer{};
        const auto address = static_cast<std::uint32_t>(sampled(mi_addr, 32));
        if (sampled(mi_wr, 1) != 0) model->write(edge, address, static_cast<std::uint32_t>(sampled(mi_dwr, 32)), 0xF);
        if (sampled(mi_rd, 1) != 0 && !in_reset) reading = {true, address, model->read(edge, address)};
    }

    /// Compares what the model's answer registers hold with what stood in the recording before this edge.
    void compare_answer() {
        if (!mi_drdy || difference) return;
        const Bits recorded = reader.before(*mi_drdy);
        if (!recorded.is_known()) return;
        const bool recorded_drdy = is_one(recorded);
        if (recorded_drdy != drdy.valid) {
            difference = Difference{reader.time(), "DRDY", drdy.address, recorded_drdy, drdy.valid};
            return;
        }
        if (!drdy.valid) return;
        ++compared;
        if (!mi_drd) return;
        const Bits data = reader.before(*mi_drd);
        const auto recorded_data = static_cast<std::uint32_t>(extract(data, 0, 32));
        const auto known = ~static_cast<std::uint32_t>(data.unknown[0]);
        if ((recorded_data & known) != (drdy.data & known)) {
            difference = Difference{reader.time(), "DRD", drdy.address, recorded_data, drdy.data};
        }
    }

    void step() {
        edges.clear();
        for (const Handle handle : reader.changes()) mark(handle);
        for (const std::uint32_t domain : edges) clock(domain).append(reader.time());
        if (sample == Sample::post) apply_resets();
        if (std::find(edges.begin(), edges.end(), 0) != edges.end() && mi_rd) mi_edge();
        if (any_told) tell_all();
        any_told = false;
        if (sample == Sample::pre) apply_resets();
    }

    /// Keeps what is pending small where no software looks.
    void housekeeping() {
        constexpr cycle_t kept_edges = 65536;
        model->advance_to(reader.time());
        for (std::uint32_t domain = 0; domain < 2 + clocks.pcie.size(); ++domain) {
            ClockDomain& c = clock(domain);
            if (c.known_edges() != never) c.forget_before(c.known_edges() - kept_edges);
        }
        if (progress) progress(reader.time());
    }

    wave::VcdReader& reader;
    PinHandles handles;
    Sample sample;
    telemetry::Clocks clocks;
    std::unique_ptr<telemetry::Telemetry> model;
    std::vector<Meaning> meanings;
    std::vector<ProbePins> probes;
    std::optional<Handle> mi_clk, mi_addr, mi_dwr, mi_rd, mi_wr, mi_drd, mi_drdy, mi_reset;
    telemetry::MfbPins word;

    std::vector<std::uint32_t> edges;  // domains with an edge in this step
    std::vector<Handle> resets_changed;
    bool any_told = false;
    Answer reading;  // read sampled at the edge before
    Answer drdy;     // behind the registers of DRDY and DRD
    std::uint64_t compared = 0;
    std::optional<Difference> difference;
    time_fs first_time = -1;
    std::function<void(time_fs)> progress;
};

Player::Player(wave::VcdReader& reader, const telemetry::Config& config, const PinMap& map, const std::string& scope,
               Sample sample, const MissingClocks& missing)
    : m_impl(std::make_unique<Impl>(reader, config, map, scope, sample, missing)) {}
Player::~Player() = default;

void Player::on_progress(std::function<void(time_fs)> callback) { m_impl->progress = std::move(callback); }

void Player::play() {
    constexpr std::uint64_t steps_between = 4096;
    for (std::uint64_t steps = 0; m_impl->reader.next_step(); ++steps) {
        if (m_impl->first_time < 0) m_impl->first_time = m_impl->reader.time();
        m_impl->step();
        if (m_impl->difference) return;
        if (steps % steps_between == 0) m_impl->housekeeping();
    }
    m_impl->model->advance_to(m_impl->reader.time() + 1);
}

telemetry::Telemetry& Player::telemetry() { return *m_impl->model; }
bool Player::has_mi() const { return m_impl->mi_rd.has_value(); }
bool Player::has_answers() const { return m_impl->mi_drdy.has_value() && m_impl->mi_drd.has_value(); }
std::uint64_t Player::answers_compared() const { return m_impl->compared; }
const std::optional<Difference>& Player::difference() const { return m_impl->difference; }
time_fs Player::first_time() const { return std::max<time_fs>(0, m_impl->first_time); }
time_fs Player::end_time() const { return m_impl->reader.time(); }

}  // namespace tlmetry::replay
