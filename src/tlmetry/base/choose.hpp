// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

namespace tlmetry {

/// `yes` or `no` without a branch, for conditions that are as good as random to the processor: compilers tend
/// to make a branch of a conditional expression, which then costs some twenty cycles every other time.
template <class Integer>
constexpr Integer choose(bool condition, Integer yes, Integer no) {
    static_assert(std::is_integral_v<Integer> && sizeof(Integer) >= sizeof(int));
    return no ^ ((yes ^ no) & -static_cast<Integer>(condition));
}

/// `value` if the condition holds, else 0; likewise.
template <class Integer>
constexpr Integer only_if(bool condition, Integer value) {
    static_assert(std::is_integral_v<Integer> && sizeof(Integer) >= sizeof(int));
    return value & -static_cast<Integer>(condition);
}

}  // namespace tlmetry
