// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string_view>

/// Defines the function `NAME()`, whose text is the file `FILE`, as it was when it was compiled, in the
/// read-only data of the program. To be used outside of namespaces.
#define TLMETRY_EMBED(NAME, FILE)                                                         \
    asm(".section .rodata\n"                                                              \
        "tlmetry_" #NAME                                                                  \
        "_begin:\n"                                                                       \
        ".incbin \"" FILE                                                                 \
        "\"\n"                                                                            \
        "tlmetry_" #NAME                                                                  \
        "_end:\n"                                                                         \
        ".previous\n"                                                                     \
        ".global tlmetry_" #NAME                                                          \
        "_begin\n"                                                                        \
        ".global tlmetry_" #NAME                                                          \
        "_end\n"                                                                          \
        ".hidden tlmetry_" #NAME                                                          \
        "_begin\n"                                                                        \
        ".hidden tlmetry_" #NAME "_end\n");                                               \
    extern "C" {                                                                          \
    __attribute__((visibility("hidden"))) extern const char tlmetry_##NAME##_begin[];     \
    __attribute__((visibility("hidden"))) extern const char tlmetry_##NAME##_end[];       \
    }                                                                                     \
    static std::string_view NAME() {                                                      \
        return {tlmetry_##NAME##_begin,                                                   \
                static_cast<std::size_t>(tlmetry_##NAME##_end - tlmetry_##NAME##_begin)}; \
    }                                                                                     \
    static_assert(true, "ends with a semicolon")
