// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/mi/initiator.hpp>
#include <tlmetry/systemc/time.hpp>

#include <systemc>

int sc_main(int, char**) {
    tlmetry::use_fs_resolution();
    const tlmetry::mi::MiInitiator initiator("initiator", {});
    return initiator.name() == std::string("initiator") ? 0 : 1;
}
