// SPDX-License-Identifier: BSD-3-Clause
// Chromium without a window, driven through its debugging pipe (Chrome DevTools Protocol): messages are JSON with a
// zero byte behind each.
'use strict';
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { pathToFileURL } = require('url');

class Chromium {
  #process; #toBrowser; #profile; #next = 1; #waiting = new Map(); #pages = new Map();

  static async start(program = process.env.CHROMIUM || 'chromium') {
    const browser = new Chromium();
    browser.#profile = fs.mkdtempSync(path.join(os.tmpdir(), 'chromium-'));
    const words = ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${browser.#profile}`, '--disable-gpu',
      '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'];
    if (process.getuid() === 0) words.push('--no-sandbox'); // it refuses to start otherwise
    browser.#process = spawn(program, words, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    browser.#process.on('error', error => browser.#fail(error));
    browser.#process.on('exit', code => browser.#fail(new Error(`${program} ended with ${code}`)));
    browser.#toBrowser = browser.#process.stdio[3];
    browser.#toBrowser.on('error', error => browser.#fail(error));
    let text = '';
    browser.#process.stdio[4].setEncoding('utf8').on('data', piece => {
      text += piece;
      const messages = text.split('\0');
      text = messages.pop();
      messages.forEach(message => browser.#receive(JSON.parse(message)));
    });
    return browser;
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.#next++;
    this.#toBrowser.write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, method }));
  }

  #receive({ id, result, error, method, params, sessionId }) {
    if (id === undefined) {
      this.#pages.get(sessionId)?.event(method, params);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting.reject(new Error(`${waiting.method}: ${error.message}`));
    else waiting.resolve(result);
  }

  #fail(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  async open(file, { width = 1280, height = 900, dark = false } = {}) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page((method, params) => this.send(method, params, sessionId));
    this.#pages.set(sessionId, page);
    await page.begin(width, height, dark);
    await page.go(pathToFileURL(path.resolve(file)).href);
    return page;
  }

  async close() {
    const ended = new Promise(resolve => this.#process.once('exit', resolve));
    this.send('Browser.close').catch(() => {});
    await ended;
    fs.rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  errors = []; // exceptions, console.error and what the browser complains of
  requests = []; // for anything but the page itself
  #loaded;

  constructor(send) { this.send = send; }

  async begin(width, height, dark) {
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await this.send(`${domain}.enable`);
    await this.look(width, height, dark);
  }

  async look(width, height, dark) {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] });
  }

  async go(url) {
    this.url = url;
    const loaded = new Promise(resolve => { this.#loaded = resolve; });
    const start = Date.now();
    await this.send('Page.navigate', { url });
    await loaded;
    this.loadedMs = Date.now() - start;
  }

  event(method, params) {
    if (method === 'Page.loadEventFired') this.#loaded?.();
    if (method === 'Runtime.exceptionThrown') this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(params.type)) this.errors.push(params.args.map(arg => arg.value ?? arg.description).join(' '));
    if (method === 'Log.entryAdded' && params.entry.level === 'error') this.errors.push(params.entry.text);
    if (method === 'Network.requestWillBeSent' && params.request.url !== this.url && !params.request.url.startsWith('data:')) this.requests.push(params.request.url);
  }

  // The value of an expression in the page.
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  async clickAt(x, y) {
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
      await this.send('Input.dispatchMouseEvent', { type, x, y, button: type === 'mouseMoved' ? 'none' : 'left', clickCount: type === 'mouseMoved' ? 0 : 1 });
  }

  // The middle of the first element that a selector finds.
  async click(selector) {
    const at = await this.evaluate(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); if (!e) return null; e.scrollIntoView({ block: 'center' });
      const r = e.getBoundingClientRect(); return [Math.min(r.x + r.width / 2, innerWidth - 20), r.y + r.height / 2]; })()`);
    if (!at) throw new Error(`nothing to click: ${selector}`);
    await this.clickAt(...at);
  }

  // Types into an input, in the place of what it has.
  async type(selector, text) {
    await this.click(selector);
    await this.evaluate(`document.querySelector(${JSON.stringify(selector)}).select()`);
    if (text === '') await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'Delete', code: 'Delete', windowsVirtualKeyCode: 46 });
    else await this.send('Input.insertText', { text });
  }

  // Chooses an option of a select by its text.
  async choose(selector, text) {
    await this.evaluate(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); const o = [...e.options].find(o => o.text === ${JSON.stringify(text)});
      if (!o) throw new Error('no such option among ' + [...e.options].map(o => o.text)); e.value = o.value; e.dispatchEvent(new Event('change', { bubbles: true })); })()`);
  }

  async press(key) {
    for (const type of ['keyDown', 'keyUp']) await this.send('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: { Escape: 27, Enter: 13 }[key] });
  }

  async text(selector) { return this.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText`); }

  async screenshot(file, whole = true) {
    const { data } = await this.send('Page.captureScreenshot', { captureBeyondViewport: whole });
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  }
}

module.exports = { Chromium };
