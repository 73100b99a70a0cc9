// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tlmetry::host {

__extension__ typedef unsigned __int128 Wide;

}  // namespace tlmetry::host
