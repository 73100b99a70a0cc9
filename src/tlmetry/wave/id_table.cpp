// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/wave/id_table.hpp>

namespace tlmetry::wave {

std::uint32_t IdTable::insert(std::string_view id) {
    std::size_t key = 0;
    std::size_t weight = 1;
    bool is_short = id.size() <= static_cast<std::size_t>(short_length);
    for (std::size_t i = 0; is_short && i < id.size(); ++i) {
        const std::size_t digit = static_cast<Byte>(id[i]) - first_character;
        is_short = digit < characters;
        key += weight * (digit + 1);
        weight *= characters;
    }
    if (!is_short) {
        const auto [place, is_new] = m_long.try_emplace(std::string(id), m_size);
        if (is_new) ++m_size;
        return place->second;
    }
    if (key >= m_short.size()) m_short.resize(key + 1, unknown);
    if (m_short[key] == unknown) m_short[key] = m_size++;
    return m_short[key];
}

std::uint32_t IdTable::find_long(const Byte* begin, const Byte*& pos) const {
    while (!is_space(*pos))
        ++pos;
    const auto place = m_long.find(std::string(text(begin, pos)));
    return place == m_long.end() ? unknown : place->second;
}

}  // namespace tlmetry::wave
