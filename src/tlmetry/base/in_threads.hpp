// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>

namespace tlmetry {

/// Calls `work` with each number below `count`, in up to `threads` threads. In the thread of the caller
/// `look` is asked every 10 ms, with how many are done: if it says no, none is begun any more. Returns
/// whether all have been done. If `work` throws, none is begun any more either, and what the lowest number
/// threw is thrown here, once all that were begun have ended.
bool in_threads(std::size_t count, std::size_t threads, const std::function<void(std::size_t number)>& work,
                const std::function<bool(std::size_t done)>& look = {});

}  // namespace tlmetry
