// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/output_file.hpp"

#include <tlmetry/base/error.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace tlmetry::app {

namespace fs = std::filesystem;

OutputFile::OutputFile(std::string option, std::string path)
    : m_option(std::move(option)), m_path(std::move(path)) {
    if (!wanted()) return;
    std::error_code error;
    const bool of_the_system = m_path.rfind("/dev/", 0) == 0 || m_path.rfind("/proc/", 0) == 0;
    // A link stays a link: the file behind it is replaced. But /dev/stdout means what is open there.
    if (const fs::path real = fs::canonical(m_path, error); !error && !of_the_system) m_path = real;
    const fs::file_status status = fs::status(m_path, error);
    if (fs::is_directory(status)) throw UserError(failure("is a directory"));
    m_replaced = !of_the_system && (!fs::exists(status) || fs::is_regular_file(status));
    if (fs::exists(status) && access(m_path.c_str(), W_OK) != 0)
        throw UserError(failure(std::strerror(errno)));
    const fs::path folder = fs::path(m_path).parent_path();
    if (m_replaced && access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0)
        throw UserError(failure(std::strerror(errno)));
}

void OutputFile::save(const std::string& text) const {
    if (const std::string failure = try_save(text); !failure.empty()) throw UserError(failure);
}

std::string OutputFile::try_save(const std::string& text) const {
    Writer writer(*this);
    writer.stream() << text;
    return writer.try_finish();
}

// Written beside it, under a name of its own, and renamed: whatever ends the program and whoever else writes
// the file, there is the old one or a new one as a whole.
OutputFile::Writer::Writer(const OutputFile& file)
    : m_file(file), m_written(file.m_replaced ? file.m_path + ".part-XXXXXX" : file.m_path) {
    if (file.m_replaced) {
        const int descriptor = mkstemp(m_written.data());
        if (descriptor == -1) throw UserError(file.failure(std::strerror(errno)));
        // It has the mode of the file that it replaces, or that of a new one.
        struct stat before = {};
        const mode_t mask = umask(0);
        umask(mask);
        constexpr mode_t all = 0666;
        const bool there = stat(file.m_path.c_str(), &before) == 0;
        fchmod(descriptor, there ? before.st_mode & 07777 : all & ~mask);
        close(descriptor);
    }
    errno = 0;
    m_stream.open(m_written, file.m_replaced ? std::ios::binary : std::ios::binary | std::ios::app);
    if (!m_stream) m_reason = errno;
}

OutputFile::Writer::~Writer() {
    std::error_code ignored;
    if (!m_done && m_file.m_replaced) fs::remove(m_written, ignored);
}

void OutputFile::Writer::finish(int reason) {
    if (m_reason == 0) m_reason = reason;
    if (const std::string failure = try_finish(); !failure.empty()) throw UserError(failure);
}

std::string OutputFile::Writer::try_finish() {
    errno = 0;
    m_stream.close();
    if (m_reason == 0) m_reason = errno;
    std::error_code error;
    const bool complete = !m_stream.fail();
    if (m_file.m_replaced && complete) fs::rename(m_written, m_file.m_path, error);
    m_done = complete && !error;
    if (m_done) return {};
    return m_file.failure(error           ? error.message()
                          : m_reason != 0 ? std::strerror(m_reason)
                                          : "not everything could be written");
}

std::string OutputFile::failure(const std::string& why) const {
    return "option --" + m_option + ": " + m_path + " cannot be written: " + why;
}

void require_own_files(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written) {
    const auto same = [](const std::string& a, const std::string& b) {
        std::error_code error;
        if (a.empty() || b.empty()) return false;
        if (fs::exists(a, error) && !fs::is_regular_file(a, error)) return false;
        if (fs::equivalent(a, b, error)) return true;  // also by another link
        // Of a path that is not there, only an absolute one becomes canonical.
        const auto place = [&error](const std::string& path) {
            return fs::weakly_canonical(fs::absolute(path, error), error);
        };
        error.clear();
        const fs::path one = place(a);
        return !error && one == place(b) && !error;
    };
    const auto refuse = [](const NamedFile& file, const NamedFile& other) {
        throw UserError(file.name + ": expected a file of its own, found " + file.path + ", that of " +
                        other.name);
    };
    for (std::size_t i = 0; i < written.size(); ++i) {
        for (const NamedFile& other : read) {
            if (same(written[i].path, other.path)) refuse(written[i], other);
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (same(written[i].path, written[j].path)) refuse(written[i], written[j]);
        }
    }
}

}  // namespace tlmetry::app
