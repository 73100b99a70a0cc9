// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace tlmetry::test {

/// A program in the background with everything that it starts, be it in sessions of its own. All of it ends
/// with this object, and with the process that has it, however that ends.
class Daemon {
public:
    /// `words` begin with the path of the program; what it prints goes to the file `log`.
    Daemon(const std::vector<std::string>& words, const std::string& log);
    ~Daemon() { end(); }
    Daemon(const Daemon&) = delete;
    Daemon& operator=(const Daemon&) = delete;

    /// As if the power of its machine failed: nothing of it does anything any more.
    void end();
    /// The program and all that it has started are there no more.
    bool ended();

private:
    pid_t m_keeper = -1;
};

}  // namespace tlmetry::test
