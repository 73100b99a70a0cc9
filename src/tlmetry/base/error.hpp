// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace tlmetry {

/// A mistake of the user (option, file, recording): one sentence that names the place, what was expected and
/// what was found. Programs print it and end with exit code 2.
class UserError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace tlmetry
