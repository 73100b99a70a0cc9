// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/card_access.hpp>
#include <tlmetry/software/tlmetry.h>

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace tlmetry::software {

/// Software in C or C++ against the interface of tlmetry/software/tlmetry.h.
class Program {
public:
    using Main = int (*)(const struct ::tlmetry_card*);

    /// What it gets besides a card.
    struct Environment {
        std::string argument;
        std::vector<std::uint8_t> device_tree;
        std::ostream& log;
        std::function<bool()> interrupted;  ///< the user wants it to end
    };

    /// A function of this program.
    explicit Program(Main main) : m_main(main) {}

    /// A shared object. Throws UserError when it cannot be loaded or has no tlmetry_main().
    static Program load(const std::string& path);

    /// Runs it on a card and returns what it returns, or 1 after an exception of its own. Throws what
    /// accesses throw beside AccessError, once the program has ended.
    int run(device::CardAccess& card, const Environment& environment) const;

private:
    std::shared_ptr<void> m_library;
    Main m_main;
};

}  // namespace tlmetry::software
