// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/tool/run.hpp>

#include <iostream>

int main(int argc, char** argv) {
    return tlmetry::tool::tool_main(argc, argv, std::cout, std::cerr);
}
