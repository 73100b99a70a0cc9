// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/down_stream.hpp"

#include <algorithm>
#include <numeric>

namespace tlmetry::endpoint {

DownStream::DownStream(const Config& config, const Edges& pcie, const Edges& dma, Reads& reads,
                       TagManager& manager, ReadListener& listener)
    : m_pcie(pcie),
      m_reads(reads),
      m_manager(manager),
      m_listener(listener),
      m_rc_regions(config.buses.rc_regions),
      m_down_regions(config.buses.down_regions),
      m_width(std::max(config.buses.rc_regions, config.buses.down_regions)),
      m_rc_header(config.buses.rc_header),
      m_header_regions(config.buses.rc_header == 0 ? 0 : 1),
      m_region_items(config.buses.down_region_items),
      m_rcb_blocks(config.host.rcb),
      m_storage_words(config.ptc.word_bytes),
      m_one_start(config.buses.one_start),
      m_rx_cycles(config.ptc.rx_cycles),
      m_storage_cycles(config.ptc.storage_cycles),
      m_port_items(config.ports, 0) {
    for (std::uint32_t p = 0; p < config.ports; ++p)
        ports.emplace_back(config, pcie, dma);
    // Words of RC, and thereby cycles, that a full word of the storage FIFO takes to fill.
    const std::uint32_t filling = m_width.count() / config.buses.rc_regions;
    m_output_words = m_width.count() / config.buses.down_regions;
    m_one_runs = config.ports == 1 && ports.front().mfb_bus().runs() &&
                 m_width.count() % config.buses.down_regions == 0;
    m_fills_slowly = filling > 1;
    m_may_flow = may_flow(config, pcie, dma);
    m_sums = m_may_flow;
    if (m_sums) {
        m_rc_fields = FrameFields(config.buses.rc_regions);
        m_down_fields = FrameFields(config.buses.down_regions);
    }
}

/// First cycle in which a word can leave: when it is full, or when the frame at the head has ended.
cycle_t DownStream::output_cycle() const {
    const Frame& head = m_frames.front();
    const std::uint32_t done = head.regions - head.left;
    return std::max(arrival(head, done + std::min(head.left, m_width.count()) - 1), m_next_output);
}

void DownStream::arrive(const Completion* first, const Completion* last) {
    if (FlowingBus::fits(m_rc_regions.count())) {
        FlowingBus bus(m_word, m_rc_regions.count(), m_one_start);
        place(bus, first, last);
        m_word = bus.word();
    } else {
        // Of any number of regions.
        struct Bus {
            Place place(cycle_t available, std::uint32_t count) {
                const bool joins = !one_start && word.takes(available, regions.count());
                return word.place(available, count, regions, joins);
            }
            OpenWord& word;
            const Regions& regions;
            bool one_start;
        };
        place(Bus{m_word, m_rc_regions, m_one_start}, first, last);
    }
    log_rc(static_cast<std::size_t>(last - first));
    if (m_manager.meters_entries()) give_entries_back(first, last);
}

/// Places completions on RC.
template <class Bus>
void DownStream::place(Bus&& bus, const Completion* first, const Completion* last) {
    const auto count = static_cast<std::size_t>(last - first);
    // Copies, as far as the compiler knows what is written could change them.
    const Edges pcie = m_pcie;
    const Blocks region_items = m_region_items;
    const Blocks storage_words = m_storage_words;
    const std::uint32_t header = m_rc_header;
    const cycle_t rx_cycles = m_rx_cycles;
    const cycle_t storage_cycles = m_storage_cycles;
    Frame* frame = m_frames.extend(count);
    for (const Completion* completion = first; completion != last; ++completion, ++frame) {
        const std::uint32_t length = completion->length;
        const std::uint32_t items = items_of(length);
        const std::uint32_t rc_regions = region_items.count(items + header);
        const Place place = bus.place(pcie.first_after(completion->at) + rx_cycles, rc_regions);
        frame->first_word = place.presented + storage_cycles;
        frame->place = place.first_region;
        frame->rc_regions = static_cast<std::uint16_t>(rc_regions);
        frame->regions = static_cast<std::uint16_t>(region_items.count(items));
        frame->left = frame->regions;
        frame->tag = completion->tag;
        frame->length = length;
        frame->words = static_cast<std::uint16_t>(storage_words.ended(completion->address, length));
        frame->last = completion->last;
    }
}

/// Completions, the last ones that have come, give back the entries of headers that they used.
void DownStream::give_entries_back(const Completion* first, const Completion* last) {
    const Blocks rcb_blocks = m_rcb_blocks;
    const Regions rc_regions = m_rc_regions;
    const cycle_t storage_cycles = m_storage_cycles;
    Read* const reads = m_reads.data();
    const auto count = static_cast<std::size_t>(last - first);
    const Frame* const frames = m_frames.end() - count;
    const auto moved = [=](std::size_t i) {
        const Frame& frame = frames[i];
        return frame.first_word - storage_cycles + rc_regions.words(frame.place + frame.rc_regions - 1u);
    };
    const auto entries = [=](std::size_t i) {
        const Completion& completion = first[i];
        Read& read = reads[completion.tag];
        // A completion that ends inside a block leaves its entry to the next one.
        const std::uint32_t back =
            choose(completion.last, read.entries, rcb_blocks.ended(completion.address, completion.length));
        read.entries -= back;
        return back;
    };
    m_manager.entries_back(moved, entries, count);
}

/// Logs the last `count` frames on RC.
void DownStream::log_rc(std::size_t count) {
    const Frame* const end = m_frames.end();
    const Frame* const first = end - count;
    const cycle_t presented = first->first_word - m_storage_cycles;
    const cycle_t moved = m_word.moved;
    if (!m_sums || rc.is_cut || !m_pcie_looks.spare(presented, moved + 1) ||
        !fits_frame_field(count + static_cast<std::uint64_t>(moved - presented), m_rc_regions.count())) {
        for (const Frame* frame = first; frame != end; ++frame) {
            const cycle_t word = frame->first_word - m_storage_cycles;
            const Place place{word, word, frame->place, frame->place != 0};
            log_frame(rc, place, frame->rc_regions,
                      m_region_items.last(items_of(frame->length) + m_rc_header));
        }
        rc.is_cut = false;
        return;
    }
    FrameSum sum;
    sum.frames = static_cast<std::uint32_t>(count);
    for (const Frame* frame = first; frame != end; ++frame) {
        sum.fields += m_rc_fields(frame->place, frame->rc_regions);
        sum.opened += frame->place == 0;
        sum.last_items += m_region_items.last(items_of(frame->length) + m_rc_header);
    }
    rc.add_sum(sum, moved);
}

void DownStream::advance(cycle_t end, bool reads_are_lost, bool looked_at) {
    m_end = end;
    for (; !m_leaving.empty() && m_leaving.front().left < end; m_leaving.pop())
        header_left(m_leaving.front().left, m_leaving.front().frame, m_leaving.front().moved);
    m_flows = m_may_flow && !reads_are_lost && m_leaving.empty() && mfb_held_since == never;
    while (!m_frames.empty()) {
        if (m_flows) {
            if (!flow(end, looked_at)) return;
        } else {
            join_open_word();
        }
        if (m_one_runs && m_frames.front().left >= m_width.count()) {
            if (!output_full(end)) return;
            continue;
        }
        const cycle_t due = output_cycle();
        if (due >= end) return;
        cycle_t room = due;
        for (DownPort& port : ports)
            room = std::max(room, port.mfb_bus().when_room(due));
        if (room > due) {
            if (room >= end) {
                mfb_held_since = due;
                return;
            }
            mfb_held.push({due, room});
        }
        mfb_held_since = never;
        output(room);
    }
}

/// Lets full words of the frame at the head go where there is one port only and its words move one a cycle.
/// False when no further one leaves before `end`.
bool DownStream::output_full(cycle_t end) {
    DownPort& port = ports.front();
    DownBus& bus = port.mfb_bus();
    Frame& frame = m_frames.front();
    const std::uint32_t width = m_width.count();
    const auto words = static_cast<std::uint32_t>(m_output_words);
    // DOWN words that move one a cycle, not yet told to the port.
    cycle_t first = 0;
    std::uint32_t moving = 0;
    bool sof = frame.left == frame.regions;
    bool more = true;
    do {
        const cycle_t due = output_cycle();
        const cycle_t room = std::max(due, bus.when_room(due));
        if (room >= end) {
            mfb_held_since = due < end ? due : never;
            more = false;
            break;
        }
        if (room > due) mfb_held.push({due, room});
        const cycle_t moved = bus.write_run(room, words);
        if (moving != 0 && moved != first + moving) {
            port.add_flowing(first, 0, moving * m_down_regions.count(), moving, sof, false,
                             last_items(frame));
            moving = 0;
            sof = false;
        }
        if (moving == 0) first = moved;
        moving += words;
        m_next_output = room + words;
        frame.left -= width;
    } while (frame.left >= width);
    if (more) mfb_held_since = never;
    if (moving == 0) return more;
    const bool eof = frame.left == 0;
    port.add_flowing(first, 0, moving * m_down_regions.count(), moving, sof, eof, last_items(frame));
    if (eof) {
        frame.moved = port.words_moved();
        headers_leave(m_next_output - words, 1);
    }
    return more;
}

/// The header of a frame left in P cycle `left`; all of it is at the port in D cycle `moved`.
void DownStream::header_left(cycle_t left, const Frame& frame, cycle_t moved) {
    m_listener.before_header(left);
    Read& read = m_reads[frame.tag];
    const std::uint32_t words = frame.last ? read.words : frame.words;
    read.words -= words;
    m_manager.words_back_from(left, words);
    if (!frame.last) return;
    read.outstanding = false;
    m_manager.tag_back_from(left, frame.tag);
    const DoneRead done{frame.tag, moved};
    m_listener.reads_done(&done, &done + 1);
}

/// The same, also if that is behind what is advanced to.
void DownStream::header_leaves(cycle_t left, const Frame& frame, cycle_t moved) {
    m_delivered_bytes += frame.length;
    if (left < m_end) {
        header_left(left, frame, moved);
    } else {
        m_leaving.push({left, frame, moved});
    }
}

/// Regions that leave in `cycle`, which is not before output_cycle(): a full word, or all up to the last end
/// of a frame.
std::uint32_t DownStream::leaving(cycle_t cycle) const {
    const std::uint32_t width = m_width.count();
    if (m_frames.front().left >= width) return width;
    // Places of RC that are in the FIFO, counted from the first word of a frame.
    std::uint32_t available = 0;
    std::uint32_t ended = 0;
    for (std::size_t i = 0; i < m_frames.size(); ++i) {
        const Frame& frame = m_frames[i];
        if (all_in(frame) <= cycle) {
            available += frame.left;
            if (available >= width) return width;
            ended = available;
            continue;
        }
        const std::uint32_t done = frame.regions - frame.left;
        while (available < width && arrival(frame, done + available - ended) <= cycle)
            ++available;
        return available == width ? width : ended;
    }
    return ended;
}

/// Lets a word of `leaving` regions go where there is one DMA port only.
void DownStream::output_to_one(cycle_t cycle, std::uint32_t leaving) {
    DownPort& port = ports.front();
    const std::uint32_t words = m_down_regions.words(leaving + m_down_regions.count() - 1);
    port.open_words(cycle, words);
    m_next_output = cycle + words;
    std::uint32_t place = 0;
    std::uint32_t headers = 0;
    while (place != leaving) {
        Frame& frame = m_frames[headers];
        const std::uint32_t regions = std::min(leaving - place, frame.left);
        const bool sof = frame.left == frame.regions;
        frame.left -= regions;
        const bool eof = frame.left == 0;
        port.add_to_words(m_down_regions, place, regions, sof, eof, last_items(frame));
        frame.moved = port.words_moved();
        place += regions;
        headers += eof;
    }
    if (headers != 0) headers_leave(cycle, headers);
}

/// The frames at the front, `headers` of them, ended in the word that left in `cycle` towards the only port.
void DownStream::headers_leave(cycle_t cycle, std::uint32_t headers) {
    DownPort& port = ports.front();
    const cycle_t due = std::max(cycle + 1, m_last_headers + 1);
    const cycle_t left = port.mvb_bus().when_room(due);
    if (left > due) mvb_held.push({due, left});
    m_last_headers = left - 1;
    while (headers != 0) {
        const std::uint32_t items = std::min(headers, m_down_regions.count());
        const cycle_t moved = port.write_headers(++m_last_headers, items);
        headers -= items;
        for (std::uint32_t i = 0; i < items; ++i) {
            const Frame& frame = m_frames.front();
            header_leaves(left, frame, std::max(moved, frame.moved));
            m_frames.pop();
        }
    }
}

void DownStream::output(cycle_t cycle) {
    std::uint32_t leaving = this->leaving(cycle);
    if (ports.size() == 1) return output_to_one(cycle, leaving);
    std::uint32_t place = 0;
    std::uint32_t down_word = ~0u;
    cycle_t write = cycle - 1;
    std::uint32_t open_port = ~0u;
    while (leaving != 0) {
        Frame& frame = m_frames.front();
        const std::uint32_t word = m_down_regions.words(place);
        const std::uint32_t first = m_down_regions.place(place);
        const std::uint32_t regions = std::min({leaving, frame.left, m_down_regions.count() - first});
        const std::uint32_t port_number = m_reads[frame.tag].port;
        DownPort& port = ports[port_number];
        if (word != down_word) {
            down_word = word;
            ++write;
            open_port = ~0u;
            std::fill(m_port_items.begin(), m_port_items.end(), 0);
        }
        if (port_number != open_port && m_port_items[port_number] == 0) port.open_word(write);
        open_port = port_number;
        m_port_items[port_number] = 1;
        const bool sof = frame.left == frame.regions;
        frame.left -= regions;
        leaving -= regions;
        place += regions;
        const bool eof = frame.left == 0;
        port.add(first, regions, sof, eof, last_items(frame));
        if (eof) {
            m_ended.push_back({frame, port.word_moved()});
            m_frames.pop();
        }
    }
    m_next_output = write + 1;
    if (!m_ended.empty()) send_headers(cycle);
}

void DownStream::send_headers(cycle_t cycle) {
    const cycle_t due = std::max(cycle + 1, m_last_headers + 1);
    cycle_t left = due;
    for (DownPort& port : ports)
        left = std::max(left, port.mvb_bus().when_room(due));
    if (left > due) mvb_held.push({due, left});
    m_last_headers = left;
    std::fill(m_port_items.begin(), m_port_items.end(), 0);
    for (const Ended& ended : m_ended)
        ++m_port_items[m_reads[ended.frame.tag].port];
    for (std::size_t p = 0; p < ports.size(); ++p) {
        cycle_t write = left;
        cycle_t moved = 0;
        std::uint32_t in_word = 0;
        for (Ended& ended : m_ended) {
            if (m_reads[ended.frame.tag].port != p) continue;
            if (in_word == 0) {
                in_word = std::min(m_port_items[p], m_down_regions.count());
                m_port_items[p] -= in_word;
                m_last_headers = std::max(m_last_headers, write);
                moved = ports[p].write_headers(write++, in_word);
            }
            --in_word;
            ended.moved = std::max(ended.moved, moved);
        }
    }
    for (const Ended& ended : m_ended)
        header_leaves(left, ended.frame, ended.moved);
    m_ended.clear();
}

bool DownStream::holds(std::uint32_t tag) const {
    for (std::size_t i = 0; i < m_frames.size(); ++i) {
        if (m_frames[i].tag == tag) return true;
    }
    return std::any_of(m_leaving.begin(), m_leaving.end(),
                       [tag](const Leaving& leaving) { return leaving.frame.tag == tag; }) ||
           std::any_of(m_ended.begin(), m_ended.end(),
                       [tag](const Ended& ended) { return ended.frame.tag == tag; });
}

std::uint64_t DownStream::held_bytes() const {
    return std::accumulate(m_frames.begin(), m_frames.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Frame& frame) { return sum + frame.length; });
}

void DownStream::restart(cycle_t from, cycle_t first, cycle_t dma_from, cycle_t dma_first) {
    end_log(rc, m_rc_regions.count(), from);
    if (mfb_held_since < from) mfb_held.push({mfb_held_since, from});
    end_log(mfb_held, from);
    end_log(mvb_held, from);
    m_word = {first - 1, first - 1, 0};
    m_lost_bytes += held_bytes();
    m_frames.clear();
    m_leaving.clear();
    m_next_output = first;
    m_open_regions = m_open_headers = 0;
    m_last_headers = first - 1;
    mfb_held_since = never;
    for (DownPort& port : ports)
        port.restart(m_down_regions.count(), dma_from, dma_first);
}

}  // namespace tlmetry::endpoint
