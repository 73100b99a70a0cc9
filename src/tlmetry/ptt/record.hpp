// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/bytes.hpp>
#include <tlmetry/tlp/header.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tlmetry::ptt {

/// How the trace unit of a HiSilicon root complex writes a TLP into memory.
enum class Format : std::uint8_t { four_dwords, eight_dwords };

constexpr std::size_t record_bytes(Format format) {
    return format == Format::eight_dwords ? 32 : 16;
}

/// `4DW` or `8DW`.
constexpr const char* name_of(Format format) {
    return format == Format::eight_dwords ? "8DW" : "4DW";
}

/// A record's contents. 4DW records have Fmt, Type, T9, T8, TH and Length of header DW0 only, the rest of it
/// is 0, and no prefix.
struct Record {
    tlp::Words header{};
    std::uint32_t prefix = 0;  ///< PASID TLP prefix, 0 without one; 8DW only
    bool so = false;           ///< the bit SO; 4DW only
    std::uint32_t time = 0;    ///< as far as the record holds it: 11 bits of 4DW, 32 of 8DW
};

namespace detail {
inline constexpr std::uint32_t check_word = 0xffff'ffff;
inline constexpr std::uint32_t time_mask_4dw = 0x7ff;

constexpr std::uint32_t first_word_4dw(const Record& record) {
    const std::uint32_t h = record.header[0];
    return (h >> 29 & 3) << 30 | (h >> 24 & 0x1f) << 25 | (h >> 23 & 1) << 24 | (h >> 19 & 1) << 23 |
           (h >> 16 & 1) << 22 | std::uint32_t{record.so} << 21 | (h & 0x3ff) << 11 |
           (record.time & time_mask_4dw);
}
}  // namespace detail

/// Writes record_bytes() bytes. 4DW loses what its Record does not have.
inline void put_record(Format format, const Record& record, std::uint8_t* to) {
    const auto put = [to](unsigned place, std::uint32_t word) { put_word(word, to + sizeof word * place); };
    const tlp::Words& header = record.header;
    if (format == Format::four_dwords) {
        put(0, detail::first_word_4dw(record));
        for (unsigned i = 1; i < header.size(); ++i)
            put(i, header[i]);
        return;
    }
    put(0, detail::check_word);
    put(1, record.prefix);
    for (unsigned i = 0; i < header.size(); ++i)
        put(2 + i, header[i]);
    put(6, 0);
    put(7, record.time);
}

/// Reads as many; nothing when the check bits of 8DW are not what they always are.
std::optional<Record> get_record(Format format, const std::uint8_t* from);

/// The format of a buffer that begins with these four bytes.
Format detect_format(const std::uint8_t* from);

/// Turns the wrapping times of records into one that goes on. Between two 4DW records less than 2048 ticks
/// must pass, else whole turns are missing. An 8DW time that is behind the one before by less than half a
/// turn is no wrap, but earlier.
class GrowingTime {
public:
    std::uint64_t add(Format format, std::uint32_t time);
    std::uint64_t wraps() const { return m_wraps; }

    /// The next time is the first one again.
    void restart() { m_begun = false; }

private:
    std::uint64_t m_time = 0;
    std::uint64_t m_wraps = 0;
    bool m_begun = false;
};

}  // namespace tlmetry::ptt
