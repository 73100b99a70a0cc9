// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/child_program.hpp"

#include <tlmetry/base/error.hpp>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace tlmetry::explore {

namespace {

/// A pipe whose ends no child inherits by itself.
class Pipe {
public:
    Pipe() {
        if (pipe2(m_ends.data(), O_CLOEXEC) != 0)
            throw std::system_error(errno, std::generic_category(), "pipe");
    }
    ~Pipe() {
        close(m_ends[0]);
        close_write_end();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    int read_end() const { return m_ends[0]; }
    int write_end() const { return m_ends[1]; }
    void close_write_end() {
        if (m_ends[1] >= 0) close(m_ends[1]);
        m_ends[1] = -1;
    }

private:
    std::array<int, 2> m_ends{};
};

/// Reads both to their ends, whichever has something.
void read_both(const Pipe& a, std::string& a_text, const Pipe& b, std::string& b_text) {
    std::array<pollfd, 2> ends{{{a.read_end(), POLLIN, 0}, {b.read_end(), POLLIN, 0}}};
    const std::array<std::string*, 2> texts{&a_text, &b_text};
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        if (poll(ends.data(), ends.size(), -1) < 0) {
            if (errno == EINTR) continue;
            throw std::system_error(errno, std::generic_category(), "poll");
        }
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (ends[i].revents == 0) continue;
            std::array<char, 4096> block;
            const ssize_t bytes = read(ends[i].fd, block.data(), block.size());
            if (bytes > 0) texts[i]->append(block.data(), static_cast<std::size_t>(bytes));
            if (bytes == 0 || (bytes < 0 && errno != EINTR)) ends[i].fd = -1;
        }
    }
}

/// How a child starts: with its own ends of the pipes, and in a process group of its own.
class Start {
public:
    Start(const Pipe& out, const Pipe& err) {
        posix_spawn_file_actions_init(&m_files);
        posix_spawn_file_actions_addopen(&m_files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&m_files, out.write_end(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&m_files, err.write_end(), STDERR_FILENO);
        posix_spawnattr_init(&m_attributes);
        posix_spawnattr_setflags(&m_attributes, POSIX_SPAWN_SETPGROUP);
    }
    ~Start() {
        posix_spawn_file_actions_destroy(&m_files);
        posix_spawnattr_destroy(&m_attributes);
    }
    Start(const Start&) = delete;
    Start& operator=(const Start&) = delete;

    /// 0, or why it did not start.
    int operator()(pid_t& pid, const std::vector<std::string>& words) const {
        std::vector<char*> arguments;
        arguments.reserve(words.size() + 1);
        for (const std::string& word : words)
            arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        return posix_spawnp(&pid, arguments[0], &m_files, &m_attributes, arguments.data(), environ);
    }

private:
    posix_spawn_file_actions_t m_files;
    posix_spawnattr_t m_attributes;
};

}  // namespace

Ended run_program(const std::vector<std::string>& words) {
    Pipe out, err;
    pid_t pid = -1;
    const int failure = Start(out, err)(pid, words);
    if (failure == ENOENT)
        throw UserError(words.at(0) + ": expected a program of this name on the PATH, found none");
    if (failure != 0) throw UserError(words.at(0) + " cannot be started: " + std::strerror(failure));
    out.close_write_end();
    err.close_write_end();
    Ended ended;
    read_both(out, ended.out, err, ended.err);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    ended.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return ended;
}

}  // namespace tlmetry::explore
