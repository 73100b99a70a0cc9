// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/wave/vcd_writer.hpp>

#include <zlib.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

namespace tlmetry::wave {

namespace {

constexpr std::size_t block_bytes = 1 << 20;  // of text, roughly

/// The shortest printable codes, in their order.
std::string id_of(std::uint32_t number) {
    constexpr std::uint32_t first = '!';
    constexpr std::uint32_t count = '~' - '!' + 1;
    std::string id;
    for (std::uint32_t rest = number + 1; rest != 0; rest = (rest - 1) / count)
        id += static_cast<char>(first + (rest - 1) % count);
    return id;
}

std::string timescale(time_fs tick_fs) {
    constexpr std::array<std::pair<const char*, time_fs>, 6> units{{{"s", fs_per_s},
                                                                    {"ms", fs_per_ms},
                                                                    {"us", fs_per_us},
                                                                    {"ns", fs_per_ns},
                                                                    {"ps", fs_per_ps},
                                                                    {"fs", 1}}};
    for (const auto& [name, fs] : units) {
        const time_fs number = tick_fs / fs;
        if (tick_fs % fs == 0 && (number == 1 || number == 10 || number == 100))
            return std::to_string(number) + " " + name;
    }
    throw std::logic_error("VcdWriter: a tick of " + std::to_string(tick_fs) + " fs");
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

/// Blocks of text, packed or not, on their way to the disk.
class VcdWriter::File {
public:
    explicit File(const std::string& path) : m_path(path), m_file(std::fopen(path.c_str(), "wb")) {
        if (m_file == nullptr) fail();
        // Blocks are large enough.
        std::setvbuf(m_file, nullptr, _IONBF, 0);
        if (!ends_with(path, ".gz")) return;
        constexpr int level = 4;
        constexpr int gzip_window = 15 + 16;
        constexpr int memory = 8;
        if (deflateInit2(&m_stream, level, Z_DEFLATED, gzip_window, memory, Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
        m_packs = true;
    }
    ~File() {
        if (m_packs) deflateEnd(&m_stream);
        if (m_file != nullptr) std::fclose(m_file);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    void write(const std::string& text) {
        if (!m_packs) return write(text.data(), text.size());
        deflateReset(&m_stream);
        m_packed.resize(deflateBound(&m_stream, static_cast<uLong>(text.size())));
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
        m_stream.avail_in = static_cast<uInt>(text.size());
        m_stream.next_out = reinterpret_cast<Bytef*>(m_packed.data());
        m_stream.avail_out = static_cast<uInt>(m_packed.size());
        if (deflate(&m_stream, Z_FINISH) != Z_STREAM_END) throw std::logic_error("VcdWriter: deflate");
        write(m_packed.data(), m_packed.size() - m_stream.avail_out);
    }
    void close() {
        if (m_file != nullptr && std::fclose(std::exchange(m_file, nullptr)) != 0) fail();
    }

private:
    void write(const char* bytes, std::size_t size) {
        if (std::fwrite(bytes, 1, size, m_file) != size) fail();
    }
    [[noreturn]] void fail() const {
        throw UserError(m_path + ": cannot write the waveform: " + std::strerror(errno));
    }

    std::string m_path;
    std::FILE* m_file;
    bool m_packs = false;
    z_stream m_stream{};
    std::vector<char> m_packed;
};

VcdWriter::VcdWriter(const std::string& path, time_fs tick_fs, const std::string& comment)
    : m_file(std::make_unique<File>(path)), m_tick_fs(tick_fs) {
    m_text = "$comment\n  " + comment + "\n$end\n$timescale\n  " + timescale(tick_fs) + "\n$end\n";
}

VcdWriter::~VcdWriter() = default;

void VcdWriter::open_scope(const std::string& name) {
    m_text += "$scope module " + name + " $end\n";
}

void VcdWriter::close_scope() {
    m_text += "$upscope $end\n";
}

VcdWriter::Handle VcdWriter::add(const std::string& name, std::uint32_t width) {
    const auto handle = static_cast<Handle>(m_signals.size());
    m_signals.push_back({id_of(handle), width});
    m_text += "$var wire " + std::to_string(width) + " " + m_signals.back().id + " " + name;
    if (width > 1) m_text += " [" + std::to_string(width - 1) + ":0]";
    m_text += " $end\n";
    return handle;
}

void VcdWriter::stamp(std::int64_t ticks) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), ticks).ptr;
    m_text += '#';
    m_text.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
    m_text += '\n';
    m_ticks = ticks;
}

void VcdWriter::begin(time_fs t) {
    m_text += "$enddefinitions $end\n";
    stamp(t / m_tick_fs);
    m_text += "$dumpvars\n";
    m_first_values = true;
}

void VcdWriter::time(time_fs t) {
    const std::int64_t ticks = t / m_tick_fs;
    if (ticks == m_ticks) return;
    if (ticks < m_ticks) throw std::logic_error("VcdWriter: time goes back");
    if (std::exchange(m_first_values, false)) m_text += "$end\n";
    if (m_text.size() >= block_bytes) flush();
    stamp(ticks);
}

void VcdWriter::change_words(Handle signal, const std::uint64_t* value, const std::uint64_t* unknown) {
    const Signal& s = m_signals[signal];
    const auto digit = [&](std::uint32_t bit) {
        if (unknown != nullptr && (unknown[bit / 64] >> bit % 64 & 1) != 0) return 'x';
        return static_cast<char>('0' + (value[bit / 64] >> bit % 64 & 1));
    };
    if (s.width == 1) {
        m_text += digit(0);
    } else {
        std::uint32_t bits = s.width;
        while (bits > 1 && digit(bits - 1) == '0')
            --bits;
        m_text += 'b';
        // A reader extends x by x, anything else by 0.
        if (bits < s.width && digit(bits - 1) == 'x') m_text += '0';
        while (bits-- > 0)
            m_text += digit(bits);
        m_text += ' ';
    }
    m_text += s.id;
    m_text += '\n';
}

void VcdWriter::flush() {
    m_file->write(m_text);
    m_text.clear();
}

void VcdWriter::finish() {
    if (std::exchange(m_first_values, false)) m_text += "$end\n";
    flush();
    m_file->close();
}

}  // namespace tlmetry::wave
