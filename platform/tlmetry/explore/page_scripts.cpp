// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/page_scripts.hpp"

#include <tlmetry/page/embed.hpp>

TLMETRY_EMBED(results_body_file, TLMETRY_RESULTS_FOLDER "/body.html");
TLMETRY_EMBED(results_style_file, TLMETRY_RESULTS_FOLDER "/style.css");
TLMETRY_EMBED(results_model_file, TLMETRY_RESULTS_FOLDER "/model.js");
TLMETRY_EMBED(results_options_file, TLMETRY_RESULTS_FOLDER "/options.js");
TLMETRY_EMBED(results_table_file, TLMETRY_RESULTS_FOLDER "/table.js");
TLMETRY_EMBED(results_point_file, TLMETRY_RESULTS_FOLDER "/point.js");
TLMETRY_EMBED(results_views_file, TLMETRY_RESULTS_FOLDER "/views.js");
TLMETRY_EMBED(results_main_file, TLMETRY_RESULTS_FOLDER "/main.js");

namespace tlmetry::explore {

std::string_view results_body() {
    return results_body_file();
}

std::string_view results_style() {
    return results_style_file();
}

std::string results_script() {
    std::string text;
    for (const auto file : {results_model_file(), results_options_file(), results_table_file(),
                            results_point_file(), results_views_file(), results_main_file()})
        text += file;
    return text;
}

}  // namespace tlmetry::explore
