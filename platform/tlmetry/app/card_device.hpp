// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/tool/device.hpp>

#include <memory>
#include <string>

namespace tlmetry::app {

/// The card that FILE.ini[,OPTION...] describes (nfb::DeviceName, without a pace), simulated inside: its time
/// passes while the tool sleeps, as fast as it can. Null for other paths. Throws UserError.
std::unique_ptr<tool::Device> open_card_file(const std::string& path, unsigned index);

}  // namespace tlmetry::app
