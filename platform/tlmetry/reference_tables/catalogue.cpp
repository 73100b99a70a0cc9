// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/reference_tables/tables.hpp"

namespace tlmetry::reference_tables {

const std::vector<Table>& catalogue() {
    static const std::vector<Table> tables = [] {
        std::vector<Table> all{ptc_telemetry_table(), tag_manager_table(), payload_rates_table(),
                               useful_rates_table()};
        for (const std::vector<Table>& more : {arithmetic_tables(), unsupported_tables()})
            all.insert(all.end(), more.begin(), more.end());
        return all;
    }();
    return tables;
}

}  // namespace tlmetry::reference_tables
