// SPDX-License-Identifier: BSD-3-Clause
// What is known of one point, and its configuration.

// As tlmetry reads it.
function quotedIfNeeded(text) {
  if (text === text.trim() && !/["\\\n\r]|(^|\s)[#;]/.test(text)) return text;
  return '"' + text.replace(/[\\"\n\r]/g, c => ({ '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r' })[c]) + '"';
}

// What the axes and the repetition set: [name, text].
function settingsOf(model, row) {
  const { points } = model;
  const settings = points.parameters.map(parameter => [parameter.name, parameter.texts[parameter.of[row]]]);
  if (points.seed[row]) settings.push(['run.seed', points.seed[row]]);
  return settings;
}

// The configuration file of a point: what its base and the plan set, and then the point. Everything else has its
// default.
function configurationOf(model, row) {
  const lines = new Map(model.bases[model.points.base[row]].lines);
  for (const [name, text] of settingsOf(model, row)) lines.set(name, text);
  const sections = new Map();
  for (const [name, text] of lines) {
    // Of a parameter with an argument that comes behind a blank.
    const end = name.split(' ')[0].lastIndexOf('.');
    const section = name.slice(0, end);
    if (!sections.has(section)) sections.set(section, []);
    sections.get(section).push(`${name.slice(end + 1)} = ${quotedIfNeeded(text)}`);
  }
  return [...sections].map(([section, keys]) => `[${section}]\n${keys.join('\n')}\n`).join('\n');
}

class PointDialog {
  #model; #dialog;

  constructor(model, dialog) {
    this.#model = model;
    this.#dialog = dialog;
    dialog.addEventListener('click', event => { if (event.target === dialog) dialog.close(); });
  }

  // The point in this row, or one of this number that the page does not have; `count` are behind the same mark.
  open(row, number = null, count = 1) {
    const model = this.#model;
    const known = row !== null && row !== undefined && !Number.isNaN(row);
    if (!known && number === null) return;
    const index = known ? model.points.index[row] : number;
    this.#dialog.querySelector('h2').textContent = `Point ${index}`;
    const sheet = this.#dialog.querySelector('.sheet');
    sheet.replaceChildren();
    const add = (name, text, kind = '') => {
      const element = document.createElement(name);
      element.textContent = text;
      if (kind) element.className = kind;
      sheet.append(element);
    };
    if (count > 1) add('p', `The first of ${count} points that stand together there.`);
    if (known) {
      const error = model.error(row);
      if (error) add('p', error, 'finding error');
      add('h3', 'Set by the plan for this point');
      const base = model.bases[model.points.base[row]].name;
      this.#table(sheet, [['base', base], ...settingsOf(model, row)]);
      if (!error) {
        add('h3', 'Results');
        this.#table(sheet, model.outputs.map(output => [output.name, formatted(model.points.outputs[output.number][row], output.unit)]));
      }
      add('h3', 'Configuration, for tlmetry run');
      add('pre', configurationOf(model, row), 'configuration');
    } else {
      add('p', `The page has no more of this point than the plot${model.goal ? '' : '; results.csv has'}.`);
    }
    add('h3', 'The same with all defaults is printed by');
    add('pre', `${model.command} ${index}`, 'command');
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  #table(to, rows) {
    const table = document.createElement('table');
    for (const [name, value] of rows) {
      const line = table.insertRow();
      line.insertCell().textContent = name;
      line.insertCell().textContent = value;
    }
    to.append(table);
  }
}
