// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/topology.hpp>
#include <tlmetry/endpoint/link_tlp.hpp>
#include <tlmetry/tlp/header.hpp>

namespace tlmetry::ptt {

/// The header of a TLP on a link.
tlp::Header header_of(const endpoint::LinkTlp& tlp, const card::Topology& topology);

}  // namespace tlmetry::ptt
