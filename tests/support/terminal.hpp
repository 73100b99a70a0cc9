// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <catch2/catch.hpp>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <vector>

namespace tlmetry::test {

/// A shell command on a terminal of its own, which shows its output and its errors.
class Terminal {
public:
    /// The size of its window is not known unless it is given.
    explicit Terminal(const std::string& command, unsigned short rows = 0, unsigned short columns = 0) {
        const winsize size = {rows, columns, 0, 0};
        termios settings = {};
        settings.c_lflag = ISIG;  // Ctrl-C interrupts; nothing is echoed, and a line break stays what it is
        settings.c_cc[VINTR] = 3;
        settings.c_cflag = CREAD | CS8;
        m_child = forkpty(&m_screen, nullptr, &settings, &size);
        REQUIRE(m_child >= 0);
        if (m_child == 0) {
            execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
            _exit(127);
        }
    }
    ~Terminal() { close(m_screen); }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    /// Returns as soon as `text` has been shown `times` times, or the command has ended.
    void wait_for(const std::string& text, int times = 1) {
        std::size_t from = 0;
        for (; times > 0; --times) {
            while (m_shown.find(text, from) == m_shown.npos)
                if (!read_more()) return;
            from = m_shown.find(text, from) + text.size();
        }
    }

    /// Ends a command that would go on.
    void end() const { kill(m_child, SIGKILL); }

    void press_ctrl_c() const { REQUIRE(write(m_screen, "\x03", 1) == 1); }

    /// Everything that was written until the command ended, as it was written.
    const std::string& shown() {
        while (read_more()) {
        }
        return m_shown;
    }

    /// The same as it stands on the screen: a carriage return lets what follows overwrite the line.
    std::string screen() {
        std::string result;
        std::size_t line = 0, column = 0;
        for (const char c : shown()) {
            if (c == '\n') {
                result += c;
                line = column = result.size();
            } else if (c == '\r') {
                column = line;
            } else {
                if (column == result.size()) result += c;
                result[column++] = c;
            }
        }
        return result;
    }

    /// Exit code of the command; to be asked once, after shown() or screen().
    int code() const {
        int status = 0;
        REQUIRE(waitpid(m_child, &status, 0) == m_child);
        REQUIRE(WIFEXITED(status));
        return WEXITSTATUS(status);
    }

private:
    bool read_more() {
        std::array<char, 4096> block;
        const ssize_t bytes = read(m_screen, block.data(), block.size());
        if (bytes <= 0) return false;  // an error when the command has ended
        m_shown.append(block.data(), static_cast<std::size_t>(bytes));
        return true;
    }

    int m_screen = -1;
    pid_t m_child = -1;
    std::string m_shown;
};

}  // namespace tlmetry::test
