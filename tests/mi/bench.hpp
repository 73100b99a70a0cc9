// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/mi/device.hpp>
#include <tlmetry/mi/target.hpp>
#include <tlmetry/systemc/time.hpp>

#include <catch2/catch.hpp>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace tlmetry::mi::test {

constexpr time_fs ns = fs_per_ns;

/// One access as a device saw it.
struct Seen {
    char kind;  // r, w, p (peek)
    cycle_t edge;
    std::uint32_t address;
    std::uint32_t data;
    std::uint32_t enables;

    bool operator==(const Seen& o) const {
        return kind == o.kind && edge == o.edge && address == o.address && data == o.data &&
               enables == o.enables;
    }
};

inline std::ostream& operator<<(std::ostream& os, const Seen& s) {
    return os << '{' << s.kind << " edge " << s.edge << " address " << std::hex << s.address << " data "
              << s.data << " enables " << s.enables << std::dec << '}';
}

/// Memory that writes down what happens to it. A word never written reads as its address in the upper and its
/// complement in the lower half, so that every byte is its own.
class LoggingDevice : public MiDevice {
public:
    static std::uint32_t initial(std::uint32_t address) { return address << 16 | (~address & 0xFFFF); }

    std::uint32_t read(cycle_t edge, std::uint32_t address) override {
        const std::uint32_t data = word(address);
        log.push_back({'r', edge, address, data, 0xF});
        return data;
    }

    void write(cycle_t edge, std::uint32_t address, std::uint32_t data, std::uint8_t enables) override {
        log.push_back({'w', edge, address, data, enables});
        std::uint32_t value = word(address);
        for (unsigned lane = 0; lane < 4; ++lane) {
            const std::uint32_t mask = 0xFFU << (8 * lane);
            if ((enables >> lane & 1U) != 0) value = (value & ~mask) | (data & mask);
        }
        m_words[address] = value;
    }

    std::uint32_t peek(time_fs now, std::uint32_t address) override {
        last_peek = now;
        return word(address);
    }

    std::vector<Seen> log;
    time_fs last_peek = -1;

private:
    std::uint32_t word(std::uint32_t address) const {
        const auto found = m_words.find(address);
        return found == m_words.end() ? initial(address) : found->second;
    }

    std::map<std::uint32_t, std::uint32_t> m_words;
};

/// A thread with an initiator socket and nothing else: sends whatever a test wants.
class RawInitiator : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<RawInitiator> socket{"socket"};

    RawInitiator(const sc_core::sc_module_name& name, std::function<void(RawInitiator&)> body)
        : sc_module(name), m_body(std::move(body)) {
        SC_HAS_PROCESS(RawInitiator);
        SC_THREAD(run);
    }

    /// Sends a transfer at the kernel's time plus `delay`, which becomes the returned one.
    tlm::tlm_response_status send(tlm::tlm_command command, std::uint64_t address,
                                  std::vector<std::uint8_t>& data, time_fs& delay,
                                  std::vector<std::uint8_t> enables = {}, std::int64_t streaming_width = -1) {
        tlm::tlm_generic_payload trans;
        trans.set_command(command);
        trans.set_address(address);
        trans.set_data_ptr(data.data());
        trans.set_data_length(static_cast<unsigned>(data.size()));
        trans.set_streaming_width(streaming_width < 0 ? static_cast<unsigned>(data.size())
                                                      : static_cast<unsigned>(streaming_width));
        if (!enables.empty()) {
            trans.set_byte_enable_ptr(enables.data());
            trans.set_byte_enable_length(static_cast<unsigned>(enables.size()));
        }
        trans.set_dmi_allowed(true);
        sc_core::sc_time t = to_sc_time(delay);
        const time_fs before = kernel_now();
        socket->b_transport(trans, t);
        CHECK(kernel_now() == before);
        CHECK_FALSE(trans.is_dmi_allowed());
        CHECK(trans.get_address() == address);
        delay = to_fs(t);
        return trans.get_response_status();
    }

private:
    void run() { m_body(*this); }

    std::function<void(RawInitiator&)> m_body;
};

/// A raw initiator on a target with a logging device; MI edge n at first + n * period.
struct TargetBench {
    explicit TargetBench(std::function<void(RawInitiator&)> body, time_fs period = 10 * ns, time_fs first = 0,
                         MiTarget::Config config = {})
        : clock(period, first),
          target("target", config, clock, device),
          initiator("initiator", std::move(body)) {
        initiator.socket.bind(target.socket);
    }

    ClockDomain clock;
    LoggingDevice device;
    MiTarget target;
    RawInitiator initiator;
};

}  // namespace tlmetry::mi::test
