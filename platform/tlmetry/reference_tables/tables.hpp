// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/reference_tables/table.hpp>

namespace tlmetry::reference_tables {

// Measured on the real part, run in simulation.
Table ptc_telemetry_table();
Table tag_manager_table();
// Of the analytic model of a link, run in simulation.
Table payload_rates_table();
// Of a link with retries and few tags, run in simulation.
Table useful_rates_table();
// Of the rules of PCI Express and of the host, computed.
std::vector<Table> arithmetic_tables();
// None of the models can do them yet.
std::vector<Table> unsupported_tables();

}  // namespace tlmetry::reference_tables
