// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

/// Files that pages are made of.
namespace tlmetry::page {

/// The library that draws the charts.
std::string_view echarts_script();
/// What all pages look like.
std::string_view style();
/// What all charts look like.
std::string_view look_script();
/// Draws the charts of Page::chart().
std::string_view charts_script();

}  // namespace tlmetry::page
