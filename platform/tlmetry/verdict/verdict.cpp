// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/verdict/verdict.hpp"

#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/shares.hpp>
#include <tlmetry/verdict/reasons.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>
#include <utility>

namespace tlmetry::verdict {
namespace {

using report::percent_sign;

using report::fixed;

constexpr double full_bus = 0.9;          ///< busy cycles of a bus that limits
constexpr double never_idle = 0.05;       ///< idle cycles of a bus that always has work
constexpr double full_link_up = 0.85;     ///< of a link that also says that it is not ready
constexpr double full_link_down = 0.9;    ///< of one that cannot say so
constexpr double bus_limit = 0.98;        ///< busy cycles beyond which nothing can be won
constexpr double link_limit = 0.95;       ///< the same of a link, which carries DLLPs as well
constexpr double most_of_the_time = 0.5;  ///< of the cycles in which something was missing
constexpr double long_round_trip_s = 5e-6;
constexpr double small_completion = 1.05;  ///< by the RCB
constexpr double several = 1.5;            ///< completions of a read

std::string percent(double share) {
    return percent_sign(100 * share);
}

std::string bounds_text(Bounds bounds, int decimals) {
    const std::string low = fixed(bounds.low, decimals), high = fixed(bounds.high, decimals);
    return low == high ? low : low + " to " + high;
}

/// Finds what holds one endpoint.
class Search {
public:
    explicit Search(const Evidence& evidence) : m_evidence(evidence) {}

    std::vector<Finding> run() {
        if (!m_evidence.counts.link_up)
            add(CauseId::link_down, 1, of_pcie_cycles, "PCIE_STATUS says that the link is not up.");
        if (!m_evidence.measured()) return std::move(m_findings);
        completion_path();
        window();
        link_up();
        request_path();
        header_bytes();
        source();
        return std::move(m_findings);
    }

private:
    void add(CauseId cause, double share, std::string_view share_of, std::string evidence,
             bool leads = false) {
        m_findings.push_back({cause, m_evidence.index, share, share_of, std::move(evidence), leads});
    }

    /// Share of the cycles in which reads waited for tags. A pool that is nearly empty also has nothing to
    /// show at its read ports.
    bool pool_is_short() const { return m_evidence.tags_short() >= 0.5; }
    double waited_for_tags() const {
        return std::max(m_evidence.reason(no_tag), pool_is_short() ? m_evidence.reason(tag_not_ready) : 0);
    }

    /// The end of a sentence: those of the reasons that come with a cause, and their shares.
    std::string comes_with(std::initializer_list<std::pair<Reason, bool>> reasons) const {
        std::string text;
        for (const auto& [reason, with] : reasons)
            if (with && m_evidence.reason(reason) >= least_share)
                text += (text.empty() ? "" : ", ") + ('"' + reason_text(reason).name + "\" ") +
                        percent(m_evidence.reason(reason));
        return text.empty() ? "." : "; with it come " + text + " of PCIe cycles.";
    }

    /// What waits for completions waits for the bus or link that they come on: looked at first.
    void completion_path() {
        const Evidence& e = m_evidence;
        std::size_t tightest = 0;
        for (std::size_t port = 1; port < e.ports(); ++port)
            if (e.down_bus(port).idle < e.down_bus(tightest).idle) tightest = port;
        const BusUse& down = e.down_bus(tightest);
        const double held = std::max(e.reason(mfb_held), e.reason(mvb_held));
        const bool down_full = down.busy >= full_bus;
        const bool sink_saturated = !down_full && down.idle < never_idle;
        const bool sink = !down_full && (sink_saturated || held >= least_share);
        const bool rc_full = e.rc().busy >= full_bus;
        const double output = e.output_busy();
        const bool output_full = !down_full && !sink_saturated && output >= full_bus;
        const bool link_full = e.down && e.down->used() >= full_link_down;
        const bool room_by_sink = sink && (sink_saturated || held >= e.reason(no_room) / 2);
        const bool tags_by_sink = sink && (sink_saturated || held >= waited_for_tags() / 2);

        m_path_full = down_full || sink_saturated || output_full || rc_full || link_full;
        m_path_at_limit = sink_saturated || output_full || down.busy >= bus_limit ||
                          e.rc().busy >= bus_limit || (e.down && e.down->used() >= link_limit);
        m_room_explained = path_explains(e.reason(no_room)) || room_by_sink;
        m_tags_explained = path_explains(waited_for_tags()) || tags_by_sink;
        m_headers_explained = (rc_full || link_full) && path_explains(e.reason(no_header));
        // With a slow sink the way back of a tag is not the host's alone.
        m_host_alone = !sink && !m_path_full;

        if (down_full)
            add(CauseId::down_full, down.busy, of_dma_cycles,
                down.counts->name + " moved a word in " + percent(down.busy) + " of its cycles" +
                    filled(down) +
                    comes_with({{mfb_held, true},
                                {mvb_held, true},
                                {no_room, m_room_explained},
                                {no_tag, m_tags_explained},
                                {tag_not_ready, m_tags_explained && pool_is_short()}}));
        if (sink)
            add(CauseId::slow_sink,
                std::max({held, room_by_sink ? e.reason(no_room) : 0, tags_by_sink ? waited_for_tags() : 0,
                          sink_saturated ? down.stalled : 0}),
                of_pcie_cycles,
                down.counts->name + " was stalled in " + percent(down.stalled) +
                    " of its cycles (MVB: " + percent(down.mvb_held) + ")" +
                    comes_with({{mfb_held, true},
                                {mvb_held, true},
                                {no_room, room_by_sink},
                                {no_tag, tags_by_sink},
                                {tag_not_ready, tags_by_sink && pool_is_short()}}));
        const auto waits = [&] {
            return comes_with({{no_tag, m_tags_explained},
                               {tag_not_ready, m_tags_explained && pool_is_short()},
                               {no_room, m_room_explained},
                               {no_header, m_headers_explained}});
        };
        if (output_full)
            add(CauseId::output_full, output, of_pcie_cycles,
                "Payload for DOWN, " + std::to_string(down.counts->regions.size()) + " of the " +
                    std::to_string(e.rc().counts->regions.size()) +
                    " regions of RC in a cycle for all ports together, takes at least " + percent(output) +
                    " of the PCIe cycles" + waits());
        if (rc_full)
            add(CauseId::rc_full, e.rc().busy, of_pcie_cycles,
                "RC moved a word in " + percent(e.rc().busy) + " of its cycles" + filled(e.rc()) + waits());
        if (link_full)
            add(e.facts.trained_down() ? CauseId::trained_down : CauseId::link_down_full, e.down->used(),
                of_link_time,
                trained_text() + "completions take " + percent(e.down->used()) + " of what " +
                    e.facts.trained->name() + " carries" + waits());
    }

    /// Something is missing because the way of the completions is full. One that has time left does not
    /// explain what is missing most of the time.
    bool path_explains(double missing) const {
        return m_path_full && (m_path_at_limit || missing < most_of_the_time);
    }

    std::string trained_text() const {
        if (!m_evidence.facts.trained_down()) return "With headers, ";
        return "It runs at " + m_evidence.facts.trained->name() + " and could do " +
               m_evidence.facts.capable->name() + "; with headers, ";
    }

    /// Reads that wait for something which completions give back.
    void window() {
        const Evidence& e = m_evidence;
        const double ports = e.reason(tag_not_ready);
        const double tags = m_tags_explained ? 0 : waited_for_tags();
        const double room = m_room_explained ? 0 : e.reason(no_room);
        const double entries = m_headers_explained ? 0 : e.reason(no_header);
        // While completions come as fast as they can, no read is late.
        if (!pool_is_short() && !m_path_full)
            add(CauseId::tag_ports, ports, of_pcie_cycles,
                "A read waited for the read ports of the tag FIFO in " + percent(ports) +
                    " of the cycles, while tags were short (at most 1/8 free) in " + percent(e.tags_short()) +
                    ".");

        if (m_host_alone && e.read_round_trip_s && e.read_round_trip_s->low > long_round_trip_s) {
            add(CauseId::host_latency, std::max({tags, room, entries}), of_pcie_cycles,
                "From its grant to the return of its tag a read took " +
                    bounds_text(*e.read_round_trip_s * 1e6, 1) + " us on average" +
                    comes_with({{no_tag, true},
                                {tag_not_ready, pool_is_short()},
                                {no_room, true},
                                {no_header, true}}));
            return;
        }
        const auto leads = [&](double missing) { return m_path_full && missing >= most_of_the_time; };
        add(CauseId::tags, tags, of_pcie_cycles, tags_text(tags), leads(tags));
        add(CauseId::storage, room, of_pcie_cycles,
            "The room left did not cover the next reads in " + percent(room) +
                " of the cycles (lowest: " + std::to_string(e.counts.stfifo.lowest) + " of " +
                std::to_string(e.measurement.layout.stfifo_capacity) +
                " words), while the DMA module held completions in " +
                percent(std::max(e.reason(mfb_held), e.reason(mvb_held))) + ".",
            leads(room));
        add(CauseId::completion_headers, entries, of_pcie_cycles,
            "Reads waited for entries of completion headers in " + percent(entries) + " of the cycles (RCB " +
                std::to_string(e.counts.rcb) + " B) while at least " + std::to_string(e.counts.tags.lowest) +
                " of " + std::to_string(e.measurement.layout.tag_capacity) + " tags were free.",
            leads(entries));
    }

    std::string tags_text(double share) const {
        const Evidence& e = m_evidence;
        std::string text = "Reads waited for tags in " + percent(share) +
                           " of the cycles (lowest: " + std::to_string(e.counts.tags.lowest) + " of " +
                           std::to_string(e.measurement.layout.tag_capacity) + " free)";
        if (e.read_round_trip_s)
            text += "; a read took " + bounds_text(*e.read_round_trip_s * 1e6, 2) +
                    " us from its grant to the return of its tag";
        if (e.down && e.down->used() > 0 && e.tags_used)
            text += "; at that, the link would need about " +
                    fixed(std::ceil(e.tags_used->middle() / e.down->used()), 0) + " tags";
        return text + ".";
    }

    void link_up() {
        const Evidence& e = m_evidence;
        const double stalled = e.rq().stalled;
        const std::string held = "RQ was held by the PCIe endpoint in " + percent(stalled) + " of its cycles";
        if (!e.up)
            add(CauseId::link_held, stalled, of_pcie_cycles,
                held +
                    "; whether the link was full follows from its generation and width and the length of the "
                    "interval.");
        else if (e.up->used() < full_link_up)
            add(CauseId::link_waits, stalled, of_pcie_cycles,
                held + ", though requests take only " + percent(e.up->used()) + " of what " +
                    e.facts.trained->name() + " carries.");
        else
            add(e.facts.trained_down() ? CauseId::trained_down : CauseId::link_up_full, stalled,
                of_pcie_cycles,
                held + ". " + trained_text() + "requests take " + percent(e.up->used()) + " of what " +
                    e.facts.trained->name() + " carries.");
    }

    /// ", its words 53 % filled with frames of 68 B"
    static std::string filled(const BusUse& bus) {
        if (!bus.filled() || !bus.frame_bytes()) return "";
        return ", filled to " + bounds_text(*bus.filled() * 100, 0) + " % by frames of " +
               bounds_text(*bus.frame_bytes(), 0) + " B";
    }

    void request_path() {
        const auto full = [&](CauseId cause, const BusUse& bus, std::string_view share_of) {
            if (bus.busy >= full_bus)
                add(cause, bus.busy, share_of,
                    bus.counts->name + " moved a word in " + percent(bus.busy) + " of its cycles" +
                        filled(bus) + ".");
        };
        full(CauseId::rq_full, m_evidence.rq(), of_pcie_cycles);
        std::size_t busiest = 0;
        for (std::size_t port = 1; port < m_evidence.ports(); ++port)
            if (m_evidence.up_bus(port).busy > m_evidence.up_bus(busiest).busy) busiest = port;
        full(CauseId::up_full, m_evidence.up_bus(busiest), of_dma_cycles);
    }

    /// Headers cost something only where the link is full, or may be.
    void header_bytes() {
        const Evidence& e = m_evidence;
        if (e.reads + e.writes > 0 && (!e.up || e.up->used() >= full_link_up)) {
            const double part = e.up_header_efficiency ? 1 - e.up_header_efficiency->middle() : 1;
            add(CauseId::headers, e.rq().stalled * part, of_pcie_cycles,
                "Headers are " + percent(part) + " of what went towards the host" +
                    (e.writes > 0 ? " (writes of " + bounds_text(e.write_bytes * (1 / e.writes), 0) +
                                        " B, MPS " + std::to_string(e.counts.mps) + " B)"
                                  : std::string(" (reads only)")) +
                    ", which held RQ in " + percent(e.rq().stalled) + " of its cycles.");
        }
        if (!e.down_header_efficiency || e.completions == 0) return;
        const double part = 1 - e.down_header_efficiency->middle();
        const double size = e.completion_bytes.middle() / e.completions;
        const bool small = size <= small_completion * e.counts.rcb && e.completions >= several * e.reads;
        const bool full = e.down && e.down->used() >= full_link_down;
        if (e.down ? !full : !small) return;
        const double busy = full ? e.down->used() : e.rc().busy;
        add(small ? CauseId::small_completions : CauseId::headers, busy * part,
            full ? of_link_time : of_pcie_cycles,
            "Headers are " + percent(part) + " of what came from the host: completions of " + fixed(size, 0) +
                " B on average, where " +
                (small ? "the RCB is " + std::to_string(e.counts.rcb) + " B and the" : std::string("the")) +
                " MPS " + std::to_string(e.counts.mps) + " B; " +
                (full ? "the link was full in " : "RC moved a word in ") + percent(busy) +
                (full ? " of the time." : " of its cycles."));
    }

    void source() {
        const Evidence& e = m_evidence;
        // The MVB has no counter of words. In the fewest idle cycles each of its items had a word of its own.
        double idle = 1;
        for (std::size_t port = 0; port < e.ports(); ++port) {
            const BusUse& up = e.up_bus(port);
            const double headers = up.mvb_held + std::min(1.0, up.requests / up.cycles);
            idle = std::min(idle, std::max(0.0, 1 - std::max(up.busy + up.stalled, headers)));
        }
        add(CauseId::source, idle, of_dma_cycles,
            "UP offered nothing in " + percent(idle) + " of the DMA cycles" +
                (e.ports() > 1 ? " on any of the " + std::to_string(e.ports()) + " ports" : std::string()) +
                ": the DMA module had no request, or waited for answers to those it had made.");
    }

    const Evidence& m_evidence;
    std::vector<Finding> m_findings;
    bool m_path_full = false;
    bool m_path_at_limit = false;
    bool m_tags_explained = false;
    bool m_room_explained = false;
    bool m_headers_explained = false;
    bool m_host_alone = false;
};

}  // namespace

std::vector<Finding> findings(const Evidence& evidence) {
    return Search(evidence).run();
}

std::vector<Finding> rank(const driver::Measurement& measurement, const LinkFacts& facts,
                          std::vector<Finding> exact) {
    std::vector<Finding> all = std::move(exact);
    for (std::size_t i = 0; i < measurement.endpoints.size(); ++i)
        for (Finding& finding : findings(Evidence(measurement, i, facts))) {
            const bool known = std::any_of(all.begin(), all.end(), [&](const Finding& other) {
                return other.cause == finding.cause && other.endpoint == finding.endpoint;
            });
            if (!known) all.push_back(std::move(finding));
        }
    all.erase(std::remove_if(all.begin(), all.end(),
                             [](const Finding& finding) {
                                 return finding.share < least_share && !cause(finding.cause).error;
                             }),
              all.end());
    // An endpoint that nothing holds is no answer where another one is held.
    std::set<std::size_t> held;
    for (const Finding& finding : all)
        if (finding.cause != CauseId::source) held.insert(finding.endpoint);
    std::stable_sort(all.begin(), all.end(), [&](const Finding& a, const Finding& b) {
        if (cause(a.cause).error != cause(b.cause).error) return cause(a.cause).error;
        if (held.count(a.endpoint) != held.count(b.endpoint)) return held.count(a.endpoint) != 0;
        if (a.leads != b.leads) return a.leads;
        return a.share != b.share ? a.share > b.share : a.cause < b.cause;
    });
    return all;
}

}  // namespace tlmetry::verdict
