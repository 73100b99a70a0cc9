// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/byte_source.hpp"

#include <tlmetry/base/error.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tlmetry::ptt {

ByteSource::ByteSource(std::string name, int descriptor, std::string_view memory, bool (*stopped)())
    : m_name(std::move(name)), m_descriptor(descriptor), m_memory(memory), m_stopped(stopped) {}

ByteSource::ByteSource(ByteSource&& other) noexcept
    : m_name(std::move(other.m_name)),
      m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_memory(other.m_memory),
      m_stopped(other.m_stopped),
      m_total(other.m_total) {}

ByteSource::~ByteSource() {
    if (m_descriptor >= 0) close(m_descriptor);
}

ByteSource ByteSource::open(const std::string& path, bool (*stopped)()) {
    const bool standard_input = path == "-";
    const int descriptor =
        standard_input ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    ByteSource source(standard_input ? "standard input" : path, descriptor, {}, stopped);
    struct stat status = {};
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        throw UserError(source.m_name + ": cannot open the trace: " + std::strerror(errno));
    if (S_ISDIR(status.st_mode)) throw UserError(source.m_name + ": expected a trace, found a directory");
    const off_t at = S_ISREG(status.st_mode) ? lseek(descriptor, 0, SEEK_CUR) : -1;
    if (at >= 0) source.m_total = static_cast<std::uint64_t>(std::max<off_t>(0, status.st_size - at));
    return source;
}

ByteSource ByteSource::from_memory(std::string name, std::string_view bytes, bool as_pipe) {
    ByteSource source(std::move(name), -1, bytes, nullptr);
    if (!as_pipe) source.m_total = bytes.size();
    return source;
}

/// False when there is nothing to wait for any more. Unlike read(), poll() always ends with a signal.
bool ByteSource::wait() const {
    for (;;) {
        if (m_stopped != nullptr && m_stopped()) return false;
        pollfd poll_for = {m_descriptor, POLLIN, 0};
        if (poll(&poll_for, 1, -1) >= 0 || errno != EINTR) return true;
    }
}

std::size_t ByteSource::read(std::uint8_t* to, std::size_t size) {
    if (m_descriptor < 0) {
        const std::size_t count = m_memory.copy(reinterpret_cast<char*>(to), size);
        m_memory.remove_prefix(count);
        return count;
    }
    std::size_t done = 0;
    while (done < size && wait()) {
        const ssize_t got = ::read(m_descriptor, to + done, size - done);
        if (got == 0) break;
        if (got < 0 && errno != EINTR)
            throw UserError(m_name + ": cannot read the trace: " + std::strerror(errno));
        if (got > 0) done += static_cast<std::size_t>(got);
    }
    return done;
}

}  // namespace tlmetry::ptt
