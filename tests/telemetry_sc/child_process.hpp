// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <iostream>
#include <type_traits>

namespace tlmetry::testing {

/// Runs `work` in a child process, since SystemC elaborates only once in each, and stores what it returns.
/// False if the child died or threw.
template <class Result, class Work>
bool in_child_process(const Work& work, Result& result) {
    static_assert(std::is_trivially_copyable_v<Result>);
    int ends[2];
    std::cout.flush();
    if (pipe(ends) != 0) return false;
    const pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
        int status = 1;
        try {
            const Result found = work();
            if (write(ends[1], &found, sizeof found) == static_cast<ssize_t>(sizeof found)) status = 0;
        } catch (const std::exception& error) {
            std::cout << error.what() << std::endl;
        }
        _exit(status);
    }
    close(ends[1]);
    const bool complete = read(ends[0], &result, sizeof result) == static_cast<ssize_t>(sizeof result);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return complete && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace tlmetry::testing
