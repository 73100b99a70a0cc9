// SPDX-License-Identifier: BSD-3-Clause
// The table of points, which sorts and filters.

const comparisons = {
  '>=': (a, b) => a >= b, '<=': (a, b) => a <= b, '!=': (a, b) => a !== b,
  '>': (a, b) => a > b, '<': (a, b) => a < b, '=': (a, b) => a === b,
};

// What a filter such as `>32`, `64..256`, `!=tags` or a part of a text lets through: a function of the value and its
// text.
function filterOf(text) {
  const wanted = text.trim();
  if (wanted === '') return null;
  const range = wanted.split('..').map(parsedNumber);
  if (range.length === 2 && range.every(end => end !== null))
    return value => typeof value === 'number' && value >= range[0] && value <= range[1];
  const sign = Object.keys(comparisons).find(known => wanted.startsWith(known));
  if (!sign) return (value, shown) => shown.toLowerCase().includes(wanted.toLowerCase());
  const rest = wanted.slice(sign.length).trim();
  const number = parsedNumber(rest);
  if (number === null) return (_, shown) => (sign === '!=' ? shown !== rest : sign === '=' ? shown === rest : true);
  // Numbers are shown with six digits.
  const near = value => (Math.abs(value - number) <= 1e-5 * Math.abs(number) ? number : value);
  return value => typeof value === 'number' && comparisons[sign](near(value), number);
}

function columnsOf(model) {
  const { points } = model;
  const columns = [{ title: 'point', unit: '', value: row => points.index[row] }];
  if (model.bases.length > 1) columns.push({ title: 'base', unit: '', value: row => model.bases[points.base[row]].name });
  for (const parameter of points.parameters) {
    columns.push({
      title: parameter.name, unit: '',
      value: row => parameter.numbers[parameter.of[row]], shown: row => parameter.texts[parameter.of[row]],
    });
  }
  if (model.repetitions > 1) columns.push({ title: 'repetition', unit: '', value: row => points.repetition[row] });
  for (const output of model.outputs) {
    columns.push({
      title: output.name, unit: output.unit, hint: output.description,
      value: row => points.outputs[output.number][row],
      shown: row => formatted(points.outputs[output.number][row], output.unit),
    });
  }
  if (model.failed > 0) columns.push({ title: 'error', unit: '', error: true, value: row => model.error(row) ?? '' });
  for (const column of columns) {
    column.shown ??= row => String(column.value(row));
    column.number = !column.error && Array.from({ length: model.rows }, (_, row) => column.value(row)).every(value => typeof value !== 'string');
  }
  return columns;
}

class PointTable {
  #model; #columns; #sorted = { column: 0, down: false }; #limit = 100; #inputs = []; #rows = [];

  constructor(model, section, open) {
    this.#model = model;
    this.#columns = columnsOf(model);
    this.section = section;
    const [head, body] = ['thead', 'tbody'].map(name => section.querySelector(name));
    const titles = head.insertRow(), filters = head.insertRow();
    this.#columns.forEach((column, number) => {
      const title = document.createElement('th');
      title.textContent = column.title;
      title.title = column.hint ?? '';
      title.tabIndex = 0;
      if (column.number) title.className = 'number';
      const sort = () => this.sort(number);
      title.addEventListener('click', sort);
      title.addEventListener('keydown', event => event.key === 'Enter' && sort());
      titles.append(title);
      const input = document.createElement('input');
      input.setAttribute('aria-label', `filter ${column.title}`);
      input.placeholder = column.number ? '>…' : 'filter';
      input.addEventListener('input', () => { this.#limit = 100; this.update(); });
      const cell = document.createElement('th');
      cell.append(input);
      filters.append(cell);
      this.#inputs.push(input);
    });
    this.titles = titles;
    this.body = body;
    const rowOf = target => Number(target.closest('tr')?.dataset.row);
    body.addEventListener('click', event => open(rowOf(event.target)));
    body.addEventListener('keydown', event => event.key === 'Enter' && open(rowOf(event.target)));
    section.querySelector('#more').addEventListener('click', () => { this.#limit += 400; this.update(); });
    section.querySelector('#clear').addEventListener('click', () => this.filter({}));
    const failed = section.querySelector('#failed');
    failed.hidden = model.failed === 0;
    failed.addEventListener('click', () => this.filter({ error: '!=' }));
    section.querySelector('.caption').textContent = 'A title sorts; filters take >32, <=8GB/s, 64..256, !=tags or a part of a text; a row shows its configuration.';
    this.update();
  }

  sort(column) {
    this.#sorted = { column, down: this.#sorted.column === column ? !this.#sorted.down : false };
    this.update();
  }

  // Sets filters by the titles of their columns, and clears all others.
  filter(texts) {
    this.#inputs.forEach((input, number) => { input.value = texts[this.#columns[number].title] ?? ''; });
    this.#limit = 100;
    this.update();
  }

  update() {
    const filters = this.#inputs.map(input => filterOf(input.value));
    const { column, down } = this.#sorted;
    const key = this.#columns[column].value;
    const passes = row => filters.every((filter, number) => !filter || filter(this.#columns[number].value(row), this.#columns[number].shown(row)));
    this.#rows = [];
    for (let row = 0; row < this.#model.rows; ++row) if (passes(row)) this.#rows.push(row);
    const missing = value => value === null || value === '';
    this.#rows.sort((a, b) => {
      const x = key(a), y = key(b);
      if (missing(x) || missing(y)) return missing(x) - missing(y) || a - b; // at the end, whatever the order
      const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
      return (down ? -order : order) || a - b;
    });
    [...this.titles.cells].forEach((cell, number) => {
      const sorted = number === column;
      cell.classList.toggle('sorted', sorted);
      cell.dataset.arrow = down ? '▼' : '▲';
      cell.setAttribute('aria-sort', sorted ? (down ? 'descending' : 'ascending') : 'none');
    });
    this.#show();
  }

  #show() {
    const model = this.#model;
    this.body.replaceChildren(...this.#rows.slice(0, this.#limit).map(row => {
      const line = document.createElement('tr');
      line.dataset.row = row;
      line.tabIndex = 0;
      if (model.error(row)) line.className = 'failed';
      for (const column of this.#columns) {
        const cell = line.insertCell();
        cell.textContent = column.shown(row);
        if (column.number) cell.className = 'number';
        if (column.error) cell.className = 'error';
      }
      return line;
    }));
    const of = model.whole ? model.rows : `${model.rows} that are here`;
    this.section.querySelector('#count').textContent = this.#rows.length === model.rows
      ? `${counted(model.rows, 'point')}${model.whole ? '' : ` of ${model.done}, drawn at random, with those on fronts and the first that failed`}`
      : `${this.#rows.length} of ${of}`;
    this.section.querySelector('#more').hidden = this.#rows.length <= this.#limit;
  }
}
