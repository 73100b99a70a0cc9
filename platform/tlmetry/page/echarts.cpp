// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/page/page.hpp"

// The file as it is, in the program's read-only data.
asm(".section .rodata\n"
    "tlmetry_echarts_begin:\n"
    ".incbin \"" TLMETRY_ECHARTS
    "\"\n"
    "tlmetry_echarts_end:\n"
    ".previous\n"
    ".global tlmetry_echarts_begin\n"
    ".global tlmetry_echarts_end\n"
    ".hidden tlmetry_echarts_begin\n"
    ".hidden tlmetry_echarts_end\n");

extern "C" {
__attribute__((visibility("hidden"))) extern const char tlmetry_echarts_begin[];
__attribute__((visibility("hidden"))) extern const char tlmetry_echarts_end[];
}

namespace tlmetry::page {

std::string_view echarts_script() {
    return {tlmetry_echarts_begin, static_cast<std::size_t>(tlmetry_echarts_end - tlmetry_echarts_begin)};
}

}  // namespace tlmetry::page
