// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/host/io_tlb.hpp"

namespace tlmetry::host {

IoTlb::IoTlb(std::uint32_t entries, std::uint32_t page_bytes) : m_entries(entries) {
    while (std::uint32_t{1} << m_page_log2 < page_bytes)
        ++m_page_log2;
    std::uint32_t buckets = 2;
    while (buckets < 2 * std::uint64_t{entries}) {
        buckets *= 2;
        --m_bucket_shift;
    }
    m_buckets.assign(buckets, none);
    m_translations.reserve(entries);
}

IoTlb::Translation& IoTlb::use(std::uint64_t address, bool& hit) {
    const std::uint64_t page = address >> m_page_log2;
    hit = true;
    if (m_newest != none && m_translations[m_newest].page == page) return m_translations[m_newest];
    std::uint32_t place = bucket(page);
    while (place != none && m_translations[place].page != page)
        place = m_translations[place].next;
    if (place != none) {
        unlink(place);
        make_newest(place);
        return m_translations[place];
    }
    hit = false;
    if (m_translations.size() < m_entries) {
        place = static_cast<std::uint32_t>(m_translations.size());
        m_translations.emplace_back();
    } else {
        place = m_oldest;
        unlink(place);
        remove_from_bucket(place);
    }
    Translation& translation = m_translations[place];
    translation.page = page;
    translation.next = bucket(page);
    bucket(page) = place;
    make_newest(place);
    return translation;
}

void IoTlb::unlink(std::uint32_t place) {
    const Translation& translation = m_translations[place];
    (translation.newer == none ? m_newest : m_translations[translation.newer].older) = translation.older;
    (translation.older == none ? m_oldest : m_translations[translation.older].newer) = translation.newer;
}

void IoTlb::make_newest(std::uint32_t place) {
    m_translations[place].newer = none;
    m_translations[place].older = m_newest;
    (m_newest == none ? m_oldest : m_translations[m_newest].newer) = place;
    m_newest = place;
}

void IoTlb::remove_from_bucket(std::uint32_t place) {
    std::uint32_t* link = &bucket(m_translations[place].page);
    while (*link != place)
        link = &m_translations[*link].next;
    *link = m_translations[place].next;
}

}  // namespace tlmetry::host
