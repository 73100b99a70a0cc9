// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::wave {

using Byte = unsigned char;

/// The bytes of a recording, unpacked on the way when they start like gzip (any number of members). Constant
/// memory.
class Input {
public:
    /// Opens a file, or the standard input for "-". Throws UserError when that is not possible.
    static Input open(const std::string& path);

    /// Reads a copy of `bytes`; `name` stands for the file in messages.
    static Input from_memory(std::string name, std::string_view bytes);

    Input(Input&&) noexcept;
    Input& operator=(Input&&) noexcept;
    ~Input();

    /// Fills `to` and returns the number of bytes stored, fewer than `size` only at the end.
    std::size_t read(Byte* to, std::size_t size);

    /// Why the bytes ended before they should, in words that follow "found"; empty as long as all is well.
    const std::string& defect() const { return m_defect; }

    const std::string& name() const { return m_name; }

    /// Bytes taken from the file so far, as they lie there (packed), and its size; 0 when it is not known.
    std::uint64_t consumed() const { return m_consumed; }
    std::uint64_t total() const { return m_total; }

private:
    struct Inflater;

    Input(std::string name, std::unique_ptr<std::istream> stream, std::uint64_t total);
    std::size_t read_raw(Byte* to, std::size_t size);
    std::size_t read_packed(Byte* to, std::size_t size);
    void fetch();

    std::string m_name;
    std::unique_ptr<std::istream> m_stream;
    std::uint64_t m_total;
    std::uint64_t m_consumed = 0;
    std::string m_defect;
    std::vector<Byte> m_raw;  // fetched, not used yet: from m_raw_next on
    std::size_t m_raw_next = 0;
    std::unique_ptr<Inflater> m_inflater;  // only when packed
};

}  // namespace tlmetry::wave
