// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <catch2/catch.hpp>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace tlmetry::test {

/// What the standard error gets while it lives.
class StandardError {
public:
    StandardError() : m_file(std::tmpfile()), m_before(dup(STDERR_FILENO)) {
        REQUIRE(m_file != nullptr);
        dup2(fileno(m_file), STDERR_FILENO);
    }
    ~StandardError() {
        restore();
        std::fclose(m_file);
    }
    StandardError(const StandardError&) = delete;
    StandardError& operator=(const StandardError&) = delete;

    /// Ends it.
    std::string text() {
        restore();
        std::string text(10'000, '\0');
        std::rewind(m_file);
        text.resize(std::fread(text.data(), 1, text.size(), m_file));
        return text;
    }

private:
    void restore() {
        if (m_before < 0) return;
        std::fflush(stderr);
        dup2(m_before, STDERR_FILENO);
        close(m_before);
        m_before = -1;
    }
    std::FILE* m_file;
    int m_before;
};

}  // namespace tlmetry::test
