// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/ptt/record.hpp>
#include <tlmetry/ptt/trace_reader.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::test {

/// The bytes of `hex`, two digits each; blanks and line breaks do not count.
inline std::string bytes_of(std::string_view hex) {
    std::string digits;
    for (const char c : hex)
        if (c != ' ' && c != '\n') digits += c;
    std::string result;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        result += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    return result;
}

inline std::string record_of(ptt::Format format, const ptt::Record& record) {
    std::array<std::uint8_t, 32> bytes{};
    ptt::put_record(format, record, bytes.data());
    return {reinterpret_cast<const char*>(bytes.data()), ptt::record_bytes(format)};
}

inline std::string record_of(ptt::Format format, const tlp::Header& header, std::uint32_t time) {
    ptt::Record record;
    record.header = tlp::encode(header);
    record.time = time;
    return record_of(format, record);
}

/// Little-endian words.
inline std::string words_of(const std::vector<std::uint32_t>& words) {
    std::string result;
    for (const std::uint32_t word : words)
        for (unsigned i = 0; i < 4; ++i)
            result += static_cast<char>(word >> (8 * i));
    return result;
}

/// An AUXTRACE event of perf.data with its data.
inline std::string auxtrace_of(const std::string& data) {
    return words_of({71, 48U << 16, static_cast<std::uint32_t>(data.size()), 0, 0, 0, 0, 0, 0, 0, 0, 0}) +
           data;
}

/// The file header of perf.data around its events; `known` is false as when perf was killed.
inline std::string perf_file_of(const std::string& events, bool known = true) {
    const auto size = static_cast<std::uint32_t>(events.size());
    std::vector<std::uint32_t> header(26);
    header[2] = 104;   // size of the header
    header[10] = 104;  // where the events are
    header[12] = known ? size : 0;
    std::string text = words_of(header);
    text.replace(0, 8, "PERFILE2");
    return text + events;
}

/// The AUXTRACE_INFO event, which says whose trace it is.
inline std::string auxtrace_info_of(std::uint32_t type) {
    return words_of({70, 24U << 16, type, 0, 5, 0});
}

inline ptt::TraceReader reader_of(std::string_view bytes, bool as_pipe = false,
                                  std::optional<ptt::Format> format = {}) {
    return ptt::TraceReader(ptt::AuxSource(ptt::ByteSource::from_memory("trace", bytes, as_pipe)), format);
}

/// All TLPs of all buffers.
inline std::vector<ptt::TracedTlp> read_all(ptt::TraceReader& reader) {
    std::vector<ptt::TracedTlp> tlps;
    ptt::TracedTlp tlp;
    while (reader.next_buffer())
        while (reader.next(tlp))
            tlps.push_back(tlp);
    return tlps;
}

}  // namespace tlmetry::test
