// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tlmetry::ptt {

/// The bytes of a file, a pipe or a memory, in order.
class ByteSource {
public:
    /// Opens a file, or the standard input for "-". Before each read, and when a signal interrupts waiting
    /// for data, `stopped` is asked: if it says so, the data end there. Throws UserError when that is not
    /// possible.
    static ByteSource open(const std::string& path, bool (*stopped)() = nullptr);

    /// `bytes` must outlive it; with `as_pipe` it does not know how many they are.
    static ByteSource from_memory(std::string name, std::string_view bytes, bool as_pipe = false);

    ByteSource(ByteSource&& other) noexcept;
    ByteSource& operator=(ByteSource&&) = delete;
    ~ByteSource();

    /// Stores `size` bytes, fewer only at the end. Throws UserError when the data cannot be read.
    std::size_t read(std::uint8_t* to, std::size_t size);

    const std::string& name() const { return m_name; }

    /// Bytes that there are altogether, where that is known.
    std::optional<std::uint64_t> total() const { return m_total; }

private:
    ByteSource(std::string name, int descriptor, std::string_view memory, bool (*stopped)());
    bool wait() const;

    std::string m_name;
    int m_descriptor;  // -1: m_memory
    std::string_view m_memory;
    bool (*m_stopped)();
    std::optional<std::uint64_t> m_total;
};

}  // namespace tlmetry::ptt
