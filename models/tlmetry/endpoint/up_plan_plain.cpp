// SPDX-License-Identifier: BSD-3-Clause
#define TLMETRY_FIND find_plain
#include "tlmetry/endpoint/up_plan_find.hpp"
