// The console with its libraries for development, which write down what is wrong in a page: a list without keys, markup
// that cannot be nested, a field that changes hands. A hub serves what people get; here its answers get these files instead.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { expect } from 'vitest';
import { buildConsoleInto } from './build-console-into.ts';

/** A warning that only React's development build contains. */
const ONLY_THERE = 'Each child in a list should have a unique';

/** Serves the tenant's pages of a signed-in context with React's development build; returns a function that deletes the files. */
export async function serveForDevelopment(context: BrowserContext): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-development-'));
  await buildConsoleInto(folder, 'development', { minify: false });
  const scripts = globSync('assets/*.js', { cwd: folder });
  expect(
    scripts.some((script) => readFileSync(join(folder, script), 'utf8').includes(ONLY_THERE)),
  ).toBe(true);
  await context.route('**/console/assets/*', (route) =>
    route.fulfill({
      path: join(folder, 'assets', basename(new URL(route.request().url()).pathname)),
    }),
  );
  const index = readFileSync(join(folder, 'index.html'), 'utf8');
  await context.route('**/console/t/**', async (route) => {
    const response = await route.fetch();
    // The hub's own headers stay: its content security policy applies to these files as well.
    await route.fulfill({ response, body: index });
  });
  return () => rmSync(folder, { recursive: true, force: true });
}
