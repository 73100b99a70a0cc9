// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/link_headers.hpp"

namespace tlmetry::ptt {

LinkHeaders::LinkHeaders(const card::Topology& topology) {
    using Kind = endpoint::LinkTlp::Kind;
    m_same.resize(std::size_t{topology.endpoints} * 2 * kinds);
    for (std::uint32_t e = 0; e < topology.endpoints; ++e) {
        const std::uint16_t endpoint = topology.endpoint(e);
        const std::uint16_t root_port = topology.root_port(topology.port_of(e));
        for (const bool native : {false, true}) {
            for (const auto& [of_link, of_header] :
                 {std::pair(Kind::write, tlp::Kind::memory_write),
                  std::pair(Kind::read, tlp::Kind::memory_read),
                  std::pair(Kind::completion, tlp::Kind::completion_data)}) {
                endpoint::LinkTlp tlp;
                tlp.endpoint = static_cast<std::uint16_t>(e);
                tlp.native = native;
                tlp.kind = of_link;
                tlp::Header header;
                header.kind = of_header;
                header.requester = native ? root_port : endpoint;
                if (of_link == Kind::completion) header.completer = native ? endpoint : root_port;
                m_same[index_of(tlp)] = tlp::encode(header);
            }
        }
    }
}

}  // namespace tlmetry::ptt
