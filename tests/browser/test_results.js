// SPDX-License-Identifier: BSD-3-Clause
// Clicks through the page of `tlmetry explore` as people do: PROGRAM and MAKE_RESULTS name the programs, CONFIGS the
// folder of configurations.
'use strict';
const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { after, before, test } = require('node:test');
const { Chromium } = require('./chromium.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tlmetry-browser-'));
let browser;
before(async () => { browser = await Chromium.start(); });
after(async () => {
  await browser?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const { PROGRAM: program, MAKE_RESULTS: makeResults, CONFIGS: configs } = process.env;

// The page of a plan; points are simulated, or made up where there are many.
function pageOf(name, plan, madeUp = false) {
  const file = path.join(folder, `${name}.ini`);
  fs.writeFileSync(file, plan);
  if (madeUp) execFileSync(makeResults, [file, path.join(folder, `${name}.results`)]);
  const { status } = spawnSync(program, ['explore', file], { cwd: folder });
  assert.ok(status === 0 || status === 1, `tlmetry explore ends with ${status}`);
  return path.join(folder, `${name}.results`, 'results.html');
}

const smallPlan = `[explore]
base = ${configs}/case_01_32_tags.ini
outputs = useful_rate, F4, verdict.first, predicted.useful_rate
repetitions = 2
[axes]
ptc.tags = 32, 64, 128, 512
traffic.read_size.bytes = 64B, 256B, 512B
host.latency = 500ns, 1us
[link]
extended_tag = true
[run]
duration = 20us
warmup = 10us
`;
const page = '[page]\ntitle = Tags & <payload>\nplot.rates = useful_rate, predicted.useful_rate over ptc.tags by traffic.read_size.bytes at host.latency=1us\n'
  + 'plot.verdicts = verdict.first over ptc.tags and traffic.read_size.bytes\nplot.cost = useful_rate max against ptc.tags min\n';

async function open(file, look) {
  const opened = await browser.open(file, look);
  opened.chart = id => opened.evaluate(`Chart.all.find(chart => chart.element.closest('#${id}')).drawn.getOption()`);
  return opened;
}

function assertQuiet(opened) {
  assert.deepEqual(opened.errors, []);
  assert.deepEqual(opened.requests, []);
}

let small;
const smallPage = () => (small ??= pageOf('small', page + smallPlan));
const cells = (opened, column) => opened.evaluate(`[...document.querySelectorAll('#points tbody tr')].map(row => row.cells[${column}].innerText)`);
const lines = option => option.series.filter(series => !String(series.id).startsWith('band'));

test('a page is right when it is opened', async () => {
  const opened = await open(smallPage());
  assert.equal(await opened.text('h1'), 'Tags & <payload>');
  assert.match(await opened.text('#about'), /^48 points, 12 failed/);
  const option = await opened.chart('lines');
  assert.deepEqual(lines(option).slice(0, 3).map(series => series.name), ['useful_rate, 64B', 'useful_rate, 256B', 'useful_rate, 512B']);
  assert.equal(option.xAxis[0].type, 'log');
  assert.deepEqual(option.series[0].data.map(one => one.value[0]), [32, 64, 128]);
  assert.equal(await opened.text('#lines .caption'), 'host.latency = 1us');
  assert.equal(await opened.evaluate("document.querySelectorAll('#plots canvas').length"), 3);
  assertQuiet(opened);
});

test('selectors choose what is shown', async () => {
  const opened = await open(smallPage());
  await opened.choose('#lines [data-set=output]', 'F4');
  await opened.choose('#lines [data-set=x]', 'traffic.read_size.bytes');
  let option = await opened.chart('lines');
  assert.deepEqual(lines(option).map(series => series.name), ['32', '64', '128', '512']); // axes have changed places
  assert.deepEqual(option.series[0].data.map(one => one.value[0]), [64, 256, 512]);
  await opened.choose('#lines [data-set=by]', 'one');
  await opened.choose('#lines [data-set=at][data-axis="0"]', '128');
  await opened.choose('#lines [data-set=at][data-axis="2"]', 'all');
  option = await opened.chart('lines');
  assert.deepEqual(lines(option).map(series => series.name), ['F4']);
  assert.equal(option.series[0].data[0].value[4], 4); // two latencies, twice
  assert.ok(option.series.some(series => String(series.id).startsWith('band')));
  const [low, high] = option.series.filter(series => String(series.id).startsWith('band'));
  const [, mean, least, most] = option.series[0].data[0].value;
  assert.ok(least < mean && mean < most);
  assert.equal(low.data[0][0], least);
  assert.ok(Math.abs(low.data[0][0] + high.data[0][0] - most) < 1e-6 * most);
  // The band is drawn where its numbers are.
  const top = await opened.evaluate(`(() => { const { drawn } = Chart.all.find(chart => chart.element.closest('#lines'));
    const band = drawn.getModel().getSeriesByIndex(2); return band.getData().getLayout('points')[1] - drawn.convertToPixel({ seriesIndex: 0 }, [64, ${most}])[1]; })()`);
  assert.ok(Math.abs(top) < 1);
  await opened.click('#lines [data-set=band]');
  assert.ok(!(await opened.chart('lines')).series.some(series => String(series.id).startsWith('band')));
  await opened.click('#lines [data-set=logX]');
  assert.equal((await opened.chart('lines')).xAxis[0].type, 'value');
  assertQuiet(opened);
});

test('a heat map has a field for each pair', async () => {
  const opened = await open(smallPage());
  let option = await opened.chart('heat');
  assert.equal(option.visualMap[0].type, 'piecewise'); // of verdicts, as the plan wants
  await opened.choose('#heat [data-set=output]', 'useful_rate');
  option = await opened.chart('heat');
  assert.equal(option.series[0].data.length, 9); // 512 tags have failed
  assert.equal(option.visualMap[0].formatter, '{value} GB/s');
  const shown = option.series[0].data.map(one => one.value[2]);
  assert.deepEqual([option.visualMap[0].min, option.visualMap[0].max], [Math.min(...shown), Math.max(...shown)]);
  await opened.choose('#heat [data-set=by]', 'host.latency');
  option = await opened.chart('heat');
  assert.deepEqual(option.yAxis[0].data, ['500ns', '1us']);
  assertQuiet(opened);
});

test('the Pareto front is that of the chosen directions', async () => {
  const opened = await open(smallPage());
  const front = async () => (await opened.chart('scatter')).series.find(series => series.name === 'Pareto front').data.map(one => one.value);
  const more = await front();
  assert.ok(more.length > 1);
  for (let i = 1; i < more.length; ++i) assert.ok(more[i][0] > more[i - 1][0] && more[i][1] > more[i - 1][1]); // fewer tags cost rate
  await opened.choose('#scatter [data-set=rightBetter]', 'high');
  assert.equal((await front()).length, 1);
  await opened.choose('#scatter [data-set=right]', 'F4');
  assert.match((await opened.chart('scatter')).xAxis[0].name, /^F4/);
  assertQuiet(opened);
});

test('the table sorts and filters', async () => {
  const opened = await open(smallPage());
  const column = title => opened.evaluate(`[...document.querySelectorAll('#points thead tr:first-child th')].findIndex(th => th.textContent === '${title}')`);
  const rate = await column('useful_rate'), tags = await column('ptc.tags'), verdict = await column('verdict.first');
  const numbers = async () => opened.evaluate(`[...document.querySelectorAll('#points tbody tr')].map(row => Number(row.cells[${rate}].innerText.split(' ')[0]) * (row.cells[${rate}].innerText.endsWith('GB/s') ? 1 : 0))`);
  await opened.click(`#points thead th:nth-child(${rate + 1})`);
  await opened.click(`#points thead th:nth-child(${rate + 1})`);
  const shown = (await numbers()).slice(0, 36);
  assert.deepEqual(shown, [...shown].sort((a, b) => b - a));
  assert.equal((await cells(opened, rate)).at(-1), '–'); // failed ones come last
  await opened.type(`#points thead tr:nth-child(2) th:nth-child(${tags + 1}) input`, '>64');
  assert.deepEqual([...new Set(await cells(opened, tags))].sort(), ['128', '512']);
  await opened.type(`#points thead tr:nth-child(2) th:nth-child(${rate + 1}) input`, '>=20GB/s');
  assert.deepEqual([...new Set(await cells(opened, tags))], ['128']);
  await opened.type(`#points thead tr:nth-child(2) th:nth-child(${verdict + 1}) input`, 'nothing like this');
  assert.match(await opened.text('#count'), /^0 of 48/);
  await opened.click('#clear');
  assert.match(await opened.text('#count'), /^48 points/);
  await opened.click('#failed');
  assert.deepEqual([...new Set(await cells(opened, tags))], ['512']);
  assertQuiet(opened);
});

test('a click on a row or a mark shows the configuration of the point', async () => {
  const opened = await open(smallPage());
  await opened.click('#points tbody tr:nth-child(4)');
  assert.equal(await opened.text('#point h2'), 'Point 3');
  const command = (await opened.text('#point .command')).trim();
  assert.match(command, /^tlmetry explore .*small\.ini --dump-config 3$/);
  // What the page shows is what the program makes of the point.
  const file = path.join(folder, 'point.ini');
  fs.writeFileSync(file, await opened.evaluate("document.querySelector('#point .configuration').textContent"));
  const dumped = execFileSync(program, command.split(' ').slice(1), { encoding: 'utf8' });
  assert.equal(execFileSync(program, ['run', file, '--dump-config'], { encoding: 'utf8' }), dumped);
  await opened.press('Escape');
  assert.equal(await opened.evaluate("document.querySelector('#point').open"), false);
  await opened.evaluate("document.querySelector('#heat').scrollIntoView()");
  const at = await opened.evaluate(`(() => { const { drawn, element } = Chart.all.find(chart => chart.element.closest('#heat'));
    const r = element.getBoundingClientRect(); const [x, y] = drawn.convertToPixel({ seriesIndex: 0 }, [1, 2]); return [r.x + x, r.y + y]; })()`);
  await opened.clickAt(...at);
  assert.equal(await opened.evaluate("document.querySelector('#point').open"), true);
  assert.match(await opened.text('#point .configuration'), /tags = 64/);
  assert.match(await opened.text('#point .configuration'), /bytes = 512B/);
  assertQuiet(opened);
});

test('a failed point tells its error', async () => {
  const opened = await open(smallPage());
  await opened.click('#failed');
  await opened.click('#points tbody tr');
  assert.match(await opened.text('#point .error'), /ptc.tags: expected at most 256/);
});

test('points that have failed all are in the table, though no plot has anything to show', async () => {
  const opened = await open(pageOf('all_failed', smallPlan.replace('32, 64, 128, 512', '512, 1024')));
  assert.match(await opened.text('#points tbody tr'), /ptc.tags: expected at most 256/);
  assertQuiet(opened);
});

test('a plot of the plan goes into its section', async () => {
  const opened = await open(smallPage());
  await opened.choose('#scatter [data-set=up]', 'F4');
  await opened.click('#plots figure:nth-child(3) button');
  assert.match((await opened.chart('scatter')).yAxis[0].name, /^useful_rate/);
  assertQuiet(opened);
});

test('a page fits in 400 pixels, light and dark', async () => {
  for (const dark of [false, true]) {
    const opened = await open(smallPage(), { width: 400, dark });
    assert.ok(await opened.evaluate('document.documentElement.scrollWidth <= innerWidth'));
    assert.equal(await opened.evaluate('getComputedStyle(document.body).backgroundColor'), dark ? 'rgb(20, 24, 30)' : 'rgb(255, 255, 255)');
    assertQuiet(opened);
  }
});

test('of many points there is what they have in common', async () => {
  const file = pageOf('many', `[explore]
outputs = useful_rate, F4, verdict.first
[axes]
ptc.tags = 1..256
traffic.read_size.bytes = 64B..1KiB log2
host.latency = 1us..10us lin 7
`, true);
  assert.ok(fs.statSync(file).size < 6e6);
  const opened = await open(file);
  assert.match(await opened.text('#about'), /^8960 points/);
  assert.match(await opened.text('#count'), /points of 8960, drawn at random/);
  const line = (await opened.chart('lines')).series[0].data.at(-1);
  assert.ok(line.value[4] >= 1);
  const points = (await opened.chart('scatter')).series[0].data.reduce((sum, one) => sum + one.value[2], 0);
  assert.equal(points, 8960 - Math.floor(8960 / 997)); // all but those that failed
  assert.ok((await opened.chart('scatter')).series.some(series => series.name === 'Pareto front'));
  await opened.choose('#lines [data-set=x]', 'host.latency');
  assert.deepEqual((await opened.chart('lines')).series[0].data.map(one => one.value[0]), [1, 2.5, 4, 5.5, 7, 8.5, 10]);
  await opened.click('#points tbody tr');
  assert.match(await opened.text('#point .configuration'), /\[ptc\]\ntags = /);
  assertQuiet(opened);
});

test('sampled axes are in bins', async () => {
  const opened = await open(pageOf('sampled', `[explore]
outputs = useful_rate, F4
[axes]
ptc.tags = 1..256
host.latency = 500ns..10us log
link.extended_tag = true, false
[sample]
kind = latin_hypercube
points = 200
`, true));
  const option = await opened.chart('heat');
  assert.ok(option.series[0].data.length > 50);
  assert.equal(await opened.evaluate("document.querySelector('#lines [data-set=at]').value"), ''); // all
  const sampledLines = await opened.chart('lines');
  assert.ok(sampledLines.series[0].showSymbol && sampledLines.series[0].lineStyle.opacity === 0);
  const scatter = await opened.chart('scatter');
  assert.equal(lines(scatter).filter(series => series.type === 'scatter').reduce((sum, series) => sum + series.data.length, 0), 200);
  assertQuiet(opened);
});

test('a goal has its table', async () => {
  const plan = path.join(folder, 'goal.ini');
  fs.writeFileSync(plan, smallPlan.replace('32, 64, 128, 512', '1..256').replace('repetitions = 2\n', ''));
  execFileSync(program, ['explore', plan, '--find', 'ptc.tags', '--until', 'useful_rate>=0.9max'], { cwd: folder });
  const opened = await open(path.join(folder, 'goal.results', 'find.html'));
  assert.equal(await opened.text('#goal'), 'Goal');
  assert.ok(fs.existsSync(path.join(folder, 'goal.results', await opened.evaluate("document.querySelector('#about a').getAttribute('href')"))));
  const found = JSON.parse(fs.readFileSync(path.join(folder, 'goal.results', 'find.json'), 'utf8'));
  assert.equal(found.combinations.length, 6);
  assert.ok((await opened.evaluate("[...document.querySelectorAll('table')][0].innerText")).includes(found.combinations[0].found.value));
  await opened.click('#points tbody tr');
  assert.match(await opened.text('#point .command'), /--find ptc.tags --until 'useful_rate>=0.9max' --dump-config 0/);
  assertQuiet(opened);
});

test('the page of characterize draws its charts', async () => {
  const file = path.join(folder, 'card.html');
  execFileSync(program, ['characterize', `${configs}/case_01_32_tags.ini`, '--quick', '--parts', 'outstanding', '--html', file], { cwd: folder });
  for (const width of [400, 1280]) {
    const opened = await browser.open(file, { width });
    assert.ok(await opened.evaluate("document.querySelectorAll('.chart canvas').length") >= 1);
    assert.ok(await opened.evaluate('document.documentElement.scrollWidth <= innerWidth'));
    assertQuiet(opened);
  }
});

test('plots of a plan become pictures without a browser', () => {
  const pictures = path.join(folder, 'pictures');
  execFileSync(process.execPath, [path.join(__dirname, '../../tools/plots'), path.dirname(smallPage()), '-o', pictures]);
  assert.deepEqual(fs.readdirSync(pictures).sort(), ['cost.svg', 'rates.svg', 'verdicts.svg']);
  assert.match(fs.readFileSync(path.join(pictures, 'rates.svg'), 'utf8'), /<svg[^]*useful_rate, 512B[^]*<\/svg>/);
});
