// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/telemetry/word.hpp>
#include <tlmetry/traffic/bus_source.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::test {

/// What the telemetry counts of one bus, counted here cycle by cycle in the plainest way.
struct BusCounts {
    std::uint64_t words = 0, stalled = 0, transactions = 0, mvb_items = 0, mvb_stalled = 0, items = 0;
    std::vector<std::uint64_t> regions;
};

/// Writes down what a bus is told, cycle by cycle.
class BusTrace : public traffic::BusSink {
public:
    void mfb(cycle_t from, const telemetry::MfbPins& pins) override { fill(m_mfb, from, pins); }
    void mvb(cycle_t from, const telemetry::MvbWord& word) override { fill(m_mvb, from, word); }

    /// First broken rule of the cycles below `end`, or nothing. The last word must have been told up to
    /// there.
    std::string broken_rule(cycle_t end, std::uint32_t regions, std::uint32_t region_items) const;

    /// Counts the MFB cycles [first, end) and the MVB cycles [mvb_first, end). A frame that is open before
    /// `first` is not seen.
    BusCounts count(cycle_t first, cycle_t mvb_first, cycle_t end, std::uint32_t regions,
                    std::uint32_t region_items) const;

    telemetry::MfbPins mfb_at(cycle_t cycle) const { return at(m_mfb, cycle); }
    telemetry::MvbWord mvb_at(cycle_t cycle) const { return at(m_mvb, cycle); }
    bool goes_back() const { return m_goes_back; }

private:
    template <class Word>
    void fill(std::vector<Word>& cycles, cycle_t from, const Word& word) {
        const auto place = static_cast<std::size_t>(from);
        if (place + 1 < cycles.size()) m_goes_back = true;
        if (place >= cycles.size()) cycles.resize(place + 1, cycles.empty() ? Word{} : cycles.back());
        cycles[place] = word;
    }
    template <class Word>
    Word at(const std::vector<Word>& cycles, cycle_t cycle) const {
        if (cycles.empty()) return {};
        const auto place = static_cast<std::size_t>(cycle);
        return place < cycles.size() ? cycles[place] : cycles.back();
    }

    std::vector<telemetry::MfbPins> m_mfb;
    std::vector<telemetry::MvbWord> m_mvb;
    bool m_goes_back = false;
};

}  // namespace tlmetry::test
