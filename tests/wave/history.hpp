// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/wave/vcd_reader.hpp>

#include <zlib.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tlmetry::wave::test {

/// Digits 0, 1, x, the leftmost bit first.
inline std::string digits(const Bits& bits) {
    std::string result;
    for (std::uint32_t i = bits.width; i-- > 0;) {
        const bool unknown = (bits.unknown[i / 64] >> i % 64 & 1) != 0;
        const bool value = (bits.value[i / 64] >> i % 64 & 1) != 0;
        result += unknown ? 'x' : value ? '1' : '0';
    }
    return result;
}

/// Values of one signal with the times at which they came.
using History = std::vector<std::pair<time_fs, std::string>>;

/// Histories of the signals of those names; checks on the way that before() continues what was there.
inline std::vector<History> read_histories(VcdReader& reader, const std::vector<std::string>& names) {
    const SignalFinder finder(reader.header());
    std::vector<History> histories(names.size());
    std::vector<std::string> current(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Signal signal = finder.find(names[i]);
        if (reader.select(signal) != i) throw std::logic_error("handles count from 0");
        current[i].assign(signal.width, 'x');
    }
    while (reader.next_step()) {
        for (const auto signal : reader.changes()) {
            if (digits(reader.before(signal)) != current[signal])
                throw std::logic_error("before() is not what was");
            current[signal] = digits(reader.now(signal));
            histories[signal].emplace_back(reader.time(), current[signal]);
        }
    }
    return histories;
}

inline std::vector<History> read_histories(std::string_view text, const std::vector<std::string>& names,
                                           std::size_t chunk_bytes = VcdReader::default_chunk_bytes) {
    VcdReader reader(Input::from_memory("test.vcd", text), chunk_bytes);
    return read_histories(reader, names);
}

/// What the reader says against a recording; empty when it accepts it.
inline std::string refusal(std::string_view text, const std::vector<std::string>& names = {}) {
    try {
        read_histories(text, names);
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

/// One member of a gzip file.
inline std::string gzip(std::string_view text) {
    z_stream stream{};
    if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
    std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    std::string input(text);
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("gzip");
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

}  // namespace tlmetry::wave::test
