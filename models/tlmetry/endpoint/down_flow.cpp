// SPDX-License-Identifier: BSD-3-Clause
// The way of frames out of the storage FIFO as long as nothing holds them up. It says in fewer steps what
// output_to_one(), headers_leave() and DownPort say, and is used only where that is sure.
#include "tlmetry/endpoint/down_stream.hpp"

#include <algorithm>
#include <array>

namespace tlmetry::endpoint {

namespace {

constexpr std::uint32_t most_shift = 2;  // of regions of a bus

}  // namespace

bool DownStream::may_flow(const Config& config, const Edges& pcie, const Edges& dma) {
    const Buses& buses = config.buses;
    // Words that leave without a gap must move without one, and D must take no word before P fills it.
    const std::uint32_t width = std::max(buses.rc_regions, buses.down_regions);
    const std::uint32_t filling = width / buses.rc_regions;
    return config.ports == 1 && config.down_mfb.always() && config.down_mvb.always() &&
           FlowingBus::fits(width) && width <= 1u << most_shift && FlowingBus::fits(buses.rc_regions) &&
           FlowingBus::fits(buses.down_regions) && filling * pcie.period_fs() <= dma.period_fs();
}

/// Where the output is.
struct DownStream::Flow {
    cycle_t output;         // P cycle of the last word
    std::uint32_t used;     // regions of it
    std::uint32_t headers;  // of frames that ended in it
    cycle_t moved;          // D, of its last word on DOWN
    cycle_t header_moved;   // D, of the last word of headers
    bool full = false;      // the next frame finds so much in the crossings that they may be
};

/// What has become of frames.
struct DownStream::Passed {
    static constexpr std::size_t most = 64;

    std::size_t count = 0;
    std::array<cycle_t, most> left;                // P, of the header
    std::array<cycle_t, most> moved;               // D, of the last word and the header
    std::array<std::uint32_t, most> first_region;  // on DOWN
};

DownStream::Flow DownStream::start_of_flow() const {
    Flow flow{};
    // Nothing joins a word of which that is not known.
    flow.used = m_open_regions != 0 ? m_open_regions : m_width.count();
    flow.headers = m_open_headers;
    flow.output = m_next_output - m_down_regions.touched(0, flow.used);
    flow.moved = ports.front().mfb_bus().moved();
    flow.header_moved = ports.front().mvb_bus().moved();
    return flow;
}

/// Lets frames go, each as a whole, as long as nothing is held. False when nothing is left to do before
/// `end`.
bool DownStream::flow(cycle_t end, bool looked_at) {
    if (m_frames.front().left != m_frames.front().regions || m_last_headers > m_next_output) return true;
    DownPort& port = ports.front();
    Passed passed;
    Flow flow;
    do {
        flow = start_of_flow();
        // What leaves before `end` has moved before that.
        const cycle_t until = port.mfb_bus().crossed(end) + port.mfb_bus().slack();
        const cycle_t from = std::min(flow.moved, flow.header_moved);
        if (m_sums && !port.mfb.is_cut && m_dma_looks.spare(from, until) &&
            fits_frame_field(static_cast<std::uint64_t>(until - from), m_down_regions.count())) {
            pass_frames<false>(flow, passed, end);
            if (passed.count != 0) sum_down(flow, passed);
        } else {
            pass_frames<true>(flow, passed, end);
            if (passed.count != 0) port.mfb.is_cut = false;
        }
        if (passed.count == 0) break;
        give_back(passed);
        m_frames.pop(passed.count);
        m_open_regions = flow.used;
        m_open_headers = flow.headers;
        m_next_output = flow.output + m_down_regions.touched(0, flow.used);
        m_last_headers = flow.output + m_down_regions.touched(0, flow.headers);
        port.mfb_bus().flowed(flow.moved);
        port.mvb_bus().flowed(flow.header_moved);
    } while (passed.count == Passed::most && !m_frames.empty());
    if (m_frames.empty() || !(flow.full || looked_at)) return false;
    m_flows = !flow.full;
    join_open_word();
    return true;
}

/// Passes frames from the front. `one_by_one`: logs them.
template <bool one_by_one>
void DownStream::pass_frames(Flow& flow, Passed& passed, cycle_t end) {
    using Pass = void (DownStream::*)(Flow&, Passed&, cycle_t);
    static constexpr Pass pass[most_shift + 1][most_shift + 1] = {
        {&DownStream::pass_frames<0, 0, one_by_one>, &DownStream::pass_frames<0, 1, one_by_one>,
         &DownStream::pass_frames<0, 2, one_by_one>},
        {&DownStream::pass_frames<1, 0, one_by_one>, &DownStream::pass_frames<1, 1, one_by_one>,
         &DownStream::pass_frames<1, 2, one_by_one>},
        {&DownStream::pass_frames<2, 0, one_by_one>, &DownStream::pass_frames<2, 1, one_by_one>,
         &DownStream::pass_frames<2, 2, one_by_one>}};
    (this->*pass[__builtin_ctz(m_rc_regions.count())][__builtin_ctz(m_down_regions.count())])(flow, passed,
                                                                                              end);
}

/// The same on buses of so many regions, which saves a third of the instructions.
template <std::uint32_t rc_shift, std::uint32_t down_shift, bool one_by_one>
void DownStream::pass_frames(Flow& flow_out, Passed& passed, cycle_t end) {
    constexpr std::uint32_t width_shift = std::max(rc_shift, down_shift);
    constexpr std::uint32_t width = 1u << width_shift;
    constexpr std::uint32_t down = 1u << down_shift;
    constexpr cycle_t output_words = width / down;
    constexpr bool fills_slowly = rc_shift < down_shift;
    DownPort& port = ports.front();
    const Crossing to_dma = port.mfb_bus().crossing();
    const cycle_t slack = port.mfb_bus().slack();
    const std::uint32_t header_regions = m_header_regions;
    // As arrival().
    const auto in = [header_regions](const Frame& frame, std::uint32_t region) {
        const std::uint32_t rc_region = std::min(region + header_regions, frame.rc_regions - 1u);
        return frame.first_word + ((frame.place + rc_region) >> rc_shift);
    };
    const auto down_words = [](std::uint32_t regions) { return (regions + down - 1) >> down_shift; };
    Flow flow = flow_out;
    const std::size_t most = std::min(m_frames.size(), Passed::most);
    std::size_t count = 0;
    for (const Frame* next = m_frames.begin(); count != most; ++count, ++next) {
        const Frame& frame = *next;
        const std::uint32_t regions = frame.regions;
        // Regions of it that leave in the word before, with other frames.
        const std::uint32_t fitting = std::min(regions, width - flow.used);
        const bool joins = (fitting != 0) & (in(frame, fitting - 1) <= flow.output);
        const std::uint32_t joining = only_if(joins, fitting);
        const std::uint32_t words_before = down_words(flow.used);
        const std::uint32_t words = down_words(flow.used + joining);
        const cycle_t open_moved = flow.moved + words - words_before;
        const std::uint32_t first_region = only_if(joins, flow.used) & (down - 1);
        const auto log_joining = [&](bool ends) {
            const std::uint32_t before = flow.used >> down_shift;
            port.add_flowing(flow.moved + 1 - words_before + before, first_region, joining, words - before,
                             true, ends, last_items(frame));
        };
        passed.first_region[count] = first_region;
        if (const std::uint32_t rest = regions - joining; rest != 0) {
            // Full words, and a last one with what is left.
            const std::uint32_t full = rest >> width_shift;
            const std::uint32_t tail = rest & (width - 1);
            const cycle_t full_cycles = full * output_words;
            const cycle_t all_in = in(frame, regions - 1);
            const cycle_t first =
                std::max(flow.output + words, full != 0 ? in(frame, joining + width - 1) : all_in);
            cycle_t last = std::max(first + full_cycles - only_if(tail == 0, output_words), all_in);
            if (fills_slowly && full != 0 && tail != 0)
                last = std::max(last, in(frame, joining + full * width - 1) + output_words);
            if (last + 1 >= end) break;
            const cycle_t crossed = to_dma(first);
            const cycle_t first_moved = std::max(open_moved + 1, crossed);
            const cycle_t tail_moved = std::max(first_moved + full_cycles, to_dma(last));
            const cycle_t moved = tail_moved + down_words(tail) - 1;
            const cycle_t header_crossed = to_dma(last + 1);
            const cycle_t header_moved = std::max(flow.header_moved + 1, header_crossed);
            flow.full = std::max(moved - crossed, header_moved - header_crossed) >= slack;
            if (flow.full) break;
            if constexpr (one_by_one) {
                if (joins) log_joining(false);
                if (full != 0) {
                    port.add_flowing(first_moved, 0, full * width, static_cast<std::uint32_t>(full_cycles),
                                     !joins, tail == 0, last_items(frame));
                }
                if (tail != 0) {
                    port.add_flowing(tail_moved, 0, tail, down_words(tail), !joins && full == 0, true,
                                     last_items(frame));
                }
                port.mvb.push({header_moved, header_moved, 1});
            }
            flow.output = last;
            flow.used = ((tail - 1) & (width - 1)) + 1;
            flow.headers = 1;
            flow.moved = moved;
            flow.header_moved = header_moved;
        } else {
            if constexpr (one_by_one) log_joining(true);
            // Its header leaves with those of the others, or behind them.
            if ((flow.headers & (down - 1)) == 0) {
                const cycle_t left = flow.output + 1 + (flow.headers >> down_shift);
                flow.header_moved = std::max(flow.header_moved + 1, to_dma(left));
                if constexpr (one_by_one) port.mvb.push({flow.header_moved, flow.header_moved, 0});
            }
            if constexpr (one_by_one) ++port.mvb.back().items;
            flow.used += joining;
            flow.moved = open_moved;
            ++flow.headers;
        }
        passed.left[count] = flow.output + 1;
        passed.moved[count] = std::max(flow.header_moved, flow.moved);
    }
    passed.count = count;
    flow_out = flow;
}

/// Logs what has been passed by its sum.
void DownStream::sum_down(const Flow& flow, const Passed& passed) {
    FrameSum sum;
    sum.frames = static_cast<std::uint32_t>(passed.count);
    for (std::size_t i = 0; i != passed.count; ++i) {
        sum.fields += m_down_fields(passed.first_region[i], m_frames[i].regions);
        sum.opened += passed.first_region[i] == 0;
        sum.last_items += last_items(m_frames[i]);
    }
    DownPort& port = ports.front();
    port.add_sum(sum, flow.moved);
    port.mvb.extend() = {flow.header_moved, flow.header_moved, sum.frames};
}

/// What the frames at the front return that have been passed.
void DownStream::give_back(const Passed& passed) {
    // Without a branch: which is the last of its read is as good as random.
    std::array<std::uint32_t, Passed::most> words;
    std::array<DoneRead, Passed::most> reads;
    std::array<cycle_t, Passed::most> left;
    std::size_t done = 0;
    std::uint64_t bytes = 0;
    const Frame* const frames = m_frames.begin();
    Read* const all_reads = m_reads.data();
    for (std::size_t i = 0; i != passed.count; ++i) {
        const Frame& frame = frames[i];
        bytes += frame.length;
        Read& read = all_reads[frame.tag];
        words[i] = choose(frame.last, read.words, std::uint32_t{frame.words});
        read.words -= words[i];
        reads[done] = {frame.tag, passed.moved[i]};
        left[done] = passed.left[i];
        done += frame.last;
    }
    m_delivered_bytes += bytes;
    m_manager.words_back_from(passed.left.data(), words.data(), passed.count);
    for (std::size_t i = 0; i != done; ++i) {
        m_reads[reads[i].tag].outstanding = false;
        m_manager.tag_back_from(left[i], reads[i].tag);
    }
    m_listener.reads_done(reads.data(), reads.data() + done);
}

/// The frame at the head goes on from behind what flow() has passed, other than flow() would: what of it
/// leaves with those before it goes now.
void DownStream::join_open_word() {
    if (m_open_regions == 0) return;
    const Flow flow = start_of_flow();
    m_open_regions = m_open_headers = 0;
    Frame& frame = m_frames.front();
    const std::uint32_t joining = m_width.count() - flow.used;
    if (joining == 0 || arrival(frame, joining - 1) > flow.output) return;
    const std::uint32_t down = m_down_regions.count();
    const std::uint32_t before = m_down_regions.words(flow.used);
    const std::uint32_t words_before = m_down_regions.touched(0, flow.used);
    const auto words = static_cast<std::uint32_t>(m_output_words);
    DownPort& port = ports.front();
    port.mfb_bus().write_behind(words - words_before);
    port.add_flowing(flow.moved + 1 - words_before + before, flow.used % down, joining, words - before, true,
                     false, 0);
    frame.left -= joining;
    m_next_output = flow.output + words;
}

}  // namespace tlmetry::endpoint
