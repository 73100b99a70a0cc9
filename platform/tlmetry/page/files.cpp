// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/page/files.hpp"

#include <tlmetry/page/embed.hpp>

TLMETRY_EMBED(echarts_file, TLMETRY_ECHARTS);
TLMETRY_EMBED(style_file, TLMETRY_PAGE_FOLDER "/style.css");
TLMETRY_EMBED(look_file, TLMETRY_PAGE_FOLDER "/look.js");
TLMETRY_EMBED(charts_file, TLMETRY_PAGE_FOLDER "/charts.js");

namespace tlmetry::page {

std::string_view echarts_script() {
    return echarts_file();
}
std::string_view style() {
    return style_file();
}
std::string_view look_script() {
    return look_file();
}
std::string_view charts_script() {
    return charts_file();
}

}  // namespace tlmetry::page
