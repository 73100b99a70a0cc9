// SPDX-License-Identifier: BSD-3-Clause
// The root port where it is more than a wire: buffers, arbitration, and the traffic of the processor.
#include "tlmetry/endpoint/endpoint.hpp"

#include <algorithm>

namespace tlmetry::endpoint {

/// What has been told to happen at time `t` or later does not.
void Endpoint::take_back(std::vector<LinkTlp>* tlps, time_fs t) {
    while (tlps != nullptr && !tlps->empty() && tlps->back().at >= t)
        tlps->pop_back();
}

void Endpoint::tune(time_fs t, const Tuning& tuning) {
    m_tuning = tuning;
    m_tx.tune(t, tuning);
    m_rx.tune(t, tuning);
    // Once in use they remain so: what waits there must come out in order.
    m_tx_on = m_tx_on || tuning[TuneEvent::tx_alloc_buf_level] != 0;
    if (tuning[TuneEvent::rx_alloc_buf_level] != 0) hold_requests();
}

void Endpoint::hold_requests() {
    m_requests = &m_rx.released;
    m_acks_at_host = false;
}

/// What the host and the processor send before time `end`: everything that comes to the root port, leaves its
/// buffers and starts on the link, in the order of time.
void Endpoint::complete_through_tx(time_fs end) {
    // The Acks of these are sent a lag later, so they are known early enough; all requests before are.
    acknowledge_answers(end - m_dllp_lag);
    for (;;) {
        const time_fs now = m_tx.now();
        const time_fs completions = m_ready.empty() ? never : m_ready.front().at;
        const time_fs read = m_cpu.next_read(m_tx.waiting(RootPortTx::nonposted), now);
        const time_fs write = m_cpu.next_write(m_tx.waiting(RootPortTx::posted), now);
        const time_fs input = std::min({completions, read, write});
        const time_fs release = m_tx.next_release();
        const time_fs start = m_tx.next_send(m_link_down.free());
        if (std::min({input, release, start}) >= end) break;
        if (input > std::min(release, start)) {
            if (release <= start) {
                m_host_dllps.send(release - m_dllp_lag, m_dllp_lag, m_link_down);
                m_tx.release(m_link_down.free());
            } else {
                send_from_tx(start);
            }
        } else if (completions == input) {
            add_completions(m_ready.pop());
        } else {
            add_request_of_cpu(input, read == input);
        }
    }
    m_host_dllps.send(end - 1 - m_dllp_lag, m_dllp_lag, m_link_down);
}

/// The host has the next data of a read.
void Endpoint::add_completions(ReadyQueue::Item ready) {
    Read& read = m_reads[ready.tag];
    do {
        const Part part = cut(read);
        m_tx.add(RootPortTx::completion, {ready.at, 0, part.address, part.length, part.bytes, part.left,
                                          static_cast<std::uint16_t>(ready.tag)});
    } while (read.length != 0 && m_config.host.part_gap_fs == 0);
    if (read.length == 0) return;
    ready.at += m_config.host.part_gap_fs;
    m_ready.push(ready);
}

void Endpoint::add_request_of_cpu(time_fs at, bool read) {
    const Link& link = m_config.link;
    RootPortTx::Tlp tlp;
    tlp.at = at;
    if (read) {
        tlp.address = m_cpu.read(at, tlp.tag);
        tlp.length = m_config.cpu.read_bytes;
        tlp.bytes = link.read_overhead;
        m_tx.add(RootPortTx::nonposted, tlp);
    } else {
        tlp.address = m_cpu.write(at);
        tlp.length = m_config.cpu.write_bytes;
        tlp.bytes = link.write_overhead + link.payload(tlp.address, tlp.length);
        m_tx.add(RootPortTx::posted, tlp);
    }
}

/// Sends what is due on the link down at time `start`: a DLLP, or the next TLP.
void Endpoint::send_from_tx(time_fs start) {
    m_host_dllps.send(start - m_dllp_lag, m_dllp_lag, m_link_down);
    if (m_link_down.free() > start) return;
    RootPortTx::Kind kind;
    const RootPortTx::Tlp tlp = m_tx.take(start, kind);
    const time_fs through = m_link_down.send(tlp.released, tlp.bytes);
    if (kind == RootPortTx::completion) {
        complete(tlp.tag, {tlp.address, tlp.length, tlp.bytes, tlp.left}, through);
    } else {
        send_request_of_cpu(tlp, kind == RootPortTx::nonposted, through);
    }
}

void Endpoint::send_request_of_cpu(const RootPortTx::Tlp& tlp, bool read, time_fs through) {
    const Link& link = m_config.link;
    if (m_sent != nullptr) {
        LinkTlp& sent = m_sent->emplace_back();
        sent.at = through;
        sent.address = tlp.address;
        sent.length = tlp.length;
        sent.tag = tlp.tag;
        sent.endpoint = m_number;
        sent.kind = read ? LinkTlp::Kind::read : LinkTlp::Kind::write;
        sent.native = true;
    }
    const time_fs arrival = through + link.propagation_fs;
    m_acks.answer(arrival);
    if (!read) return;
    m_steps.answers.push({arrival + m_config.cpu.read_latency_fs, tlp.address, tlp.length,
                          link.completion_overhead + link.payload(tlp.address, tlp.length), tlp.tag});
}

/// Sends the completions of the device that are due in this turn.
void Endpoint::send_answers() {
    m_steps.finish_turn();
    for (; !m_steps.answered.empty(); m_steps.answered.pop()) {
        const RqSteps::Answer& answer = m_steps.answered.front();
        const time_fs arrival = answer.at + m_config.link.propagation_fs;
        m_native_bytes_up += answer.bytes;
        // The processor knows of it a lag later, so that what it asks for in a turn is known at its begin.
        m_cpu.answered(answer.tag, arrival, arrival + m_dllp_lag);
        if (m_answers == nullptr) continue;
        LinkTlp& tlp = m_answers->emplace_back();
        tlp.at = arrival;
        tlp.address = answer.address;
        tlp.length = answer.length;
        tlp.byte_count = answer.length;
        tlp.tag = answer.tag;
        tlp.endpoint = m_number;
        tlp.kind = LinkTlp::Kind::completion;
        tlp.inbound = true;
        tlp.native = true;
    }
}

/// Completions for the processor have arrived at the root port.
void Endpoint::acknowledge_answers(time_fs before) {
    m_cpu.pass_answers(before, [this](time_fs at) { m_host_dllps.answer(HostDllps::ack, at); });
}

void Endpoint::receive(time_fs before) {
    for (const Arrival& arrival : arrivals) {
        if (arrival.at >= before) break;
        acknowledge_answers(arrival.at);
        m_host_dllps.answer(HostDllps::ack, arrival.at);
        if (m_received != nullptr) m_received->push_back(LinkTlp::of(arrival, m_number));
    }
    m_rx.advance(arrivals, before, [this](const Arrival& arrival) { return tlp_bytes(arrival); });
    // A read that gets no answer does not end before this is known.
    for (const Arrival& arrival : m_rx.released) {
        if (!arrival.read) continue;
        time_fs& sent = m_reads[arrival.tag].sent;
        sent = std::max(sent, arrival.at + m_horizon - m_config.ptc.completion_timeout_fs);
    }
}

/// What waits in the transmitter of the root port at time `t` is lost, and so are reads of the processor that
/// have no completion yet; it asks for nothing until `until`.
void Endpoint::interrupt_root_port(time_fs t, time_fs until, time_fs timeout) {
    // It may have waited for longer than its time-out.
    const cycle_t now = m_pcie.first_at_or_after(t);
    m_tx.clear([&](RootPortTx::Kind kind, const RootPortTx::Tlp& tlp) {
        const bool last_of_read = kind == RootPortTx::completion && tlp.left == 0;
        if (last_of_read && m_reads[tlp.tag].outstanding) lose(tlp.tag, std::max(m_cut_short[tlp.tag], now));
    });
    m_cpu.interrupt(t, until, timeout);
    take_back(m_answers, t);
}

/// Reads that wait in the root port when the link goes down get no answer.
void Endpoint::lose_held_reads(cycle_t now) {
    std::vector<Arrival> writes;
    m_rx.clear([&](const Arrival& arrival) {
        if (arrival.read) {
            lose(arrival.tag, now);
        } else {
            writes.push_back(arrival);
        }
    });
    for (const Arrival& write : writes)
        m_rx.put_back(write, tlp_bytes(write));
}

}  // namespace tlmetry::endpoint
