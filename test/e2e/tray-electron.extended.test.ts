// The tray app in a real Electron, if it is installed: its binary comes from no npm package, so its absence is printed.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { _electron } from 'playwright-core';
import { expect, test } from 'vitest';

const DESKTOP = join(import.meta.dirname, '../../agent/desktop');
const program = electronProgram();
if (program === null) {
  process.stdout.write(
    'skipped: the tray app in Electron: no binary here (npx install-electron, or set ELECTRON_PATH)\n',
  );
}

test.skipIf(program === null)('opens a window without Node and without navigation', async () => {
  const app = await _electron.launch({
    executablePath: program ?? '',
    args: [DESKTOP, '--data-dir=/nowhere'],
  });
  try {
    await app.evaluate(({ app }) => app.emit('activate'));
    const page = await app.firstWindow();
    await page.getByText('The agent does not run').waitFor();
    await page.getByText('No agent runs on this device.').waitFor();
    expect(
      await page.evaluate('[typeof require, typeof process, Object.keys(gatewarden)]'),
    ).toEqual(['undefined', 'undefined', ['ask']]);
    expect(await page.evaluate('window.open("https://example.com/")')).toBe(null);
    await page.evaluate('location.href = "https://example.com/"');
    expect(await page.evaluate('Notification.requestPermission()')).toBe('denied');
    expect(page.url()).toBe('gatewarden://app/index.html');
  } finally {
    await app.close();
  }
});

/** Returns the program that `npx install-electron` put beside the package, or that the environment names. */
function electronProgram(): string | null {
  const named = process.env.ELECTRON_PATH;
  if (named !== undefined && existsSync(named)) return named;
  const find = createRequire(join(DESKTOP, 'package.json'));
  const folder = dirname(find.resolve('electron/package.json'));
  const path = join(folder, 'path.txt');
  if (!existsSync(path)) return null;
  const installed = join(folder, 'dist', readFileSync(path, 'utf8'));
  return existsSync(installed) ? installed : null;
}
