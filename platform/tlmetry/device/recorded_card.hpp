// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/card_access.hpp>
#include <tlmetry/device/line_file.hpp>

#include <string>

namespace tlmetry::device {

/// The file of a recording (Recording), as it is made: each access is in it when put() returns. It ends where
/// the models of the card restart.
class RecordingFile {
public:
    /// `place`, an option, begins messages about the file. Throws UserError when it cannot be written.
    RecordingFile(std::string path, std::string place);

    /// Adds an access; without `data`, one that the bus has refused. Throws UserError when that fails.
    void put(time_fs at, bool write, std::uint32_t address, std::uint32_t bytes, const void* data);

private:
    LineFile m_file;
    time_fs m_last = 0;
    bool m_ended = false;
};

/// A card whose accesses go to a recording on their way.
class RecordedCard : public CardAround {
public:
    /// Both must outlive this object.
    RecordedCard(CardAccess& card, RecordingFile& file) : CardAround(card), m_file(file) {}

    void read(std::uint32_t address, void* data, std::uint32_t bytes) override;
    void write(std::uint32_t address, const void* data, std::uint32_t bytes) override;

private:
    RecordingFile& m_file;
};

}  // namespace tlmetry::device
