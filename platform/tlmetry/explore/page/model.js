// SPDX-License-Identifier: BSD-3-Clause
// What the page knows: axes, outputs, points one by one, and of many points what they have in common.

const shortNumber = (value, digits = 6) => String(Number(value.toPrecision(digits)));

// Prefixes that numbers of a unit are shown with, the greatest one first.
const prefixes = {
  'B/s': [[1e12, 'TB/s'], [1e9, 'GB/s'], [1e6, 'MB/s'], [1e3, 'kB/s'], [1, 'B/s']],
  'b/s': [[1e12, 'Tb/s'], [1e9, 'Gb/s'], [1e6, 'Mb/s'], [1e3, 'kb/s'], [1, 'b/s']],
  '/s': [[1e9, 'G/s'], [1e6, 'M/s'], [1e3, 'k/s'], [1, '/s']],
  Hz: [[1e9, 'GHz'], [1e6, 'MHz'], [1e3, 'kHz'], [1, 'Hz']],
  s: [[1, 's'], [1e-3, 'ms'], [1e-6, 'us'], [1e-9, 'ns'], [1e-12, 'ps']],
  B: [[2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB'], [1, 'B']],
};

// How numbers up to `most` are shown: value / factor, and the unit.
function scaleOf(unit, most) {
  const known = prefixes[unit];
  if (!known) return { factor: 1, unit };
  const enough = unit === 'B' ? 16 : 1; // 4096 B rather than 4 KiB
  const fit = known.find(([factor]) => most >= factor * (factor > 1 ? enough : 1)) ?? known[known.length - 1];
  return { factor: fit[0], unit: fit[1] };
}

function formatted(value, unit, digits = 6) {
  if (value === null || value === undefined) return '–';
  if (typeof value !== 'number') return String(value);
  const scale = scaleOf(unit, Math.abs(value));
  return shortNumber(value / scale.factor, digits) + (scale.unit ? ' ' + scale.unit : '');
}

const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;

// A number with or without a unit, as people write it; of a size also 4KiB.
function parsedNumber(text) {
  const match = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([a-zA-Z/%]*)\s*$/i.exec(text);
  if (!match) return null;
  const number = Number(match[1]);
  if (match[2] === '') return number;
  if (match[2] === '%') return number / 100;
  const of = Object.values(prefixes).flat().find(([, unit]) => unit === match[2]) ?? { kB: [1e3], MB: [1e6], GB: [1e9] }[match[2]];
  return of ? number * of[0] : null;
}

class Model {
  constructor(results) {
    Object.assign(this, results);
    const { points } = results;
    this.rows = points.index.length;
    this.rowOf = new Map(points.index.map((index, row) => [index, row]));
    this.axes.forEach((axis, number) => {
      axis.number = number;
      axis.numeric = axis.numbers.length === axis.labels.length;
    });
    this.outputs.forEach((output, number) => {
      output.number = number;
      output.text = this.whole ? points.outputs[number].some(value => typeof value === 'string')
        : this.words[number].length > 0;
    });
  }

  error(row) { return this.points.errors[row] ?? null; }
  title(output) { return output.name; }

  // A place of an axis for people.
  label(axis, place) {
    return axis.binned && axis.numeric ? formatted(axis.numbers[place], axis.unit, 3) : axis.labels[place];
  }

  // So many axes can be looked at together.
  get together() { return this.whole ? this.axes.length : this.cuboids[0]?.axes.length ?? 0; }

  // Puts points together by their places on `axes` (numbers of them), those only that have the places of `fixed`
  // ({axis: place}). Calls visit(places, cell) for each combination that has points; a cell has count, mean, least,
  // most, or the text that comes most often; and the first row, where the page has it.
  group(output, axes, fixed, visit) {
    const cells = new Map();
    const strides = axes.map((_, i) => axes.slice(i + 1).reduce((product, a) => product * this.axes[a].labels.length, 1));
    const cellAt = places => {
      const key = places.reduce((sum, place, i) => sum + place * strides[i], 0);
      let cell = cells.get(key);
      if (!cell) cells.set(key, cell = { places, count: 0, sum: 0, least: Infinity, most: -Infinity, words: null, row: null });
      return cell;
    };
    if (this.whole) this.#addPoints(output, axes, fixed, cellAt);
    else this.#addCuboid(output, axes, fixed, cellAt);
    for (const key of [...cells.keys()].sort((a, b) => a - b)) {
      const cell = cells.get(key);
      if (cell.words) [cell.text] = [...cell.words].reduce((a, b) => (b[1] > a[1] ? b : a));
      cell.mean = cell.sum / cell.count;
      visit(cell.places, cell);
    }
  }

  #addPoints(output, axes, fixed, cellAt) {
    const { places, outputs, errors } = this.points;
    const wanted = Object.entries(fixed);
    for (let row = 0; row < this.rows; ++row) {
      const value = outputs[output][row];
      if (value === null || errors[row] || wanted.some(([axis, place]) => places[axis][row] !== place)) continue;
      const cell = cellAt(axes.map(axis => places[axis][row]));
      cell.row ??= row;
      ++cell.count;
      if (typeof value === 'string') {
        cell.words ??= new Map();
        cell.words.set(value, (cell.words.get(value) ?? 0) + 1);
      } else {
        cell.sum += value;
        cell.least = Math.min(cell.least, value);
        cell.most = Math.max(cell.most, value);
      }
    }
  }

  #addCuboid(output, axes, fixed, cellAt) {
    const wanted = Object.entries(fixed).map(([axis, place]) => [Number(axis), place]);
    const needed = [...axes, ...wanted.map(([axis]) => axis)];
    const cuboid = this.cuboids.find(candidate => needed.every(axis => candidate.axes.includes(axis)));
    if (!cuboid) return;
    const data = cuboid.outputs[output];
    const places = cuboid.axes.map(() => 0);
    const at = axis => places[cuboid.axes.indexOf(axis)];
    cuboid.count.forEach((points, index) => {
      let rest = index;
      for (let i = places.length - 1; i >= 0; --i) {
        const size = this.axes[cuboid.axes[i]].labels.length;
        places[i] = rest % size;
        rest = Math.floor(rest / size);
      }
      if (points === 0 || wanted.some(([axis, place]) => at(axis) !== place)) return;
      if (data.words) {
        if (data.words[index].length === 0) return;
        const cell = cellAt(axes.map(at));
        cell.count += points;
        cell.words ??= new Map();
        data.words[index].forEach((count, word) => {
          const text = this.words[output][word];
          if (count > 0) cell.words.set(text, (cell.words.get(text) ?? 0) + count);
        });
      } else if (data.mean[index] !== null) {
        const count = data.count ? data.count[index] : points;
        const cell = cellAt(axes.map(at));
        cell.count += count;
        cell.sum += data.mean[index] * count;
        cell.least = Math.min(cell.least, data.least[index]);
        cell.most = Math.max(cell.most, data.most[index]);
      }
    });
  }

  // Dimensions of a scatter, which are numeric outputs and axes: {output, number, name, unit, log}.
  get dimensions() {
    const outputs = this.outputs.filter(output => !output.text)
      .map(output => ({ output: true, number: output.number, name: output.name, unit: output.unit, log: false }));
    const axes = this.axes.filter(axis => axis.numeric)
      .map(axis => ({ output: false, number: axis.number, name: axis.title, unit: axis.unit, log: axis.log }));
    const all = [...outputs, ...axes];
    if (this.whole) return all;
    return this.scatter.dimensions.map(d => ({ ...all.find(known => known.output === d.output && known.number === d.number), ...d }));
  }

  // The number of a point in a dimension; of an axis the one of the point itself, also where its places are bins.
  number(row, dimension) {
    if (dimension.output) return this.points.outputs[dimension.number][row];
    const axis = this.axes[dimension.number];
    const parameter = this.points.parameters.filter(p => axis.names.includes(p.name))[axis.coordinate];
    return parameter.numbers[parameter.of[row]];
  }

  // Points {x, y, row}, means over repetitions.
  pairs(x, y) {
    const all = new Map();
    for (let row = 0; row < this.rows; ++row) {
      const a = this.number(row, x), b = this.number(row, y);
      if (typeof a !== 'number' || typeof b !== 'number' || this.error(row)) continue;
      const key = Math.floor(this.points.index[row] / this.repetitions);
      const sum = all.get(key);
      if (sum) { sum.x += a; sum.y += b; ++sum.count; } else all.set(key, { x: a, y: b, count: 1, row });
    }
    return [...all.values()].map(p => ({ x: p.x / p.count, y: p.y / p.count, row: p.row }));
  }
}

// Those of the points than which no other is better in one number and not worse in the other one, from the best x.
function frontOf(points, betterX, betterY) {
  const signX = betterX === 'max' ? 1 : -1, signY = betterY === 'max' ? 1 : -1;
  const sorted = [...points].sort((a, b) => signX * (b.x - a.x) || signY * (b.y - a.y) || a.row - b.row);
  let best = -Infinity;
  return sorted.filter(point => {
    if (signY * point.y <= best) return false;
    best = signY * point.y;
    return true;
  });
}
