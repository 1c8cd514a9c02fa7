// The service and a scan's child load few modules at start, because each module costs memory as long as they run.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SHOW_WHAT_IS_LOADED = `
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      process.stdout.write(url + '\\n');
      return next(url, context);
    },
  });
  await import(process.argv[1]);
`;

function loadedBy(module: string): string[] {
  const file = join(import.meta.dirname, '..', module);
  const args = ['--input-type=module', '--eval', SHOW_WHAT_IS_LOADED, file];
  return execFileSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
    .trim()
    .split('\n');
}

test.each([
  ['the service', 'cli/run-command.ts'],
  ['a scan', 'discovery/scan/machine-scan.ts'],
  ['its settings', 'config/agent-config.ts'],
])('loads no schema library for %s, which would cost six megabytes', (_, module) => {
  const loaded = loadedBy(module);
  expect(loaded.some((url) => url.endsWith(module))).toBe(true);
  expect(loaded.filter((url) => url.includes('/typebox/'))).toEqual([]);
});
