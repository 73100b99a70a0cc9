// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What all pages look like and do.
namespace tlmetry::page {

inline constexpr const char* style = R"(
:root { color-scheme: light dark; --text: #1c2330; --soft: #5a6475; --line: #d5dae2; --back: #fff;
  --box: #f5f7fa; --mark: #1d5fa8; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ee; --soft: #a3adbb; --line: #3a4350;
  --back: #14181e; --box: #1d232b; --mark: #7db4f0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1180px; padding: 16px; color: var(--text); background: var(--back);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0.3em 0; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2em 0 0.4em; padding-top: 0.5em; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.4em 0 0.3em; }
p { margin: 0.5em 0; max-width: 75ch; }
a { color: var(--mark); }
nav { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0.8em 0; }
.finding { border-left: 4px solid var(--mark); background: var(--box); padding: 6px 12px; max-width: none; }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; max-height: 1000px;
  overflow-y: auto; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: 3px 10px; white-space: nowrap; text-align: left; }
th { position: sticky; top: 0; background: var(--box); vertical-align: bottom; }
th small { display: block; color: var(--soft); font-weight: normal; }
td { border-top: 1px solid var(--line); }
tr.group td { border-top: 2px solid var(--soft); }
.number { text-align: right; }
.chart { width: 100%; height: 360px; }
details { margin: 6px 0; color: var(--soft); font-size: 13px; }
summary { cursor: pointer; }
pre { overflow: auto; max-height: 320px; padding: 8px; background: var(--box); color: var(--text);
  font-size: 12px; line-height: 1.4; user-select: all; }
)";

// Common looks of the charts come from here: what an option gives itself wins.
inline constexpr const char* script = R"(
const options = JSON.parse(document.getElementById('charts').textContent);
const divs = document.querySelectorAll('.chart');
const dark = matchMedia('(prefers-color-scheme: dark)');
let drawn = [];
// Lines that a legend takes in so many pixels.
function legendLines(option, width) {
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = '12px sans-serif';
  let lines = 1, used = 0;
  for (const series of option.series) {
    const needed = pen.measureText(series.name).width + 50;
    if (used > 0 && used + needed > width) { lines += 1; used = 0; }
    used += needed;
  }
  return lines;
}
function complete(given, lines) {
  const option = structuredClone(given);
  option.backgroundColor = 'transparent';
  option.animation = false;
  option.tooltip = { confine: true, ...option.tooltip };
  if (option.legend) option.legend = { top: 0, left: 0, ...option.legend };
  option.grid = { left: 8, right: 16, top: 40 + 25 * lines, bottom: (option.xAxis?.nameGap ?? 28) + 4, containLabel: true, ...option.grid };
  for (const axis of [option.xAxis, option.yAxis].flat()) {
    if (!axis) continue;
    if (axis.nameLocation === 'middle') axis.nameGap ??= 28;
    axis.nameTextStyle = { fontSize: 12, ...axis.nameTextStyle };
  }
  return option;
}
function draw() {
  drawn.forEach(chart => chart.dispose());
  drawn = options.map((option, index) => {
    const lines = option.legend ? legendLines(option, divs[index].clientWidth) : 0;
    divs[index].style.height = 340 + 25 * lines + 'px';
    const chart = echarts.init(divs[index], dark.matches ? 'dark' : null);
    chart.setOption(complete(option, lines));
    return chart;
  });
}
draw();
dark.addEventListener('change', draw);
addEventListener('resize', draw);
)";

}  // namespace tlmetry::page
