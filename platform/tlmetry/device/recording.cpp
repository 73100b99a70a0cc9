// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/recording.hpp"

#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/text.hpp>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

namespace tlmetry::device {

namespace {

constexpr std::uint64_t most_bytes = 1 << 20;

std::string hex(const std::uint8_t* data, std::size_t bytes) {
    constexpr const char* digits = "0123456789abcdef";
    std::string text(2 * bytes, '0');
    for (std::size_t i = 0; i < bytes; ++i) {
        text[2 * i] = digits[data[i] >> 4];
        text[2 * i + 1] = digits[data[i] & 0xF];
    }
    return text;
}

std::optional<std::vector<std::uint8_t>> parse_hex(const std::string& text) {
    std::vector<std::uint8_t> data(text.size() / 2);
    const auto digit = [](char c) {
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    };
    if (text.size() % 2 != 0) return {};
    for (std::size_t i = 0; i < data.size(); ++i) {
        const int high = digit(text[2 * i]);
        const int low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0) return {};
        data[i] = static_cast<std::uint8_t>(high << 4 | low);
    }
    return data;
}

std::optional<Recording::Access> parse(const std::string& text) {
    std::istringstream words(text);
    std::string time, kind, address, bytes, result, data, rest;
    words >> time >> kind >> address >> bytes >> result;
    if (result == "=") words >> data;
    words >> rest;
    const auto at = parse_unsigned(time);
    const auto place = parse_unsigned(address);
    const auto count = parse_unsigned(bytes);
    if (!at || *at > std::uint64_t{never} || !place || *place > ~std::uint32_t{0} || !count ||
        *count > most_bytes || (kind != "r" && kind != "w") || !rest.empty())
        return {};
    Recording::Access access;
    access.at = static_cast<time_fs>(*at);
    access.write = kind == "w";
    access.refused = result == "refused";
    access.address = static_cast<std::uint32_t>(*place);
    access.bytes = static_cast<std::uint32_t>(*count);
    if (access.refused) return access;
    auto parsed = parse_hex(data);
    if (result != "=" || !parsed || parsed->size() != access.bytes) return {};
    access.data = std::move(*parsed);
    return access;
}

std::string describe(const Recording& recording, std::size_t index) {
    const Recording::Access& access = recording.accesses[index];
    char text[100];
    std::snprintf(text, sizeof text, ":%zu: %s of %u bytes at 0x%x at %s", recording.lines[index],
                  access.write ? "write" : "read", access.bytes, access.address,
                  format_quantity(access.at, time_units).c_str());
    return recording.file + text;
}

}  // namespace

Recording Recording::read(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        throw UserError("recording " + path + ": expected a file, found a directory");
    errno = 0;
    std::ifstream file(path);
    if (!file) throw UserError("recording " + path + " cannot be read: " + std::strerror(errno));
    std::string text;
    if (!std::getline(file, text))
        throw UserError("recording " + path + ": expected " + header + " in the first line, found nothing");
    if (text != header)
        throw UserError(path + ":1: expected " + header + ", a recording of accesses, found " +
                        config::found(text));
    Recording recording;
    recording.file = path;
    for (std::size_t number = 2; std::getline(file, text); ++number) {
        if (text.empty() || text[0] == '#') continue;
        auto access = parse(text);
        const std::string place = path + ":" + std::to_string(number);
        if (!access)
            throw UserError(
                place +
                ": expected `TIME r|w OFFSET BYTES = HEX` or `TIME r|w OFFSET BYTES refused`, found " +
                config::found(text));
        if (!recording.accesses.empty() && access->at < recording.accesses.back().at)
            throw UserError(place + ": expected a time not before that of the access before, found " +
                            std::to_string(access->at) + " fs");
        recording.accesses.push_back(std::move(*access));
        recording.lines.push_back(number);
    }
    return recording;
}

std::string Recording::line(const Access& access, const void* data) {
    char text[80];
    std::snprintf(text, sizeof text, "%" PRId64 " %c 0x%x %u ", access.at, access.write ? 'w' : 'r',
                  access.address, access.bytes);
    if (access.refused) return std::string(text) + "refused\n";
    return std::string(text) + "= " + hex(static_cast<const std::uint8_t*>(data), access.bytes) + "\n";
}

Played play(const Recording& recording, CardAccess& card) {
    Played played;
    std::vector<std::uint8_t> answer;
    for (std::size_t i = 0; i < recording.accesses.size(); ++i) {
        const Recording::Access& access = recording.accesses[i];
        if (i == 0 && card.now() > access.at)
            throw UserError(describe(recording, i) + ": expected a time not before software begins, at " +
                            format_quantity(card.now(), time_units) +
                            ": it was recorded with another run.warmup");
        if (card.now() > access.at)
            throw UserError(describe(recording, i) +
                            ": expected the access before to be answered, found that "
                            "it lasts until " +
                            format_quantity(card.now(), time_units) + ": the bus has another latency");
        try {
            card.sleep(access.at - card.now());
        } catch (const AccessError& error) {
            throw UserError(describe(recording, i) + ": " + error.what());
        }
        if (card.now() < access.at) break;  // the user ends it
        answer = access.data;
        answer.resize(access.bytes);
        bool refused = false;
        try {
            if (access.write) {
                card.write(access.address, answer.data(), access.bytes);
            } else {
                card.read(access.address, answer.data(), access.bytes);
            }
        } catch (const AccessError&) {
            refused = true;
        }
        ++played.accesses;
        if (refused == access.refused && (refused || answer == access.data)) continue;
        if (++played.differences > Played::most_told) continue;
        const auto shown = [](bool is_refused, const std::vector<std::uint8_t>& data) {
            return is_refused ? std::string("refused") : config::shortened(hex(data.data(), data.size()));
        };
        played.told.push_back(describe(recording, i) + ": expected " + shown(access.refused, access.data) +
                              ", found " + shown(refused, answer));
    }
    return played;
}

}  // namespace tlmetry::device
