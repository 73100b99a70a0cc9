// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/app/card_device.hpp>
#include <tlmetry/remote/remote_device.hpp>
#include <tlmetry/tool/run.hpp>

#include <unistd.h>

#include <iostream>

int main(int argc, char** argv) {
    using namespace tlmetry;
    return tool::tool_main(argc, argv,
                           {remote::open_remote_device, tool::open_saved_device, app::open_card_file},
                           std::cout, std::cerr, isatty(STDOUT_FILENO) != 0);
}
