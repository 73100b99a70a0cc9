// SPDX-License-Identifier: BSD-3-Clause
#include "daemon.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

namespace tlmetry::test {

namespace {

namespace fs = std::filesystem;

void add_descendants(pid_t of, std::set<pid_t>& all) {
    std::error_code error;
    for (const auto& thread : fs::directory_iterator("/proc/" + std::to_string(of) + "/task", error)) {
        std::ifstream children(thread.path() / "children");
        for (pid_t child = 0; children >> child;) {
            if (all.insert(child).second) add_descendants(child, all);
        }
    }
}

/// Of the calling process. First all of them stop, so that none sees another one die.
void kill_descendants() {
    std::set<pid_t> all;
    std::size_t known = 0;
    do {
        known = all.size();
        add_descendants(getpid(), all);
        for (const pid_t pid : all)
            kill(pid, SIGSTOP);
    } while (all.size() != known);
    for (const pid_t pid : all)
        kill(pid, SIGKILL);
}

/// Ends when SIGTERM has come or the program has ended, and nothing of what it has started is left.
[[noreturn]] void keep(pid_t parent, const std::vector<std::string>& words, const std::string& log) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    // What loses its parent becomes a child of this process; and it ends with its own.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(0);
    setpgid(0, 0);
    if (fork() == 0) {
        sigprocmask(SIG_UNBLOCK, &signals, nullptr);
        setsid();
        const int in = open("/dev/null", O_RDONLY);
        const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
        dup2(in, STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        dup2(out, STDERR_FILENO);
        close_range(STDERR_FILENO + 1, ~0U, 0);
        std::vector<char*> arguments;
        for (const std::string& word : words)
            arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        execv(arguments[0], arguments.data());
        _exit(127);
    }
    for (;;) {
        int signal = 0;
        sigwait(&signals, &signal);
        if (signal == SIGTERM) kill_descendants();
        pid_t child = 0;
        do {
            child = waitpid(-1, nullptr, signal == SIGTERM ? 0 : WNOHANG);
        } while (child > 0 || (child < 0 && errno == EINTR));
        if (child < 0) _exit(0);
    }
}

}  // namespace

Daemon::Daemon(const std::vector<std::string>& words, const std::string& log) {
    const pid_t parent = getpid();
    m_keeper = fork();
    if (m_keeper < 0) throw std::runtime_error("fork");
    if (m_keeper == 0) keep(parent, words, log);
}

void Daemon::end() {
    if (m_keeper < 0) return;
    kill(m_keeper, SIGTERM);
    waitpid(m_keeper, nullptr, 0);
    m_keeper = -1;
}

bool Daemon::ended() {
    if (m_keeper >= 0 && waitpid(m_keeper, nullptr, WNOHANG) == m_keeper) m_keeper = -1;
    return m_keeper < 0;
}

}  // namespace tlmetry::test
