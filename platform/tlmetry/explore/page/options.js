// SPDX-License-Identifier: BSD-3-Clause
// Options of ECharts for the plots, as plain JSON. A mark that stands for points has `row`, the first of them.

const palette = ['#3b7dd8', '#e0862a', '#2fa36b', '#c9485b', '#8a63d2', '#1fa5b5', '#b39a1f', '#8c8c8c'];
const mostLines = palette.length;

const withUnit = (name, unit) => [name, unit].filter(Boolean).join(', ');
// Without digits that only come from the division.
const scaled = (value, scale) => Number((value / scale.factor).toPrecision(9));
const greatest = values => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

// A plot as it is when it is opened: other axes than `x` and `by` stay at their first place, as far as so many can be
// looked at together. Of sampled points few have the same values.
function defaultPlace(model, plot) {
  const at = { ...plot.at };
  let free = model.together - [plot.x, plot.by].filter(axis => axis !== null).length - Object.keys(at).length;
  for (const axis of model.axes) {
    if (axis.number === plot.x || axis.number === plot.by || axis.number in at) continue;
    if (axis.binned || model.sampled || free-- <= 0) continue;
    at[axis.number] = 0;
  }
  return at;
}

// In words what a plot shows.
function caption(model, plot) {
  const parts = [];
  for (const axis of model.axes) {
    if (axis.number === plot.x || axis.number === plot.by || axis.labels.length === 1) continue;
    const place = plot.at[axis.number];
    parts.push(place === undefined || place === null ? `all of ${axis.title}` : `${axis.title} = ${model.label(axis, place)}`);
  }
  return parts.join(', ');
}

function placesShown(axis, most) {
  const count = axis.labels.length;
  if (count <= most) return axis.labels.map((_, place) => place);
  return Array.from({ length: most }, (_, i) => Math.round(i * (count - 1) / (most - 1)));
}

// An axis of a chart for an axis of the plan.
function xAxisOf(model, axis, log) {
  const common = { nameLocation: 'middle' };
  if (!axis.numeric) return { ...common, type: 'category', name: axis.title, data: axis.labels };
  const scale = scaleOf(axis.unit, greatest(axis.numbers));
  const doubles = axis.numbers.every(number => Number.isInteger(Math.log2(number / axis.numbers[0])));
  return {
    ...common, name: withUnit(axis.title, scale.unit), type: log ? 'log' : 'value', ...(log ? { logBase: doubles ? 2 : 10 } : {}),
    min: 'dataMin', max: 'dataMax', splitLine: { show: false },
  };
}

function linesOption(model, plot) {
  const x = model.axes[plot.x];
  const by = plot.by === null ? null : model.axes[plot.by];
  const shown = by ? placesShown(by, mostLines) : [null];
  const logX = plot.logX ?? x.log;
  const xScale = scaleOf(x.unit, x.numeric ? greatest(x.numbers) : 0);
  const lines = [];
  for (const [order, output] of plot.outputs.entries()) {
    const cells = new Map(shown.map(place => [place, []]));
    model.group(output, by ? [plot.by, plot.x] : [plot.x], plot.at, (places, cell) => cells.get(by ? places[0] : null)?.push([places.at(-1), cell]));
    shown.forEach((place, i) => lines.push({
      order, place, color: palette[(by ? i : order) % palette.length], cells: cells.get(place),
      name: [plot.outputs.length > 1 || !by ? model.outputs[output].name : '', by ? model.label(by, place) : ''].filter(Boolean).join(', '),
    }));
  }
  const unit = model.outputs[plot.outputs[0]].unit;
  const scale = scaleOf(unit, greatest(lines.flatMap(line => line.cells.map(([, cell]) => cell.most))));
  const at = place => (x.numeric ? scaled(x.numbers[place], xScale) : place);
  const series = [];
  for (const [number, line] of lines.entries()) {
    // Numbers stand in their order, whatever the plan says.
    const cells = [...line.cells].sort((a, b) => at(a[0]) - at(b[0]));
    series.push({
      type: 'line', name: line.name, color: line.color, symbolSize: 7, showSymbol: cells.length <= 60 || model.sampled,
      ...(line.order > 0 ? { lineStyle: { type: 'dashed' }, symbol: 'emptyDiamond' } : {}),
      ...(model.sampled ? { lineStyle: { opacity: 0 } } : {}), // nothing is known between samples
      data: cells.map(([place, cell]) => ({ value: [at(place), ...[cell.mean, cell.least, cell.most].map(value => scaled(value, scale)), cell.count], row: cell.row })),
    });
    if (!cells.some(([, cell]) => cell.most > cell.least) || plot.band === false) continue;
    // What is stacked is the first number of the data.
    const band = { encode: { x: 1, y: 0 }, type: 'line', stack: `band ${number}`, symbol: 'none', silent: true, lineStyle: { opacity: 0 }, color: line.color, z: 1, tooltip: { show: false } };
    series.push({ ...band, id: `band ${number} low`, data: cells.map(([place, cell]) => [scaled(cell.least, scale), at(place)]) });
    series.push({ ...band, id: `band ${number}`, areaStyle: { opacity: 0.15 }, data: cells.map(([place, cell]) => [scaled(cell.most - cell.least, scale), at(place)]) });
  }
  return {
    legend: { data: lines.map(line => line.name) },
    tooltip: { trigger: 'axis' },
    xAxis: { ...xAxisOf(model, x, logX) },
    yAxis: {
      type: plot.logY ? 'log' : 'value', name: withUnit(plot.outputs.length === 1 ? model.outputs[plot.outputs[0]].name : '', scale.unit),
      nameTextStyle: { align: 'left' }, ...(plot.logY ? {} : { min: plot.zero === false ? 'dataMin' : undefined }),
    },
    series,
  };
}

function heatOption(model, plot, width = 1000) {
  const x = model.axes[plot.x], y = model.axes[plot.by];
  const output = model.outputs[plot.outputs[0]];
  const cells = [];
  model.group(output.number, [plot.x, plot.by], plot.at, (places, cell) => cells.push([places, cell]));
  const scale = scaleOf(output.unit, greatest(cells.map(([, cell]) => cell.mean)));
  const labels = axis => axis.labels.map((_, place) => model.label(axis, place));
  const yLabels = labels(y);
  const room = (width - 80) / x.labels.length;
  const words = [...new Set(cells.map(([, cell]) => cell.text))];
  const value = cell => (output.text ? words.indexOf(cell.text) : Number((cell.mean / scale.factor).toPrecision(4)));
  const values = cells.map(([, cell]) => value(cell));
  const most = Math.max(...values), least = Math.min(...values);
  const visualMap = cells.length === 0 ? { show: false, min: 0, max: 1 } : output.text
    ? { type: 'piecewise', pieces: words.map((word, i) => ({ value: i, label: word, color: palette[i % palette.length] })), orient: 'horizontal', left: 'center', bottom: 0, itemGap: 8 }
    : {
      min: least < most ? least : Math.min(0, most), max: most, calculable: true, orient: 'horizontal', left: 'center', bottom: 0,
      // As many digits as the numbers have.
      precision: Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(greatest(values) || 1)))), formatter: `{value} ${scale.unit}`.trim(),
    };
  return {
    tooltip: {},
    grid: { bottom: 84 },
    xAxis: { type: 'category', name: withUnit(x.title, ''), data: labels(x), nameLocation: 'middle' },
    yAxis: { type: 'category', name: y.title, data: yLabels, nameTextStyle: { align: 'left' } },
    visualMap,
    series: [{
      type: 'heatmap', name: withUnit(output.name, output.text ? '' : scale.unit),
      data: cells.map(([places, cell], i) => ({ value: [...places, values[i]], row: cell.row, text: cell.text, least: cell.least, most: cell.most, count: cell.count })),
      label: { show: !output.text && room > 40 && yLabels.length <= 24, fontSize: 11 },
    }],
  };
}

// The dimension of a plot, {output, number}, with all that is known of it.
const dimensionOf = (model, wanted) => model.dimensions.find(d => d.output === wanted.output && d.number === wanted.number);

function valueAxis(dimension, scale, logarithmic) {
  return { type: logarithmic ? 'log' : 'value', name: withUnit(dimension.name, scale.unit), ...(logarithmic ? {} : { scale: true }) };
}

function scatterOption(model, plot, width = 1000) {
  const x = dimensionOf(model, plot.x), y = dimensionOf(model, plot.y);
  const found = model.whole ? pointsOf(model, plot, x, y) : fieldsOf(model, x, y, width);
  const front = plot.x.better ? found.front(plot.x.better, plot.y.better) : [];
  const all = [...found.extent, ...front];
  const xScale = scaleOf(x.unit, greatest(all.map(p => p.x))), yScale = scaleOf(y.unit, greatest(all.map(p => p.y)));
  const data = points => points.map(p => ({ value: [scaled(p.x, xScale), scaled(p.y, yScale), ...(p.count ? [p.count] : [])], row: p.row ?? null, point: p.point }));
  const series = found.groups.map(group => ({ type: 'scatter', ...group.look, data: data(group.points) }));
  if (front.length > 0) {
    series.push({
      type: 'line', name: 'Pareto front', color: '#d62f6f', symbol: 'emptyCircle', symbolSize: 11, lineStyle: { width: 1.5, type: 'dashed' },
      z: 5, data: data(front),
    });
  }
  const logX = x.log && found.extent.every(p => p.x > 0), logY = y.log && found.extent.every(p => p.y > 0);
  return {
    legend: { data: series.map(s => s.name).filter(Boolean) },
    tooltip: { trigger: 'item' },
    ...(found.visualMap ? { visualMap: found.visualMap, grid: { bottom: 84 } } : {}),
    xAxis: { ...valueAxis(x, xScale, logX), nameLocation: 'middle', splitLine: { show: false } },
    yAxis: { ...valueAxis(y, yScale, logY), nameTextStyle: { align: 'left' } },
    series,
  };
}

// The points, in the colours of an axis.
function pointsOf(model, plot, x, y) {
  const points = model.pairs(x, y);
  const axis = plot.by === null || plot.by === undefined ? null : model.axes[plot.by];
  const groups = new Map();
  for (const point of points) {
    const place = axis ? Math.floor(model.points.places[axis.number][point.row] * Math.min(1, mostLines / axis.labels.length)) : 0;
    if (!groups.has(place)) groups.set(place, []);
    groups.get(place).push(point);
  }
  const first = place => Math.ceil(place / Math.min(1, mostLines / (axis?.labels.length ?? 1)));
  const nameOf = place => {
    if (!axis) return 'points';
    const from = first(place), to = Math.max(from, first(place + 1) - 1);
    return model.label(axis, from) + (from === to ? '' : ' … ' + model.label(axis, to));
  };
  const look = place => ({ name: nameOf(place), color: palette[place % palette.length], symbolSize: points.length > 500 ? 5 : 8, itemStyle: { opacity: points.length > 500 ? 0.6 : 0.85 } });
  return {
    extent: points,
    front: (betterX, betterY) => frontOf(points, betterX, betterY),
    groups: [...groups.keys()].sort((a, b) => a - b).map(place => ({ look: look(place), points: groups.get(place) })),
  };
}

// Fields with how many points each of them has.
function fieldsOf(model, x, y, width) {
  const { bins, dimensions, pairs } = model.scatter;
  const number = d => dimensions.findIndex(known => known.output === d.output && known.number === d.number);
  const a = number(x), b = number(y);
  const pair = pairs.find(p => (p.x === a && p.y === b) || (p.x === b && p.y === a));
  if (!pair) return { extent: [], front: () => [], groups: [] };
  const swapped = pair.x !== a;
  const whichOf = (betterX, betterY) => {
    const [first, second] = swapped ? [betterY, betterX] : [betterX, betterY];
    return (first === 'max' ? 0 : 2) + (second === 'max' ? 0 : 1);
  };
  const centre = (d, bin) => (d.log ? d.low * (d.high / d.low) ** ((bin + 0.5) / bins) : d.low + (d.high - d.low) * (bin + 0.5) / bins);
  const points = [];
  for (let i = 0; i < pair.fields.length; i += 3) {
    const [first, second, count] = pair.fields.slice(i, i + 3);
    const [binX, binY] = swapped ? [second, first] : [first, second];
    points.push({ x: centre(x, binX), y: centre(y, binY), count });
  }
  const most = greatest(points.map(p => p.count));
  return {
    extent: [{ x: x.low, y: y.low }, { x: x.high, y: y.high }],
    front: (betterX, betterY) => pair.fronts[whichOf(betterX, betterY)].entries
      .map(([u, v, point]) => ({ x: swapped ? v : u, y: swapped ? u : v, point, row: model.rowOf.get(point) ?? null })),
    visualMap: { min: 1, max: most, dimension: 2, seriesIndex: 0, calculable: true, orient: 'horizontal', left: 'center', bottom: 0, text: ['points', ''], inRange: { color: ['#bcd3f0', '#3b7dd8', '#123d7a'] } },
    groups: [{ look: { name: 'points', symbol: 'rect', symbolSize: [Math.max(3, (width - 90) / bins), 7] }, points }],
  };
}

function parallelOption(model, plot, width = 1000) {
  const columns = [
    ...model.axes.filter(axis => axis.labels.length > 1).map(axis => ({ axis, name: axis.title, unit: axis.unit, text: !axis.numeric, log: axis.log })),
    ...model.outputs.map(output => ({ output: output.number, name: output.name, unit: output.unit, text: output.text, log: false })),
  ];
  const valueOf = (column, row) => {
    if (column.output !== undefined) return model.points.outputs[column.output][row];
    if (!column.axis.numeric) return column.axis.labels[model.points.places[column.axis.number][row]];
    return model.number(row, { output: false, number: column.axis.number });
  };
  const mostRows = 2000;
  const rows = [];
  for (let row = 0; row < model.rows; ++row) if (!model.error(row)) rows.push(row);
  // Neighbours in the list have much in common: steps that have nothing in common with the axes.
  const step = rows.length > mostRows ? rows.length / mostRows : 1;
  const shown = Array.from({ length: Math.min(rows.length, mostRows) }, (_, i) => rows[Math.floor(i * step)]);
  const scales = columns.map(column => scaleOf(column.unit, column.text ? 0 : greatest(shown.map(row => valueOf(column, row) ?? 0))));
  const value = (column, i, row) => {
    const raw = valueOf(column, row);
    return typeof raw === 'number' ? Number((raw / scales[i].factor).toPrecision(7)) : raw ?? '-';
  };
  const data = shown.map(row => ({ value: columns.map((column, i) => value(column, i, row)), row }));
  const coloured = columns.findIndex(column => column.output === plot.outputs[0]);
  const colours = data.map(one => one.value[coloured]).filter(one => typeof one === 'number');
  // With little room axes lie below one another, with their names above them.
  const narrow = width < 640;
  const names = columns.map((column, i) => withUnit(column.name, column.text ? '' : scales[i].unit));
  const half = name => Math.ceil(widthOf(name) / 2) + 8; // titles stand over the middle
  const naming = narrow ? { nameLocation: 'start', nameGap: 0, nameTruncate: { maxWidth: 300 }, nameTextStyle: { align: 'left', verticalAlign: 'bottom', padding: [0, 0, 6, 0] } } : {};
  return {
    tooltip: {},
    parallel: narrow ? { layout: 'vertical', left: 12, right: 24, top: 30, bottom: 80 } : { left: Math.max(40, half(names[0])), right: Math.max(90, half(names.at(-1))), top: 60, bottom: 70 },
    parallelAxis: columns.map((column, i) => ({
      dim: i, name: names[i], ...naming,
      ...(column.text ? { type: 'category', data: [...new Set(data.map(one => one.value[i]))] }
        : { type: column.log ? 'log' : 'value', scale: true, ...(column.log ? { logBase: 2, min: 'dataMin', max: 'dataMax' } : {}) }),
    })),
    ...(colours.length > 0 ? {
      visualMap: { min: Math.min(...colours), max: Math.max(...colours), dimension: coloured, calculable: false, orient: 'horizontal', left: 'center', bottom: 0, text: [columns[coloured].name + ' high', 'low'], inRange: { color: ['#8fb8ec', '#2fa36b', '#e0862a', '#c9485b'] } },
    } : {}),
    series: [{ type: 'parallel', name: 'points', lineStyle: { width: 1, opacity: data.length > 300 ? 0.25 : 0.6 }, emphasis: { lineStyle: { width: 3, opacity: 1 } }, data }],
  };
}

function optionOf(model, plot, width) {
  const make = { lines: linesOption, heat: heatOption, scatter: scatterOption, parallel: parallelOption };
  return make[plot.kind](model, plot, width);
}

// The plots that a page begins with: of each kind the first one that the plan asks for, or what suits the plan.
function firstPlots(model) {
  const numeric = model.outputs.find(output => !output.text) ?? model.outputs[0];
  const sized = model.axes.filter(axis => axis.labels.length > 1);
  const x = sized.filter(axis => axis.numeric).sort((a, b) => b.labels.length - a.labels.length)[0] ?? sized[0] ?? model.axes[0];
  const others = sized.filter(axis => axis !== x);
  const by = others.find(axis => axis.labels.length <= mostLines && !axis.binned) ?? others[0] ?? null;
  const lines = x && { kind: 'lines', outputs: [numeric.number], x: x.number, by: model.sampled ? null : by?.number ?? null, at: {} };
  const y = others.find(axis => axis.numeric) ?? by;
  const heat = y && { kind: 'heat', outputs: [model.plots[0]?.outputs?.[0] ?? 0], x: x.number, by: y.number, at: {} };
  const dimensions = model.dimensions;
  const up = dimensions.find(d => d.output), right = dimensions.find(d => d !== up && d.output) ?? dimensions.find(d => d !== up);
  const better = d => (!d.output || d.unit === 's' || /lost|dropped|latency|waited|error|seconds/.test(d.name) ? 'min' : 'max');
  const colour = sized.find(axis => axis.labels.length <= mostLines);
  const scatter = up && right && {
    kind: 'scatter', x: { output: right.output, number: right.number, better: better(right) },
    y: { output: up.output, number: up.number, better: better(up) }, by: colour?.number ?? null,
  };
  const parallel = { kind: 'parallel', outputs: [numeric.number] };
  const chosen = kind => model.plots.find(plot => plot.kind === kind);
  const result = {};
  for (const [kind, suits] of Object.entries({ lines, heat, scatter, parallel })) {
    const plot = chosen(kind) ?? suits;
    if (plot) result[kind] = completePlot(model, plot);
  }
  return result;
}

// A plot with what the plan leaves open.
function completePlot(model, plot) {
  if (plot.kind === 'lines' || plot.kind === 'heat') return { ...plot, at: defaultPlace(model, plot) };
  return { by: null, ...plot };
}

// In words what a plot is of.
function titleOf(model, plot) {
  const names = plot.outputs?.map(output => model.outputs[output].name).join(', ');
  if (plot.kind === 'lines') return `${names} over ${model.axes[plot.x].title}` + (plot.by === null ? '' : ` by ${model.axes[plot.by].title}`);
  if (plot.kind === 'heat') return `${names} over ${model.axes[plot.x].title} and ${model.axes[plot.by].title}`;
  return `${dimensionOf(model, plot.y).name} against ${dimensionOf(model, plot.x).name}`;
}
