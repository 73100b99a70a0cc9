// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/card_access.hpp>

#include <cstdio>
#include <memory>
#include <string>

namespace tlmetry::device {

/// A card whose accesses go to a file (Recording) on their way. A recording ends where the models of the card
/// restart.
class RecordedCard : public CardAccess {
public:
    /// `place`, an option, begins messages about the file. `card` must outlive this object. Throws UserError
    /// when the file cannot be written; so do accesses later.
    RecordedCard(CardAccess& card, const std::string& path, std::string place);

    void read(std::uint32_t address, void* data, std::uint32_t bytes) override;
    void write(std::uint32_t address, const void* data, std::uint32_t bytes) override;
    time_fs now() const override { return m_card.now(); }
    double seconds() const override { return m_card.seconds(); }
    void sleep(time_fs duration) override { m_card.sleep(duration); }
    bool posted_writes() const override { return m_card.posted_writes(); }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    void put(time_fs at, char kind, std::uint32_t address, std::uint32_t bytes, const void* data);

    CardAccess& m_card;
    std::string m_place;
    std::string m_path;
    std::unique_ptr<std::FILE, Close> m_file;
    time_fs m_last = 0;
    bool m_ended = false;
};

}  // namespace tlmetry::device
