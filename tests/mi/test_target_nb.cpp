// SPDX-License-Identifier: BSD-3-Clause
// The non-blocking interface, through the adapter of the target's socket.
#include "bench.hpp"

using namespace tlmetry;
using namespace tlmetry::mi;
using namespace tlmetry::mi::test;

namespace {

// Sends transfers with nb_transport_fw and writes down when BEGIN_RESP comes.
class NbInitiator : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<NbInitiator> socket{"socket"};

    struct Request {
        tlm::tlm_command command;
        std::uint64_t address;
        time_fs wait_fs;       // before it is sent
        time_fs annotated_fs;  // on top
    };
    struct Response {
        time_fs at;
        tlm::tlm_response_status status;
        std::uint32_t data;
    };

    NbInitiator(const sc_core::sc_module_name& name, std::vector<Request> requests, bool end_response)
        : sc_module(name), m_requests(std::move(requests)), m_end_response(end_response) {
        socket.register_nb_transport_bw(this, &NbInitiator::nb_transport_bw);
        SC_HAS_PROCESS(NbInitiator);
        SC_THREAD(run);
    }

    std::vector<Response> responses;

private:
    void run() {
        for (const Request& r : m_requests) {
            sc_core::wait(to_sc_time(r.wait_fs));
            tlm::tlm_generic_payload trans;
            std::uint32_t data = 0xA5A5A5A5;
            trans.set_command(r.command);
            trans.set_address(r.address);
            trans.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
            trans.set_data_length(4);
            trans.set_streaming_width(4);
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time t = to_sc_time(r.annotated_fs);
            CHECK(socket->nb_transport_fw(trans, phase, t) == tlm::TLM_ACCEPTED);
            sc_core::wait(m_response);
            responses.push_back({kernel_now(), trans.get_response_status(), data});
            if (m_end_response) {
                phase = tlm::END_RESP;
                t = sc_core::SC_ZERO_TIME;
                CHECK(socket->nb_transport_fw(trans, phase, t) == tlm::TLM_COMPLETED);
            }
        }
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                       sc_core::sc_time& t) {
        CHECK(phase == tlm::BEGIN_RESP);
        m_response.notify(t);
        return m_end_response ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
    }

    std::vector<Request> m_requests;
    bool m_end_response;
    sc_core::sc_event m_response;
};

void check_adapter(bool end_response) {
    const ClockDomain clock(10 * ns, 0);
    LoggingDevice device;
    MiTarget target("target", {}, clock, device);
    NbInitiator initiator("initiator",
                          {{tlm::TLM_READ_COMMAND, 0x10, 0, 20 * ns},
                           {tlm::TLM_WRITE_COMMAND, 0x14, 0, 0},
                           {tlm::TLM_READ_COMMAND, 0x14, 3 * ns, 1 * ns},
                           {tlm::TLM_READ_COMMAND, 0x10000, 5 * ns, 1 * ns}},
                          end_response);
    initiator.socket.bind(target.socket);
    sc_core::sc_start();
    const std::vector<Seen> expected{{'r', 2, 0x10, LoggingDevice::initial(0x10), 0xF},
                                     {'w', 4, 0x14, 0xA5A5A5A5, 0xF},
                                     {'r', 6, 0x14, 0xA5A5A5A5, 0xF}};
    CHECK(device.log == expected);
    const auto& r = initiator.responses;
    REQUIRE(r.size() == 4);
    CHECK(r[0].at == 40 * ns);
    CHECK(r[0].status == tlm::TLM_OK_RESPONSE);
    CHECK(r[0].data == LoggingDevice::initial(0x10));
    CHECK(r[1].at == 50 * ns);
    CHECK(r[1].status == tlm::TLM_OK_RESPONSE);
    CHECK(r[2].at == 80 * ns);
    CHECK(r[2].data == 0xA5A5A5A5);
    CHECK(r[3].at == 86 * ns);  // refused at once
    CHECK(r[3].status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(target.late_accesses() == 0);
}

}  // namespace

TEST_CASE("non-blocking transport with a response in four phases") {
    check_adapter(true);
}

TEST_CASE("non-blocking transport completed by the initiator") {
    check_adapter(false);
}
