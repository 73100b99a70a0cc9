// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer target of the VCD reader: whatever the bytes, it reads them or throws UserError, and the size of
// its window changes nothing.

#include <tlmetry/base/error.hpp>
#include <tlmetry/wave/vcd_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace {

using tlmetry::UserError;
using tlmetry::wave::Bits;
using tlmetry::wave::Input;
using tlmetry::wave::SignalFinder;
using tlmetry::wave::VcdReader;

void describe(const Bits& bits, std::string& log) {
    for (std::size_t i = 0; i < bits.words(); ++i) {
        log += ' ' + std::to_string(bits.value[i]) + '/' + std::to_string(bits.unknown[i]);
        if ((bits.value[i] & bits.unknown[i]) != 0) std::abort();
    }
}

// Everything a client can see, up to and with the error.
std::string read_all(std::string_view bytes, std::size_t chunk_bytes) {
    constexpr std::size_t max_signals = 64;
    std::string log;
    try {
        VcdReader reader(Input::from_memory("fuzz", bytes), chunk_bytes);
        const SignalFinder finder(reader.header());
        std::size_t selected = 0;
        for (const auto& variable : reader.header().variables) {
            if (++selected > max_signals) break;
            try {
                reader.select(finder.find(reader.header().path(variable)));
                reader.select(finder.find(variable.name + "[3:2]"));
            } catch (const UserError& error) {
                log += error.what();
            }
        }
        while (reader.next_step()) {
            log += '\n' + std::to_string(reader.time());
            for (const auto signal : reader.changes()) {
                log += ", " + std::to_string(signal) + ':';
                describe(reader.before(signal), log);
                log += " ->";
                describe(reader.now(signal), log);
            }
        }
        log += "\nend " + std::to_string(reader.time());
    } catch (const UserError& error) {
        log += error.what();
    }
    return log;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::string at_once = read_all(bytes, size + 64);
    const std::string in_pieces = read_all(bytes, 1 + size % 13);
    if (at_once == in_pieces) return 0;
    std::cerr << "at once:\n" << at_once << "\nin pieces:\n" << in_pieces << '\n';
    std::abort();
}
