// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/trace_filter.hpp"

#include <tlmetry/ptt/registers.hpp>

namespace tlmetry::ptt {

namespace {

/// A direction of TRACE_CTRL takes what is sent, or of what is received all but CPL A (completions of native
/// requests), or CPL A only.
struct Direction {
    bool sent, received, native_completions;
};

Direction direction_of(std::uint32_t ctrl, Format format) {
    if ((ctrl & reg::ctrl_both_directions) != 0) return {true, true, true};
    const bool four = format == Format::four_dwords;
    switch (ctrl >> reg::ctrl_direction & 3) {
        case 0:
            return {false, four, four};
        case 1:
            return {true, false, false};
        case 2:
            return {four, true, false};
        default:
            return {four, false, true};
    }
}

}  // namespace

TraceFilter::TraceFilter(std::uint32_t ctrl, const card::Topology& topology, std::uint32_t core)
    : m_format((ctrl & reg::ctrl_eight_dwords) != 0 ? Format::eight_dwords : Format::four_dwords) {
    const Direction direction = direction_of(ctrl, m_format);
    const std::uint32_t types = ctrl >> reg::ctrl_type;
    const bool by_requester = (ctrl & reg::ctrl_filter_requester) != 0;
    const auto take = [&](LinkTlp::Kind kind, bool inbound, bool native) {
        LinkTlp tlp;
        tlp.kind = kind;
        tlp.inbound = inbound;
        tlp.native = native;
        const bool completion_a = inbound && native && kind == LinkTlp::Kind::completion;
        const bool taken = !inbound       ? direction.sent
                           : completion_a ? direction.native_completions
                                          : direction.received;
        // The requester of what is native is a root port.
        if (by_requester && native) return;
        // Posted, non-posted and completions have bits in the order of the kinds.
        if (taken && (types >> static_cast<unsigned>(kind) & 1) != 0)
            m_sorts |= std::uint64_t{1} << sort_of(tlp);
    };
    for (const LinkTlp::Kind kind : {LinkTlp::Kind::write, LinkTlp::Kind::read, LinkTlp::Kind::completion}) {
        for (const bool inbound : {false, true}) {
            take(kind, inbound, false);
            take(kind, inbound, true);
        }
    }

    const auto target = static_cast<std::uint16_t>(ctrl >> reg::ctrl_target);
    for (std::uint32_t e = 0; e < topology.endpoints; ++e) {
        if (topology.core_of(e) != core) continue;
        const std::uint16_t port = topology.root_port(topology.port_of(e));
        const bool taken = (ctrl & reg::ctrl_filter_requester) != 0
                               ? topology.endpoint(e) == target
                               : (target & reg::root_port_bit(port)) != 0;
        if (taken) m_endpoints |= std::uint64_t{1} << e;
    }
}

}  // namespace tlmetry::ptt
