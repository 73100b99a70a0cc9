// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tlmetry::explore {

/// Stands for the sources of everything that decides the result of a point.
const char* model_digest();

}  // namespace tlmetry::explore
