// SPDX-License-Identifier: BSD-3-Clause
#define TLMETRY_FIND find_avx512
#include "tlmetry/endpoint/up_plan_find.hpp"
