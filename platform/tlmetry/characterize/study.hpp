// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/characterize/part.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tlmetry::characterize {

/// What has been found out about a card.
struct Study {
    std::string name;  ///< of the configuration
    bool quick = false;
    std::string caveat;  ///< Subject::caveat()
    std::vector<Part> parts;
};

/// Parts by their keys, all if there are none, in the order of part_names. Throws UserError for a key that is
/// none.
std::vector<PartName> parts_named(const std::vector<std::string>& keys);

/// For people, up to 100 columns wide.
std::string part_text(const Part& part);
/// Files of CSV by the keys of their tables.
std::vector<std::pair<std::string, std::string>> csv_files(const Study& study);
/// The same in one text: each table behind a line with # and its key.
std::string csv_text(const Study& study);
/// docs/json.md, Characterization. `parameters`: those of the configuration.
std::string study_json(const Study& study, const page::Json& parameters);
/// One page for a browser. `configuration` is shown at its end.
std::string study_html(const Study& study, const std::string& configuration);

}  // namespace tlmetry::characterize
