// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/systemc/time.hpp>

#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

namespace tlmetry::test {

/// Keeps the rules of the base protocol and finds out whether the target does.
class Initiator : public sc_core::sc_module, public tlm::tlm_mm_interface {
public:
    tlm_utils::simple_initiator_socket<Initiator> socket;

    struct Transaction {
        tlm::tlm_generic_payload payload;
        std::vector<std::uint8_t> data;
        std::vector<std::uint8_t> enables;
        time_fs asked = 0;
        time_fs responded = -1;
        bool ended = false;
        bool freed = false;
        explicit Transaction(tlm::tlm_mm_interface* mm) : payload(mm) {}
    };

    Initiator(const sc_core::sc_module_name& name, std::function<void(Initiator&)> body)
        : sc_module(name), socket("socket"), m_body(std::move(body)) {
        socket.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
        SC_HAS_PROCESS(Initiator);
        SC_THREAD(run);
        SC_METHOD(end_response);
        sensitive << m_end_response;
        dont_initialize();
    }

    /// Asks for something at `at`, which must not be in the past; returns its number.
    std::size_t ask(bool read, std::uint64_t address, std::vector<std::uint8_t> data, time_fs at,
                    std::vector<std::uint8_t> enables = {}) {
        auto transaction = std::make_unique<Transaction>(this);
        Transaction& t = *transaction;
        t.data = std::move(data);
        t.enables = std::move(enables);
        t.asked = at;
        tlm::tlm_generic_payload& p = t.payload;
        p.set_command(read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
        p.set_address(address);
        p.set_data_ptr(t.data.data());
        p.set_data_length(static_cast<unsigned>(t.data.size()));
        p.set_streaming_width(static_cast<unsigned>(t.data.size()));
        if (!t.enables.empty()) {
            p.set_byte_enable_ptr(t.enables.data());
            p.set_byte_enable_length(static_cast<unsigned>(t.enables.size()));
        }
        p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        m_numbers[&p] = all.size();
        all.push_back(std::move(transaction));
        p.acquire();
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = to_sc_time(at - kernel_now());
        const tlm::tlm_sync_enum sync = socket->nb_transport_fw(p, phase, delay);
        if (sync == tlm::TLM_COMPLETED) {
            t.responded = kernel_now() + to_fs(delay);
            finish(t);
        } else {
            expect(sync == tlm::TLM_UPDATED && phase == tlm::END_REQ, "no END_REQ");
            expect(to_fs(delay) == at - kernel_now(), "END_REQ is late");
            expect(p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, "a status before the response");
            ++outstanding;
            most_outstanding = std::max(most_outstanding, outstanding);
        }
        return all.size() - 1;
    }
    void wait_until(time_fs t) {
        if (t > kernel_now()) wait(to_sc_time(t - kernel_now()));
    }
    void wait_for_one() { wait(m_response); }
    void wait_for_all() {
        while (outstanding != 0)
            wait(m_response);
    }

    time_fs response_time = 0;  ///< between BEGIN_RESP and END_RESP
    bool end_by_phase = false;  ///< END_RESP comes by a call instead of a returned value
    std::vector<std::unique_ptr<Transaction>> all;
    std::vector<std::size_t> order;  ///< of the responses
    std::size_t outstanding = 0;
    std::size_t most_outstanding = 0;
    std::vector<std::string> mistakes;

private:
    void run() { m_body(*this); }

    void expect(bool good, const char* text) {
        if (!good) mistakes.push_back(text);
    }
    void finish(Transaction& t) {
        expect(!t.ended, "a transaction has two ends");
        t.ended = true;
        t.payload.release();
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        expect(phase == tlm::BEGIN_RESP, "a phase that is not BEGIN_RESP");
        const time_fs now = kernel_now() + to_fs(delay);
        expect(m_open == nullptr && now >= m_closed, "BEGIN_RESP before the END_RESP of another");
        const auto known = m_numbers.find(&payload);
        if (known == m_numbers.end()) {
            expect(false, "a response to nothing");
            return tlm::TLM_COMPLETED;
        }
        const std::size_t number = known->second;
        Transaction& t = *all[number];
        expect(t.responded < 0, "two responses");
        expect(payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "a response without status");
        t.responded = now;
        order.push_back(number);
        --outstanding;
        m_response.notify(sc_core::SC_ZERO_TIME);
        if (end_by_phase) {
            m_open = &t;
            m_end_response.notify(to_sc_time(response_time));
            return tlm::TLM_ACCEPTED;
        }
        m_closed = now + response_time;
        finish(t);
        phase = tlm::END_RESP;
        delay += to_sc_time(response_time);
        return tlm::TLM_UPDATED;
    }
    void end_response() {
        Transaction& t = *m_open;
        m_open = nullptr;
        m_closed = kernel_now();
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        expect(socket->nb_transport_fw(t.payload, phase, delay) == tlm::TLM_COMPLETED, "END_RESP is refused");
        finish(t);
    }
    void free(tlm::tlm_generic_payload* payload) override {
        all[m_numbers.at(payload)]->freed = true;
        payload->reset();
    }

    std::function<void(Initiator&)> m_body;
    sc_core::sc_event m_response;
    sc_core::sc_event m_end_response;
    std::unordered_map<const tlm::tlm_generic_payload*, std::size_t> m_numbers;
    Transaction* m_open = nullptr;
    time_fs m_closed = 0;
};

}  // namespace tlmetry::test
