// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/trace/rate_timeline.hpp>
#include <tlmetry/trace/request_matcher.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace tlmetry::trace {

/// What a trace tells: how much of what there was and when, how long reads took, and what was against the
/// rules. Constant memory.
class Analysis {
public:
    /// Sizes in dwords: up to 1, 2, 4 ... 1024.
    static constexpr std::size_t sizes = 11;
    struct KindCounts {
        std::uint64_t tlps = 0;
        std::uint64_t payload_bytes = 0;
        std::uint64_t poisoned = 0;
    };

    Analysis(time_fs tick_fs, const DeviceLimits& limits);
    Analysis(const Analysis&) = delete;
    Analysis& operator=(const Analysis&) = delete;

    void add(const ptt::TracedTlp& tlp);

    time_fs tick_fs() const { return m_tick_fs; }
    std::uint64_t tlps() const { return m_tlps; }
    const KindCounts& of(tlp::Kind kind) const { return m_kinds[static_cast<unsigned>(kind)]; }

    /// How many reads of memory, writes to it and completions with data have each of the sizes.
    const std::array<std::uint64_t, sizes>& read_sizes() const { return m_sizes[0]; }
    const std::array<std::uint64_t, sizes>& write_sizes() const { return m_sizes[1]; }
    const std::array<std::uint64_t, sizes>& completion_sizes() const { return m_sizes[2]; }

    /// Time of the first TLP, and ticks from there to the last one.
    std::uint64_t begin() const { return m_begin; }
    std::uint64_t ticks() const { return m_last - m_begin; }
    const RateTimeline& timeline() const { return m_timeline; }
    const RequestMatcher& matcher() const { return m_matcher; }
    const ViolationLog& violations() const { return m_log; }

private:
    time_fs m_tick_fs;
    DeviceLimits m_limits;
    ViolationLog m_log;
    RequestMatcher m_matcher;
    RateTimeline m_timeline;
    std::array<KindCounts, tlp::kinds> m_kinds{};
    std::array<std::array<std::uint64_t, sizes>, 3> m_sizes{};
    std::uint64_t m_tlps = 0;
    std::uint64_t m_begin = 0;
    std::uint64_t m_last = 0;    // the latest one
    std::uint64_t m_before = 0;  // of the TLP before
};

std::string format_analysis(const Analysis& analysis);

/// Schema `tlmetry.trace_analysis/1`.
std::string analysis_json(const Analysis& analysis);

}  // namespace tlmetry::trace
