// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/verdict/link_facts.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::verdict {

/// Something about a measurement that who reads it has to know first.
struct Doubt {
    std::string_view id;  ///< as in docs/explain.md
    bool wrong = false;   ///< numbers contradict each other, else they only say less than they seem to
    std::optional<std::size_t> endpoint;
    std::string sentence;
};

/// Everything in the measurement that cannot be, or that makes it say less. In the order of endpoints, behind
/// what concerns all of them.
std::vector<Doubt> check(const driver::Measurement& measurement, const LinkFacts& facts);

}  // namespace tlmetry::verdict
