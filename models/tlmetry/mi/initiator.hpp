// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <stdexcept>
#include <systemc>
#include <tlm>

namespace tlmetry::mi {

/// An access that the bus or the device refused. Software may catch it and go on: nothing else has happened.
class BusError : public std::runtime_error {
public:
    explicit BusError(const tlm::tlm_generic_payload& trans);

    tlm::tlm_response_status status() const { return m_status; }
    std::uint64_t address() const { return m_address; }  ///< first byte of the refused transfer

private:
    tlm::tlm_response_status m_status;
    std::uint64_t m_address;
};

/// The processor's side of the MI bus: lets one SC_THREAD of software read, write and sleep. Data in address
/// order.
///
/// The software has a time of its own that runs ahead of the kernel's by at most about one quantum; accesses
/// carry it to the device, so results do not depend on the quantum. A transfer returns when its answer is
/// there. All functions but now(), debug_read() and const ones may wait.
class MiInitiator : public sc_core::sc_module {
public:
    struct Config {
        /// How far the software may run ahead of the kernel before it waits; 0 waits after every access.
        /// Longer is faster. Devices see accesses of several initiators out of order by up to the longest
        /// quantum.
        time_fs quantum_fs = fs_per_us;

        /// Throws UserError unless the quantum is 0 or positive.
        void validate() const;
    };

    tlm_utils::simple_initiator_socket<MiInitiator> socket;

    MiInitiator(const sc_core::sc_module_name& name, const Config& config);

    /// Reads or writes a register. Throws BusError.
    std::uint32_t read32(std::uint64_t address);
    void write32(std::uint64_t address, std::uint32_t value);

    /// Reads `bytes` bytes, any number at any address, as one transfer. Throws BusError.
    void read_block(std::uint64_t address, void* data, std::uint32_t bytes);

    /// Writes them. Byte i is written if `byte_enables` is null or byte_enables[i] is 0xFF; 0 leaves it
    /// alone. Throws BusError.
    void write_block(std::uint64_t address, const void* data, std::uint32_t bytes,
                     const std::uint8_t* byte_enables = nullptr);

    /// Reads through the debug interface: no time passes and nothing changes. Returns the number of bytes
    /// read.
    std::uint32_t debug_read(std::uint64_t address, void* data, std::uint32_t bytes);

    /// Time of the software.
    time_fs now() const;

    /// Lets `duration` (0 or more) of simulated time pass for the software.
    void sleep(time_fs duration);

    /// Waits until the kernel's time is the software's.
    void sync();

private:
    void transfer(tlm::tlm_command command, std::uint64_t address, void* data, std::uint32_t bytes,
                  const std::uint8_t* byte_enables = nullptr);
    void set_payload(tlm::tlm_command command, std::uint64_t address, void* data, std::uint32_t bytes);
    void run_ahead(const sc_core::sc_time& ahead);

    const sc_core::sc_time m_quantum;
    sc_core::sc_time m_ahead;  // of the software, over the kernel's time
    tlm::tlm_generic_payload m_trans;
};

}  // namespace tlmetry::mi
