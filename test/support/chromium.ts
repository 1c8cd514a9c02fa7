// Chromium for the browser tests: the one the machine has.
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../scripts/check.ts';

/** The worker's own, started once: files run one after the other there, and each gives back the profiles that it opened. */
let running: Promise<Browser> | null = null;

/** What it gives closes the profiles of whoever opened it, and not the browser. */
export async function openChromium(): Promise<Browser> {
  if (running === null || !(await running).isConnected()) running = launched();
  const browser = await running;
  const others = new Set(browser.contexts());
  const contexts = () => browser.contexts().filter((one) => !others.has(one));
  const close = async () => {
    await Promise.all(contexts().map((one) => one.close()));
  };
  return new Proxy(browser, {
    get(target, name) {
      if (name === 'close') return close;
      if (name === 'contexts') return contexts;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function launched(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('no Chromium on this machine');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--headless',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
