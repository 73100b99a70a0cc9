// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/fault_parameters.hpp"

#include "tlmetry/app/parameter_kinds.hpp"

namespace tlmetry::app {

void bind_faults(config::Registry& registry, device::Faults& faults) {
    registry.section("faults", "Faults of the MI bus, for the error paths of a driver.")
        .add("delay", faults.delay_fs, config::time(0, fs_per_s),
             "Time by which each answer to the software comes later.")
        .add("stuck_busy", faults.stuck_busy, config::boolean(), "STATUS always reads busy.")
        .add("bad_magic", faults.bad_magic, config::boolean(),
             "MAGIC reads inverted, as if another component were there.")
        .add("wrong_version", faults.wrong_version, config::boolean(),
             "VERSION reads with the next major number.")
        .add("bit_errors", faults.bit_errors_ppm, share(), "Words that are read with one bit flipped.")
        .add("all_ones", faults.all_ones_ppm, share(),
             "Words that are read as all ones, which is what a card that does not answer leaves.");
}

}  // namespace tlmetry::app
