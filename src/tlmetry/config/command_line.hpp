// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/config/registry.hpp>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <string>
#include <vector>

namespace tlmetry::config {

/// A command line taken apart.
struct CommandLine {
    boost::program_options::variables_map options;  ///< the program's own options
    std::vector<std::string> arguments;             ///< what is no option, in order
    std::vector<Assignment> parameters;             ///< --section.key=value, to be set after the files

    /// Adds to `parameters` what the program's own `option`, a short name of `parameter`, was given. Throws
    /// UserError when the parameter is given by its full name too.
    void add_short(const std::string& option, const std::string& parameter);
};

/// An empty list of a program's own options, to be filled and shown by options_text().
boost::program_options::options_description own_options();

/// The options and what they do, in lines of text_width columns without blanks at their ends.
std::string options_text(const boost::program_options::options_description& options);

/// Options are the program's own and every parameter of the registry; names must be given in full. Throws
/// UserError on anything unknown, given twice (but for composing options), without its value or with one too
/// many.
CommandLine parse_command_line(const std::vector<std::string>& words,
                               const boost::program_options::options_description& own,
                               const Registry& registry);

}  // namespace tlmetry::config
