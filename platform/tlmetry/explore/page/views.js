// SPDX-License-Identifier: BSD-3-Clause
// The charts and what chooses them.

// A chart in its element, which draws itself anew when the window or its colours change.
class Chart {
  static all = [];

  constructor(element, open) {
    this.element = element;
    this.open = open;
    Chart.all.push(this);
  }

  draw(option) {
    this.option = option ?? this.option;
    this.drawn?.dispose();
    const made = typeof this.option === 'function' ? this.option(this.element.clientWidth) : this.option;
    const lines = made.legend ? legendLines(made, this.element.clientWidth) : 0;
    this.element.style.height = `${(made.parallel?.layout === 'vertical' ? 60 * made.parallelAxis.length + 110 : made.parallel ? 420 : 340) + 25 * lines}px`;
    this.drawn = echarts.init(this.element, dark.matches ? 'dark' : null);
    this.drawn.setOption(withTooltip(completed(made, lines, this.element.clientWidth)));
    this.drawn.on('click', ({ data }) => { if (data && !Array.isArray(data)) this.open(data.row, data.point ?? null, data.value[4] ?? data.count ?? 1); });
  }
}

const shownNumber = value => (typeof value === 'number' ? shortNumber(value, 5) : value);
const escaped = text => String(text).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);

// Texts at the pointer.
function withTooltip(option) {
  const line = (marker, name, text) => `${marker ?? ''}${escaped(name)}: <b>${escaped(text)}</b>`;
  const kind = option.series[0]?.type;
  const formatters = {
    line: all => {
      const shown = all.filter(one => !String(one.seriesId).startsWith('band'));
      if (shown.length === 0) return '';
      const head = escaped(shown[0].axisValueLabel);
      return [head, ...shown.map(one => {
        const [, mean, least, most] = one.value;
        return line(one.marker, one.seriesName, shownNumber(mean) + (most > least ? ` (${shownNumber(least)} … ${shownNumber(most)})` : ''));
      })].join('<br>');
    },
    heatmap: ({ data, name, seriesName }) => {
      const value = data.text ?? shownNumber(data.value[2]);
      return `${escaped(name)} · ${escaped(option.yAxis.data[data.value[1]])}<br>${line('', seriesName, value)}` + (data.count > 1 ? `<br>of ${data.count} points` : '');
    },
    scatter: ({ data, seriesName }) => [
      escaped(seriesName), line('', option.xAxis.name, shownNumber(data.value[0])), line('', option.yAxis.name, shownNumber(data.value[1])),
      ...(data.value.length > 2 ? [`${data.value[2]} points`] : []),
    ].join('<br>'),
    parallel: ({ data }) => data.value.map((value, i) => line('', option.parallelAxis[i].name, shownNumber(value))).join('<br>'),
  };
  option.tooltip.formatter = formatters[kind];
  return option;
}

function fill(select, choices, value) {
  select.replaceChildren(...choices.map(([key, text]) => new Option(text, key)));
  select.value = String(value);
}

// A section with its selectors and its chart.
class View {
  constructor(model, section, plot, open) {
    this.model = model;
    this.section = section;
    this.chart = new Chart(section.querySelector('.chart'), open);
    section.hidden = false;
    section.querySelector('.controls').addEventListener('change', event => this.changed(event.target));
    this.set(plot);
  }

  set(plot) {
    this.plot = { ...plot };
    this.show();
  }

  get(name) { return this.section.querySelector(`[data-set=${name}]`); }

  changed(control) {
    const { model, plot } = this;
    const name = control.dataset.set;
    const number = control.value === '' ? null : Number(control.value);
    if (name === 'output') plot.outputs = number === null ? plot.outputs : [number];
    else if (name === 'x' || name === 'by') this.#chooseAxis(name, number);
    else if (name === 'at') {
      if (number === null) delete plot.at[control.dataset.axis];
      else plot.at[control.dataset.axis] = number;
    } else if (control.type === 'checkbox') plot[name] = control.checked;
    else if (name === 'right' || name === 'up') {
      const side = name === 'right' ? 'x' : 'y';
      const { output, number: of } = model.dimensions[number];
      plot[side] = { ...plot[side], output, number: of };
    } else if (name === 'rightBetter') plot.x = { ...plot.x, better: control.value };
    else if (name === 'upBetter') plot.y = { ...plot.y, better: control.value };
    this.show();
  }

  #chooseAxis(name, number) {
    const { model, plot } = this;
    const before = plot[name];
    plot[name] = number;
    if (plot.kind === 'scatter') return;
    const other = name === 'x' ? 'by' : 'x';
    if (plot[other] === number) plot[other] = before;
    if (name === 'x') plot.logX = undefined;
    const used = [plot.x, plot.by];
    if (plot.at) plot.at = defaultPlace(model, { ...plot, at: Object.fromEntries(Object.entries(plot.at).filter(([axis]) => !used.includes(Number(axis)))) });
  }

  show() {
    const { model, plot, section } = this;
    const outputs = model.outputs.filter(output => plot.kind === 'heat' || !output.text);
    if (this.get('output')) {
      const several = plot.outputs.length > 1;
      const choices = outputs.map(output => [output.number, output.name]);
      if (several) choices.unshift(['', plot.outputs.map(output => model.outputs[output].name).join(', ')]);
      fill(this.get('output'), choices, several ? '' : plot.outputs[0]);
    }
    if (plot.kind === 'lines' || plot.kind === 'heat') this.#showAxes();
    if (plot.kind === 'scatter') this.#showDimensions();
    section.querySelector('.caption').textContent = this.#caption();
    this.chart.draw(width => optionOf(model, plot, width));
  }

  #showAxes() {
    const { model, plot } = this;
    const axes = model.axes.filter(axis => axis.labels.length > 1 || axis.number === plot.x);
    const choices = axes.map(axis => [axis.number, axis.title]);
    fill(this.get('x'), choices, plot.x);
    fill(this.get('by'), plot.kind === 'lines' ? [['', 'one'], ...choices] : choices, plot.by ?? '');
    const others = axes.filter(axis => axis.number !== plot.x && axis.number !== plot.by);
    const free = model.together - [plot.x, plot.by].filter(axis => axis !== null).length;
    const full = Object.keys(plot.at).length >= free;
    this.section.querySelector('.fixed').replaceChildren(...others.map(axis => {
      const label = document.createElement('label');
      const select = document.createElement('select');
      select.dataset.set = 'at';
      select.dataset.axis = axis.number;
      fill(select, [['', 'all'], ...axis.labels.map((_, place) => [place, model.label(axis, place)])], plot.at[axis.number] ?? '');
      select.disabled = full && !(axis.number in plot.at);
      select.title = select.disabled ? 'of so many points the page knows only so many axes together' : '';
      label.append(`${axis.title} `, select);
      return label;
    }));
    if (plot.kind !== 'lines') return;
    const x = model.axes[plot.x];
    this.get('logX').disabled = !x.numeric || Math.min(...x.numbers) <= 0;
    this.get('logX').checked = plot.logX ?? x.log;
    this.get('logY').checked = plot.logY ?? false;
    this.get('band').checked = plot.band ?? true;
  }

  #showDimensions() {
    const { model, plot } = this;
    const choices = model.dimensions.map((d, i) => [i, d.name]);
    const at = d => model.dimensions.findIndex(known => known.output === d.output && known.number === d.number);
    fill(this.get('right'), choices, at(plot.x));
    fill(this.get('up'), choices, at(plot.y));
    this.get('rightBetter').value = plot.x.better || 'max';
    this.get('upBetter').value = plot.y.better || 'max';
    this.get('by').closest('label').hidden = !model.whole;
    fill(this.get('by'), [['', 'one'], ...model.axes.filter(axis => axis.labels.length > 1).map(axis => [axis.number, axis.title])], plot.by ?? '');
  }

  #caption() {
    const { model, plot } = this;
    const notes = [];
    if (plot.kind === 'lines' || plot.kind === 'heat') {
      if (caption(model, plot)) notes.push(caption(model, plot));
      const by = plot.kind === 'lines' && plot.by !== null ? model.axes[plot.by] : null;
      if (by && by.labels.length > mostLines) notes.push(`${mostLines} of ${by.labels.length} values of ${by.title}`);
    }
    if (plot.kind === 'parallel') notes.push('Drag along an axis to pick a range of it; click beside the range to let it go.');
    if (plot.kind === 'scatter') {
      notes.push(model.whole ? 'The dashed line joins the points than which none is better in one and not worse in the other.'
        : `Fields hold numbers of points, of ${model.done}; the front is that of all of them.`);
    }
    return notes.join(' · ');
  }
}

// The plots that the plan asks for, each with a way into its section.
function drawPlots(model, views, open) {
  const box = document.getElementById('plots');
  box.hidden = model.plots.length === 0;
  const charts = [];
  for (const plot of model.plots) {
    const figure = document.createElement('figure');
    const title = document.createElement('figcaption');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'change';
    const whole = completePlot(model, plot);
    button.addEventListener('click', () => {
      views[plot.kind].set(whole);
      views[plot.kind].section.scrollIntoView();
    });
    title.append(titleOf(model, plot), button);
    const note = document.createElement('p');
    note.className = 'caption';
    note.textContent = plot.kind === 'scatter' ? '' : caption(model, whole);
    const chart = document.createElement('div');
    chart.className = 'chart';
    figure.append(title, note, chart);
    box.append(figure);
    charts.push([new Chart(chart, open), whole]);
  }
  // When all of them are there, they have their widths.
  for (const [chart, plot] of charts) chart.draw(width => optionOf(model, plot, width));
}
