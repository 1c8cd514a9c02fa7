// The list of gates that `npm test` runs is complete, and a failing gate fails the run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { GATES, type Gate, runGates } from '../../scripts/check.ts';
import { ROOT } from './planted.ts';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const commandOf = (title: string) => GATES.find((gate) => gate.title === title)?.command.join(' ');

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs planted gates, and returns the outcome with the printed lines. */
async function runPlanted(...gates: Gate[]): Promise<{ passed: boolean; output: string }> {
  let output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    output += String(chunk);
    return true;
  });
  const passed = await runGates(gates);
  vi.restoreAllMocks();
  return { passed, output };
}

const passing: Gate = { title: 'passing', command: ['true'] };

test('runs every gate', () => {
  expect(GATES.map(({ title, command }) => `${title}: ${command.join(' ')}`)).toEqual([
    'lint and format: biome ci --colors=off .',
    'types: tsc -p tsconfig.json',
    'types of the console: tsc -p hub/console/tsconfig.json',
    'types of the tray app: tsc -p agent/desktop/page/tsconfig.json',
    'unused code and dependencies: knip --no-progress',
    `module boundaries: ${scripts.boundaries}`,
    'console build: node scripts/build-console.ts',
    'schema and OpenAPI document: node scripts/dump.ts --check',
    'reference pages: node scripts/docs.ts --check',
  ]);
});

test('checks the types of the projects of `npm run types`', () => {
  const titles = ['types', 'types of the console', 'types of the tray app'];
  expect(titles.map(commandOf).join(' && ')).toBe(scripts.types);
});

test('passes where each gate passes', async () => {
  expect(await runPlanted(passing, passing, passing)).toMatchObject({ passed: true });
});

test.each<[string, Gate[], string]>([
  ['exits with 1', [passing, { title: 'planted', command: ['false'] }], 'planted'],
  ['exits with 1 before others', [{ title: 'planted', command: ['false'] }, passing], 'planted'],
  ['ends by a signal', [{ title: 'planted', command: ['sh', '-c', 'kill -9 $$'] }], 'planted'],
  [
    'exits with 0 and prints a fault',
    [{ title: 'planted', command: ['true'], objection: () => 'read nothing' }],
    'planted: read nothing',
  ],
])('fails where a gate %s', async (_fault, gates, failure) => {
  const { passed, output } = await runPlanted(...gates);
  expect(passed).toBe(false);
  expect(output).toContain(`failed: ${failure}\n`);
});

test.each([
  ['module boundaries', 'no dependency violations found (12 modules, 3 dependencies cruised)'],
  ['console build', 'The console was not built: no libraries'],
])('gate %s refuses an output without work', (title, output) => {
  expect(GATES.find((gate) => gate.title === title)?.objection?.(output)).not.toBeNull();
});
