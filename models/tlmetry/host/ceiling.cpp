// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/host/ceiling.hpp"

#include "tlmetry/host/config.hpp"

namespace tlmetry::host {

std::uint64_t line_time(std::uint64_t bytes_per_s) {
    if (bytes_per_s == 0) return 0;
    const Wide line = Wide{line_bytes} * static_cast<std::uint64_t>(fs_per_s) << 16;
    return static_cast<std::uint64_t>((line + bytes_per_s / 2) / bytes_per_s);
}

void SharedCeiling::set_rate(std::uint64_t bytes_per_s, std::uint32_t read_weight,
                             std::uint32_t write_weight) {
    m_line_time = line_time(bytes_per_s);
    const std::uint64_t sum = std::uint64_t{read_weight} + write_weight;
    m_read_share = (std::uint64_t{read_weight} << 32) / sum;
    m_slowdown = {(sum << 32) / read_weight, (sum << 32) / write_weight};
}

}  // namespace tlmetry::host
