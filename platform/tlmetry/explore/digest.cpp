// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/digest.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <utility>

namespace tlmetry::explore {

namespace {

namespace fs = std::filesystem;

/// When it was written, and how long it is; nothing of one that cannot be read.
using Stamp = std::optional<std::pair<fs::file_time_type, std::uintmax_t>>;

Stamp stamp_of(const std::string& path) {
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    const auto size = error ? 0 : fs::file_size(path, error);
    return error ? Stamp() : Stamp({time, size});
}

struct Known {
    Stamp stamp;
    std::string digest;
};

std::map<std::string, Known>& known_files() {
    static std::map<std::string, Known> all;
    return all;
}

/// Digest of a file's content; of one that cannot be read, that of nothing. Read once: points may name the
/// same one, and it may be long.
std::string of_file(const std::string& path) {
    const auto known = known_files().find(path);
    if (known != known_files().end()) return known->second.digest;
    const Stamp stamp = stamp_of(path);
    Digest digest;
    std::ifstream file(path, std::ios::binary);
    std::array<char, 65536> block;
    while (file.read(block.data(), block.size()) || file.gcount() > 0)
        digest.add({block.data(), static_cast<std::size_t>(file.gcount())});
    known_files()[path] = {stamp, digest.hex()};
    return digest.hex();
}

}  // namespace

bool has_changed(const std::string& path) {
    const auto known = known_files().find(path);
    return known != known_files().end() && known->second.stamp != stamp_of(path);
}

void forget_files() {
    known_files().clear();
}

bool names_a_file(const std::string& parameter) {
    return parameter == "traffic.trace" || parameter == "host.latency_file";
}

Digest& Digest::add(std::string_view text) {
    add_bytes(std::to_string(text.size()));
    add_bytes(":");
    add_bytes(text);
    return *this;
}

Digest& Digest::add_parameter(const std::string& name, const std::string& value) {
    add(name).add(value);
    if (names_a_file(name) && !value.empty()) add(of_file(value));
    return *this;
}

std::string Digest::hex() const {
    constexpr int bits = 128, digit_bits = 4;
    std::string text;
    for (int shift = bits - digit_bits; shift >= 0; shift -= digit_bits)
        text += "0123456789abcdef"[static_cast<unsigned>(m_hash >> shift) & 0xF];
    return text;
}

void Digest::add_bytes(std::string_view bytes) {
    constexpr Wide prime = (Wide{1} << 88) + 0x13B;
    for (const char c : bytes)
        m_hash = (m_hash ^ static_cast<unsigned char>(c)) * prime;
}

}  // namespace tlmetry::explore
