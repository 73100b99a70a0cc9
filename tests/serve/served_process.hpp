// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

namespace tlmetry::test {

/// `tlmetry serve` in a process of its own; its log goes to a file.
class ServedProcess {
public:
    /// Waits until it serves; `device` is empty if it has ended instead.
    ServedProcess(const std::vector<std::string>& arguments, const std::string& log) {
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        m_process = fork();
        REQUIRE(m_process >= 0);
        if (m_process == 0) {
            dup2(ends[1], STDOUT_FILENO);
            close(ends[0]);
            close(ends[1]);
            if (std::freopen(log.c_str(), "w", stderr) == nullptr) _exit(127);
            std::vector<const char*> words = {TLMETRY_PROGRAM, "serve"};
            for (const std::string& argument : arguments)
                words.push_back(argument.c_str());
            words.push_back(nullptr);
            execv(words[0], const_cast<char* const*>(words.data()));
            _exit(127);
        }
        close(ends[1]);
        std::FILE* out = fdopen(ends[0], "r");
        char line[300];
        if (std::fgets(line, sizeof line, out) != nullptr)
            device = std::string(line).substr(0, std::string(line).find('\n'));
        std::fclose(out);
    }
    ~ServedProcess() {
        if (m_process > 0) stop(SIGKILL);
    }
    ServedProcess(const ServedProcess&) = delete;
    ServedProcess& operator=(const ServedProcess&) = delete;

    /// Sends a signal, 0 for none, and waits for the end; the exit code, or 1000 plus the signal that ended
    /// it.
    int stop(int signal) {
        if (signal != 0) kill(m_process, signal);
        int status = 0;
        waitpid(m_process, &status, 0);
        m_process = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    }

    pid_t pid() const { return m_process; }

    std::string device;

private:
    pid_t m_process = -1;
};

}  // namespace tlmetry::test
