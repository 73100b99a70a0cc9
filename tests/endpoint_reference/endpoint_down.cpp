// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint_reference/endpoint.hpp"

#include <algorithm>
#include <tuple>

namespace tlmetry::reference {

void Endpoint::answer(int request, std::int64_t arrival_fs) {
    const Request& read = m_requests[static_cast<std::size_t>(request)];
    if (m_latency[static_cast<std::size_t>(request)] < 0) {
        lose(request);
        return;
    }
    std::int64_t ready = arrival_fs + m_latency[static_cast<std::size_t>(request)];
    if (m_c.ordered) ready = std::max(ready, m_last_ready_fs);
    m_last_ready_fs = ready;
    std::uint64_t address = read.address;
    int left = read.length;
    for (int part = 0; left > 0; ++part) {
        const auto offset = static_cast<int>(address % static_cast<std::uint64_t>(m_c.completion_max));
        const int length = std::min(left, m_c.completion_max - offset);
        left -= length;
        m_at_host.push_back({request, m_order[static_cast<std::size_t>(request)], part, address, length,
                             left == 0, ready + part * m_c.part_gap_fs, 0});
        address += static_cast<std::uint64_t>(length);
    }
}

/// Nothing of the read comes any more.
void Endpoint::lose(int request) {
    const std::int64_t expiry = m_end_fs[static_cast<std::size_t>(request)] + m_c.completion_timeout_fs;
    m_lost.push_back({request, p_after(expiry - 1)});
}

bool Endpoint::lost(int request) const {
    return std::any_of(m_lost.begin(), m_lost.end(),
                       [request](const Lost& other) { return other.request == request; });
}

/// What lost reads hold comes back as if the header of their last completion left now.
void Endpoint::end_lost_reads(std::int64_t cycle) {
    int tags = 0;
    for (std::size_t i = 0; i < m_lost.size();) {
        // Not before all that comes of it has come.
        const bool more = std::any_of(m_at_host.begin(), m_at_host.end(), [&](const Completion& completion) {
            return completion.request == m_lost[i].request;
        });
        if (m_lost[i].cycle > cycle || m_parts[static_cast<std::size_t>(m_lost[i].request)] != 0 || more) {
            ++i;
            continue;
        }
        const auto request = static_cast<std::size_t>(m_lost[i].request);
        m_word_returns.push_back({m_words_owed[request], cycle + space_cycles()});
        m_entry_returns.push_back({m_entries_owed[request], cycle + 4});
        ++tags;
        m_lost.erase(m_lost.begin() + static_cast<std::ptrdiff_t>(i));
    }
    timeouts += tags;
    tags_back(tags, cycle);
}

/// Tags whose headers leave now.
void Endpoint::tags_back(int tags, std::int64_t cycle) {
    if (tags == 0) return;
    m_pool_returns.push_back({tags, cycle + 2});
    if (!m_tag_fifo.empty() && m_tag_fifo.back().at_output == cycle + 4) {
        m_tag_fifo.back().tags += tags;
    } else {
        m_tag_fifo.push_back({tags, cycle + 4});
    }
}

void Endpoint::send_completions(std::int64_t before_fs) {
    std::stable_sort(m_at_host.begin(), m_at_host.end(), [](const Completion& a, const Completion& b) {
        return std::tie(a.ready_fs, a.order, a.part) < std::tie(b.ready_fs, b.order, b.part);
    });
    while (!m_at_host.empty() && m_at_host.front().ready_fs < before_fs) {
        Completion completion = m_at_host.front();
        m_at_host.erase(m_at_host.begin());
        send_host_dllps(completion.ready_fs);
        const std::int64_t start = std::max(completion.ready_fs, m_down_free_fs);
        const std::int64_t duration =
            (m_c.completion_overhead_bytes + on_link(completion.address, completion.length)) *
            m_c.down_fs_per_byte;
        m_down_free_fs = start + duration;
        while (m_c.down_damaged.count(m_down_transmissions++) != 0)
            m_down_free_fs += m_c.nak_latency_fs + duration;
        completion.arrival_fs = m_down_free_fs + m_c.propagation_fs;
        m_on_link_down.push_back(completion);
        answer_by_dllp(m_acks, completion.arrival_fs);
        ++m_parts[static_cast<std::size_t>(completion.request)];
    }
    send_host_dllps(before_fs - 1);
}

/// What has arrived before this edge.
void Endpoint::receive_completions(std::int64_t cycle) {
    while (!m_on_link_down.empty() && m_on_link_down.front().arrival_fs < p_time(cycle)) {
        const Completion completion = m_on_link_down.front();
        m_on_link_down.pop_front();
        const auto moved = [&](std::int64_t number) {
            const Completion& other = m_completions[static_cast<std::size_t>(number)];
            return other.moved >= 0 && p_time(other.moved) <= completion.arrival_fs;
        };
        m_in_core.erase(std::remove_if(m_in_core.begin(), m_in_core.end(), moved), m_in_core.end());
        const bool full =
            m_c.completion_buffer != 0 && static_cast<int>(m_in_core.size()) >= m_c.completion_buffer;
        const bool useless = m_cut_short.count(completion.request) != 0;
        if (full || useless) {
            ++completions_lost;
            --m_parts[static_cast<std::size_t>(completion.request)];
            if (!useless && !lost(completion.request)) lose(completion.request);
            m_cut_short.insert(completion.request);
            continue;
        }
        const auto number = static_cast<std::int64_t>(m_completions.size());
        m_in_core.push_back(number);
        m_rc.add(static_cast<int>(number), m_c.rc_header_items + payload_items(completion.length),
                 p_after(completion.arrival_fs) + m_c.rx_cycles);
        m_completions.push_back(completion);
    }
}

void Endpoint::completion_bus(std::int64_t cycle) {
    m_rc.present(cycle);
    const Word* word = m_rc.word();
    rc.push_back(pins(word, true));
    if (word == nullptr) return;
    for (const Region& region : *word) {
        if (region.frame < 0) continue;
        Completion& completion = m_completions[static_cast<std::size_t>(region.frame)];
        if (region.eof) completion.moved = cycle;
        const int payload = payload_items(completion.length);
        const int size = m_c.down_region_items;
        const int regions = (payload + size - 1) / size;
        const int last_rc = (m_c.rc_header_items + payload + size - 1) / size - 1;
        for (int i = 0; i < regions; ++i) {
            const int source = m_c.rc_header_items > 0 ? std::min(i + 1, last_rc) : i;
            if (source != region.index) continue;
            Region stored;
            stored.frame = region.frame;
            stored.index = i;
            stored.items = std::min(size, payload - i * size);
            stored.sof = i == 0;
            stored.eof = i == regions - 1;
            m_storage.push_back({stored, cycle + m_c.storage_cycles});
        }
        if (region.eof) {
            const auto request = static_cast<std::size_t>(completion.request);
            const auto rcb = static_cast<std::uint64_t>(m_c.rcb);
            int amount = static_cast<int>(
                (completion.address % rcb + static_cast<std::uint64_t>(completion.length)) / rcb);
            if (completion.last) {
                amount = m_entries_owed[request];
                events[request].rc_moved = cycle;
            }
            m_entries_owed[request] -= amount;
            m_entry_returns.push_back({amount, cycle + 4});
        }
    }
    m_rc.move();
}

void Endpoint::headers_out(std::int64_t cycle) {
    if (m_headers.empty() || cycle < m_headers.front().output + 1 || cycle < m_headers_free) return;
    for (Port& port : m_ports) {
        if (port.down_mvb_crossing.words(cycle) >= m_c.down_fifo_words - m_c.down_almost_full) {
            brakes.back() |= 32u;
            return;
        }
    }
    int tags = 0;
    std::vector<int> items(m_ports.size());
    for (const int number : m_headers.front().completions) {
        const Completion& completion = m_completions[static_cast<std::size_t>(number)];
        const auto request = static_cast<std::size_t>(completion.request);
        const auto word = static_cast<std::uint64_t>(m_c.word_bytes);
        int words = static_cast<int>(
            (completion.address % word + static_cast<std::uint64_t>(completion.length)) / word);
        if (completion.last) {
            words = m_words_owed[request];
            events[request].header_out = cycle;
            ++tags;
        }
        --m_parts[request];
        m_words_owed[request] -= words;
        m_word_returns.push_back({words, cycle + space_cycles()});
        ++items[static_cast<std::size_t>(m_requests[request].port)];
    }
    m_headers.pop_front();
    tags_back(tags, cycle);
    for (std::size_t p = 0; p < m_ports.size(); ++p) {
        // As many headers to a word as the port has regions.
        for (std::int64_t write = cycle; items[p] > 0; ++write) {
            const int here = std::min(items[p], m_c.down_regions);
            items[p] -= here;
            m_ports[p].down_mvb.push_back({here, to_d(write)});
            ++m_ports[p].down_mvb_crossing.written;
            m_headers_free = std::max(m_headers_free, write + 1);
            headers_cut = headers_cut || items[p] > 0;
        }
    }
}

void Endpoint::storage_output(std::int64_t cycle) {
    if (cycle < m_output_free) return;
    const int wanted = std::max(m_c.rc_regions, m_c.down_regions);
    int present = 0;
    int ended = 0;  // regions up to the last end of a frame
    for (const Stored& stored : m_storage) {
        if (stored.from > cycle || present == wanted) break;
        ++present;
        if (stored.region.eof) ended = present;
    }
    const int leaving = present >= wanted ? wanted : ended;
    if (leaving == 0) return;
    for (Port& port : m_ports) {
        if (port.down_mfb_crossing.words(cycle) >= m_c.down_fifo_words - m_c.down_almost_full) {
            brakes.back() |= 16u;
            return;
        }
    }
    Headers headers{{}, cycle};
    const int words = (leaving + m_c.down_regions - 1) / m_c.down_regions;
    for (int w = 0; w < words; ++w) {
        std::vector<Word> word(m_ports.size(), Word(static_cast<std::size_t>(m_c.down_regions)));
        std::vector<bool> data(m_ports.size());
        for (int r = 0; r < m_c.down_regions && w * m_c.down_regions + r < leaving; ++r) {
            const Region region = m_storage.front().region;
            m_storage.pop_front();
            const auto completion = static_cast<std::size_t>(region.frame);
            const auto port = static_cast<std::size_t>(
                m_requests[static_cast<std::size_t>(m_completions[completion].request)].port);
            word[port][static_cast<std::size_t>(r)] = region;
            data[port] = true;
            if (region.eof) headers.completions.push_back(region.frame);
        }
        for (std::size_t p = 0; p < m_ports.size(); ++p) {
            if (!data[p]) continue;
            m_ports[p].down_mfb.push_back({word[p], to_d(cycle + w)});
            ++m_ports[p].down_mfb_crossing.written;
        }
    }
    m_output_free = cycle + words;
    if (!headers.completions.empty()) m_headers.push_back(headers);
}

}  // namespace tlmetry::reference
