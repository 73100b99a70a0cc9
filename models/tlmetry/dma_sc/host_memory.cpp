// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/dma_sc/host_memory.hpp"

#include <algorithm>
#include <cstring>

namespace tlmetry::dma_sc {

void HostMemory::read(std::uint64_t address, std::uint8_t* data, std::size_t length) const {
    while (length != 0) {
        const std::size_t offset = address % page_bytes;
        const std::size_t here = std::min(length, page_bytes - offset);
        const auto page = m_pages.find(address / page_bytes);
        if (page == m_pages.end()) {
            std::memset(data, 0, here);
        } else {
            std::memcpy(data, page->second->data() + offset, here);
        }
        address += here;
        data += here;
        length -= here;
    }
}

void HostMemory::write(std::uint64_t address, const std::uint8_t* data, std::size_t length) {
    while (length != 0) {
        const std::size_t offset = address % page_bytes;
        const std::size_t here = std::min(length, page_bytes - offset);
        std::unique_ptr<Page>& page = m_pages[address / page_bytes];
        if (!page) page = std::make_unique<Page>(Page{});
        std::memcpy(page->data() + offset, data, here);
        address += here;
        data += here;
        length -= here;
    }
}

}  // namespace tlmetry::dma_sc
