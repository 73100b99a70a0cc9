// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/recorded_card.hpp"

#include <tlmetry/device/recording.hpp>

#include <cerrno>
#include <cstring>

namespace tlmetry::device {

RecordingFile::RecordingFile(const std::string& path, std::string place)
    : m_place(std::move(place)), m_path(path), m_file(std::fopen(path.c_str(), "w")) {
    if (m_file == nullptr)
        throw UserError(m_place + ": " + path + " cannot be written: " + std::strerror(errno));
    std::fprintf(m_file.get(), "%s\n", Recording::header);
}

void RecordingFile::put(time_fs at, bool write, std::uint32_t address, std::uint32_t bytes,
                        const void* data) {
    if (m_ended || bytes == 0) return;
    if (at < m_last) {
        m_ended = true;
        std::fprintf(m_file.get(), "# the models have been restarted: the recording ends\n");
        return;
    }
    m_last = at;
    const std::string line = Recording::line({at, write, data == nullptr, address, bytes, {}}, data);
    if (std::fputs(line.c_str(), m_file.get()) < 0 || std::ferror(m_file.get()) != 0)
        throw UserError(m_place + ": " + m_path + " cannot be written: " + std::strerror(errno));
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
