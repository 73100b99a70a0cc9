// SPDX-License-Identifier: BSD-3-Clause
// Common looks of the charts of all pages: what an option gives itself wins.

const dark = globalThis.matchMedia?.('(prefers-color-scheme: dark)');

// Names that a legend shows, in pixels.
function widthOf(text) {
  const pen = globalThis.document?.createElement('canvas').getContext('2d');
  if (!pen) return 7 * text.length;
  pen.font = '12px sans-serif';
  return pen.measureText(text).width;
}

// Lines that a legend takes in so many pixels.
function legendLines(option, width) {
  let lines = 1, used = 0;
  for (const name of option.legend.data ?? option.series.map(series => series.name)) {
    const needed = widthOf(name) + 50;
    if (used > 0 && used + needed > width) { lines += 1; used = 0; }
    used += needed;
  }
  return lines;
}

function completed(given, lines) {
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
