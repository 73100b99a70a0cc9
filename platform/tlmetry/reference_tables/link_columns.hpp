// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/pcie/link_settings.hpp>
#include <tlmetry/reference_tables/table.hpp>

#include <string>
#include <vector>

namespace tlmetry::reference_tables {

/// Columns gen ("gen3"), lanes ("x8") and mps, which name a link in the tables of the analytic model.
std::vector<Column> link_columns();
/// What MPS and MRRS can be.
std::vector<std::string> payload_sizes();
/// The link of these columns, with the rules of the analytic model.
pcie::LinkSettings analytic_link(const Row& row);

}  // namespace tlmetry::reference_tables
