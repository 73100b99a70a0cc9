// SPDX-License-Identifier: BSD-3-Clause
// A program in C++ that ends with an exception.
#include <tlmetry/software/tlmetry.h>

#include <cstring>
#include <stdexcept>

extern "C" int tlmetry_main(const struct tlmetry_card* card) {
    if (std::strcmp(card->argument, "number") == 0) throw 7;
    throw std::runtime_error("boo");
}
