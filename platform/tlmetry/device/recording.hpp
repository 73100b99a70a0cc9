// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/card_access.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::device {

/// The accesses of software to a card, in a text file of lines like
///
///     tlmetry.accesses/1
///     100000000000 r 0x24 4 = 00000000
///     100000020000 w 0x20 4 = 01000000
///     100000030000 r 0xfffe 4 refused
///
/// time in femtoseconds at which the software issued it; read or write; offset in the component; number of
/// bytes; the bytes in address order. A line that begins with # is a comment.
struct Recording {
    static constexpr const char* header = "tlmetry.accesses/1";

    struct Access {
        time_fs at = 0;
        bool write = false;
        bool refused = false;  ///< by the bus
        std::uint32_t address = 0;
        std::uint32_t bytes = 0;
        std::vector<std::uint8_t> data;  ///< none of refused ones
    };

    std::string file;
    std::vector<Access> accesses;
    std::vector<std::size_t> lines;  ///< of each access in the file

    /// Throws UserError naming file and line for what is no recording.
    static Recording read(const std::string& path);

    /// An access as a line, with its line break; `data` in the place of Access::data.
    static std::string line(const Access& access, const void* data);
};

/// What became of a recording that was played to a card.
struct Played {
    std::size_t accesses = 0;
    std::size_t differences = 0;    ///< reads with another answer, and accesses refused here or there alone
    std::vector<std::string> told;  ///< the first most_told of them, in words

    static constexpr std::size_t most_told = 10;
};

/// Makes the accesses of a recording at their times and compares the answers. Throws UserError when the card
/// is still busy with one access at the time of the next, which is another bus, or begins behind the first.
Played play(const Recording& recording, CardAccess& card);

}  // namespace tlmetry::device
