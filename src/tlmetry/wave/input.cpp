// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/wave/input.hpp>

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tlmetry::wave {
namespace {

constexpr std::size_t raw_chunk_bytes = 65536;
constexpr std::size_t max_inflate_bytes = 1U << 30;  // zlib counts in unsigned int

}  // namespace

struct Input::Inflater {
    Inflater() {
        constexpr int window_bits = 15;
        constexpr int gzip_only = 16;
        if (inflateInit2(&stream, window_bits + gzip_only) != Z_OK) throw std::bad_alloc();
    }
    ~Inflater() { inflateEnd(&stream); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    z_stream stream{};
    bool between_members = false;
};

Input::Input(Input&&) noexcept = default;
Input& Input::operator=(Input&&) noexcept = default;
Input::~Input() = default;

Input Input::open(const std::string& path) {
    namespace fs = std::filesystem;
    const bool standard_input = path == "-";
    const fs::path file = standard_input ? "/dev/stdin" : path;
    std::error_code no_throw;
    if (fs::is_directory(file, no_throw)) throw UserError(path + ": expected a recording, found a directory");
    errno = 0;
    auto stream = std::make_unique<std::ifstream>(file, std::ios::binary);
    if (!*stream) throw UserError(path + ": cannot open the recording: " + std::strerror(errno));
    std::uint64_t total = 0;
    if (fs::is_regular_file(file, no_throw)) {
        const auto size = fs::file_size(file, no_throw);
        if (!no_throw) total = size;
    }
    return {standard_input ? "standard input" : path, std::move(stream), total};
}

Input Input::from_memory(std::string name, std::string_view bytes) {
    return {std::move(name), std::make_unique<std::istringstream>(std::string(bytes)), bytes.size()};
}

Input::Input(std::string name, std::unique_ptr<std::istream> stream, std::uint64_t total)
    : m_name(std::move(name)), m_stream(std::move(stream)), m_total(total) {
    fetch();
    if (m_raw.size() >= 2 && m_raw[0] == 0x1f && m_raw[1] == 0x8b) m_inflater = std::make_unique<Inflater>();
}

std::size_t Input::read(Byte* to, std::size_t size) {
    return m_inflater ? read_packed(to, size) : read_raw(to, size);
}

std::size_t Input::read_raw(Byte* to, std::size_t size) {
    const std::size_t fetched = std::min(size, m_raw.size() - m_raw_next);
    std::copy_n(m_raw.begin() + static_cast<std::ptrdiff_t>(m_raw_next), fetched, to);
    m_raw_next += fetched;
    if (fetched == size) return size;
    m_stream->read(reinterpret_cast<char*>(to + fetched), static_cast<std::streamsize>(size - fetched));
    const auto got = static_cast<std::size_t>(m_stream->gcount());
    m_consumed += got;
    if (m_stream->bad()) m_defect = "a read error";
    return fetched + got;
}

void Input::fetch() {
    m_raw.resize(raw_chunk_bytes);
    m_raw_next = m_raw.size();
    m_raw.resize(read_raw(m_raw.data(), m_raw.size()));
    m_raw_next = 0;
}

std::size_t Input::read_packed(Byte* to, std::size_t size) {
    z_stream& z = m_inflater->stream;
    std::size_t done = 0;
    while (done < size && m_defect.empty()) {
        if (m_raw_next == m_raw.size()) fetch();
        const bool exhausted = m_raw.empty();
        if (m_inflater->between_members) {
            if (exhausted) break;
            if (m_raw[m_raw_next] == 0) {  // padding of tapes and block devices
                ++m_raw_next;
                continue;
            }
            inflateReset(&z);
            m_inflater->between_members = false;
        }
        z.next_in = m_raw.data() + m_raw_next;
        z.avail_in = static_cast<unsigned>(m_raw.size() - m_raw_next);
        const std::size_t room = std::min(size - done, max_inflate_bytes);
        z.next_out = to + done;
        z.avail_out = static_cast<unsigned>(room);
        const int result = inflate(&z, Z_NO_FLUSH);
        done += room - z.avail_out;
        m_raw_next = m_raw.size() - z.avail_in;
        if (result == Z_STREAM_END) {
            m_inflater->between_members = true;
        } else if (result == Z_BUF_ERROR && exhausted) {
            if (m_defect.empty())
                m_defect = "the end of the file in the middle of its gzip data (it is cut off)";
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            m_defect =
                std::string("damaged gzip data (") + (z.msg != nullptr ? z.msg : "unknown format") + ")";
        }
    }
    return done;
}

}  // namespace tlmetry::wave
