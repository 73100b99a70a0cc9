// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <systemc>

namespace tlmetry {

/// Makes 1 fs the resolution of SystemC time. Call it first in sc_main: SystemC refuses once a time was made.
/// With it time_fs and sc_time are the same integer, and 64 bits reach five hours.
inline void use_fs_resolution() {
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
}

/// Reports an error in the name of `who` unless the resolution of SystemC time is 1 fs. Every module that
/// converts times calls it once, when it is constructed.
inline void check_fs_resolution(const char* who) {
    // The resolution is a power of ten not below 1 fs, so anything under 2 fs is 1 fs.
    if (sc_core::sc_get_time_resolution().to_seconds() < 2e-15) return;
    SC_REPORT_ERROR(
        who,
        "the resolution of SystemC time must be 1 fs: call tlmetry::use_fs_resolution() first in sc_main");
}

/// `t` as a SystemC time, exactly. `t` must not be negative; the resolution must be 1 fs.
inline sc_core::sc_time to_sc_time(time_fs t) {
    return sc_core::sc_time::from_value(static_cast<sc_core::sc_time::value_type>(t));
}

/// `t` in femtoseconds, exactly. The resolution must be 1 fs.
inline time_fs to_fs(const sc_core::sc_time& t) {
    return static_cast<time_fs>(t.value());
}

/// Time of the SystemC kernel in femtoseconds.
inline time_fs kernel_now() {
    return to_fs(sc_core::sc_time_stamp());
}

}  // namespace tlmetry
