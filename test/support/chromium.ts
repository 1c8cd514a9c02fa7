// Chromium of this machine for the browser tests. GATEWARDEN_TEST_HEADED=1 shows its windows, and slows each action down so
// that a person can follow; the Chromium of CHROMIUM_PATH must have windows then.
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../scripts/check.ts';

/** The worker's browser, started once: files run in sequence there, and each closes the profiles that it opened. */
let running: Promise<Browser> | null = null;

/** Returns a handle whose `close` closes the profiles of its opener, and not the browser. */
export async function openChromium(): Promise<Browser> {
  if (running === null || !(await running).isConnected()) running = launched();
  const browser = await running;
  const others = new Set(browser.contexts());
  const contexts = () => browser.contexts().filter((browserContext) => !others.has(browserContext));
  const close = async () => {
    await Promise.all(contexts().map((browserContext) => browserContext.close()));
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

const isHeaded = process.env.GATEWARDEN_TEST_HEADED === '1';
const SLOW_MOTION_MS = 250;

async function launched(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('no Chromium on this machine');
  return chromium.launch({
    executablePath,
    headless: !isHeaded,
    slowMo: isHeaded ? SLOW_MOTION_MS : 0,
    args: [
      '--no-sandbox',
      ...(isHeaded ? [] : ['--headless']),
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
