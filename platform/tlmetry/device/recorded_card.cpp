// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/recorded_card.hpp"

#include <tlmetry/device/recording.hpp>

#include <cerrno>
#include <cstring>

namespace tlmetry::device {

RecordingFile::RecordingFile(const std::string& path, std::string place)
    : m_place(std::move(place)), m_path(path), m_file(std::fopen(path.c_str(), "w")) {
    // Line by line: what was recorded before a program crashes is what one wants to see.
    if (m_file == nullptr || std::setvbuf(m_file.get(), nullptr, _IOLBF, BUFSIZ) != 0) fail();
    put_line(std::string(Recording::header) + "\n");
}

void RecordingFile::fail() const {
    throw UserError(m_place + ": " + m_path + " cannot be written: " + std::strerror(errno));
}

void RecordingFile::put_line(const std::string& line) {
    if (std::fputs(line.c_str(), m_file.get()) < 0 || std::ferror(m_file.get()) != 0) fail();
}

void RecordingFile::put(time_fs at, bool write, std::uint32_t address, std::uint32_t bytes,
                        const void* data) {
    if (m_ended || bytes == 0) return;
    if (at < m_last) {
        m_ended = true;
        put_line("# the models have been restarted: the recording ends\n");
        return;
    }
    m_last = at;
    put_line(Recording::line({at, write, data == nullptr, address, bytes, {}}, data));
}

void RecordedCard::read(std::uint32_t address, void* data, std::uint32_t bytes) {
    const time_fs at = m_card.now();
    try {
        m_card.read(address, data, bytes);
    } catch (const AccessError&) {
        m_file.put(at, false, address, bytes, nullptr);
        throw;
    }
    m_file.put(at, false, address, bytes, data);
}

void RecordedCard::write(std::uint32_t address, const void* data, std::uint32_t bytes) {
    const time_fs at = m_card.now();
    try {
        m_card.write(address, data, bytes);
    } catch (const AccessError&) {
        m_file.put(at, true, address, bytes, nullptr);
        throw;
    }
    m_file.put(at, true, address, bytes, data);
}

}  // namespace tlmetry::device
