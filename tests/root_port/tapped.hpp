// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "card/run.hpp"

#include <tlmetry/ptt/link_tap.hpp>

#include <algorithm>
#include <tuple>
#include <vector>

namespace tlmetry::test {

using endpoint::LinkTlp;

inline constexpr time_fs propagation = 100 * fs_per_ns;

inline Setup reads_only() {
    Setup setup;
    setup.card.traffic[0] = generator::only_reads(512);
    setup.card.endpoint.link.propagation_fs = propagation;
    setup.card.link.generation = 3;
    setup.card.link.lanes = 8;  // slower than the buses of the card
    return setup;
}

/// A card whose links are listened to.
struct Tapped : Run {
    explicit Tapped(const Setup& setup) : Run(setup), tap(card) {}
    ~Tapped() { tap.release(); }

    void advance(time_fs t) {
        component.advance_to(t);
        const ptt::LinkTap::Tlps passed = tap.take_before(t);
        tlps.insert(tlps.end(), passed.begin, passed.end);
    }
    std::vector<LinkTlp> only(LinkTlp::Kind kind, bool inbound, bool native) const {
        std::vector<LinkTlp> found;
        for (const LinkTlp& tlp : tlps) {
            if (tlp.kind == kind && tlp.inbound == inbound && tlp.native == native) found.push_back(tlp);
        }
        return found;
    }

    ptt::LinkTap tap;
    std::vector<LinkTlp> tlps;
};

inline auto key(const LinkTlp& t) {
    return std::make_tuple(t.at, t.address, t.length, t.byte_count, t.tag, t.endpoint,
                           static_cast<int>(t.kind), t.inbound, t.native, t.flags);
}

inline bool same(const std::vector<LinkTlp>& a, const std::vector<LinkTlp>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const LinkTlp& x, const LinkTlp& y) { return key(x) == key(y); });
}

inline bool in_order(const std::vector<LinkTlp>& tlps) {
    return std::is_sorted(tlps.begin(), tlps.end(),
                          [](const LinkTlp& a, const LinkTlp& b) { return a.at < b.at; });
}

}  // namespace tlmetry::test
