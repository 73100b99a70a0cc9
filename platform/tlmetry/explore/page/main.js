// SPDX-License-Identifier: BSD-3-Clause
// Puts the page together.

{
  const model = new Model(JSON.parse(document.getElementById('results').textContent));
  const dialog = new PointDialog(model, document.getElementById('point'));
  const open = (row, number, count) => dialog.open(row, number, count);
  const about = document.getElementById('about');
  const failed = model.failed > 0 ? `, ${model.failed} failed` : '';
  const missing = model.done < model.planned;
  about.textContent = `${missing ? `${model.done} of ${counted(model.planned, 'point')}` : counted(model.done, 'point')}${failed}, by tlmetry ${model.version}. `
    + `${model.whole ? '' : 'The page has what they have in common and some of them one by one. '}${model.goal ? 'The goal' : 'All of them'}, with all digits: `;
  const link = document.createElement('a');
  link.href = link.textContent = model.goal ? 'find.csv' : 'results.csv';
  about.append(link);
  const views = {};
  for (const [kind, plot] of Object.entries(firstPlots(model))) views[kind] = new View(model, document.getElementById(kind), plot, open);
  drawPlots(model, views, open);
  new PointTable(model, document.getElementById('points'), open);
  const redraw = () => Chart.all.forEach(chart => chart.draw());
  dark.addEventListener('change', redraw);
  let width = innerWidth;
  addEventListener('resize', () => { if (innerWidth !== width) { width = innerWidth; redraw(); } });
}
