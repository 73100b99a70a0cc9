// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/line_file.hpp"

#include <tlmetry/base/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tlmetry::device {

LineFile::LineFile(std::string path, std::string place)
    : m_path(std::move(path)),
      m_place(std::move(place)),
      m_descriptor(open(m_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (m_descriptor < 0) fail();
}

LineFile::~LineFile() {
    close(m_descriptor);
}

void LineFile::put(std::string_view line) {
    while (!line.empty()) {
        const ssize_t written = write(m_descriptor, line.data(), line.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail();
        line.remove_prefix(static_cast<std::size_t>(written));
    }
}

void LineFile::fail() const {
    throw UserError(m_place + ": " + m_path + " cannot be written: " + std::strerror(errno));
}

}  // namespace tlmetry::device
