// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tlmetry {

/// This processor can do what code with Lanes is compiled for, AVX-512.
inline bool takes_lanes() {
#ifdef __x86_64__
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
           __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("bmi2") != 0;
#else
    return false;
#endif
}

}  // namespace tlmetry
