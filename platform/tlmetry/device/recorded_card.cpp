// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/recorded_card.hpp"

#include <tlmetry/device/recording.hpp>

#include <utility>

namespace tlmetry::device {

RecordingFile::RecordingFile(std::string path, std::string place)
    : m_file(std::move(path), std::move(place)) {
    m_file.put(std::string(Recording::header) + "\n");
}

void RecordingFile::put(time_fs at, bool write, std::uint32_t address, std::uint32_t bytes,
                        const void* data) {
    if (m_ended || bytes == 0) return;
    if (at < m_last) {
        m_ended = true;
        m_file.put("# the models have been restarted: the recording ends\n");
        return;
    }
    m_last = at;
    m_file.put(Recording::line({at, write, data == nullptr, address, bytes, {}}, data));
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
