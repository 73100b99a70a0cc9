// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/mi/initiator.hpp>

#include <functional>
#include <systemc>

namespace tlmetry::mi::test {

/// A thread of software on an MI initiator.
class Software : public sc_core::sc_module {
public:
    MiInitiator mi;

    Software(const sc_core::sc_module_name& name, std::function<void(MiInitiator&)> body,
             time_fs quantum_fs = fs_per_us)
        : sc_module(name), mi("mi", {quantum_fs}), m_body(std::move(body)) {
        SC_HAS_PROCESS(Software);
        SC_THREAD(run);
    }

    bool finished = false;

private:
    void run() {
        m_body(mi);
        finished = true;
    }

    std::function<void(MiInitiator&)> m_body;
};

}  // namespace tlmetry::mi::test
