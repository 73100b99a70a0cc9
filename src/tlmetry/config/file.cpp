// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/config/file.hpp"

#include <tlmetry/base/error.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace tlmetry::config {

std::string read_file(const std::string& kind, const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw UserError(kind + " " + path + " cannot be opened: " + std::strerror(errno));
    std::string text;
    std::array<char, 4096> block;
    while (stream.read(block.data(), block.size()) || stream.gcount() > 0) {
        text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
        if (text.size() > max_file_bytes) {
            throw UserError(kind + " " + path + ": expected at most " + std::to_string(max_file_bytes >> 20) +
                            " MiB, found more");
        }
    }
    if (stream.bad()) throw UserError(kind + " " + path + " cannot be read");
    return text;
}

}  // namespace tlmetry::config
