// The list of errors, the code that throws them and the page that explains them say the same.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '@gatewarden/hub/src/platform/http/error-list.ts';
import { expect, test } from 'vitest';
import { ROOT } from './planted.ts';

const LIST = 'hub/src/platform/http/error-list.ts';
const codes = Object.keys(ERRORS).sort();

interface Explained {
  code: string;
  status: number;
  cause: string;
  cure: string;
}

function explained(page: string): Explained[] {
  return page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => /^`[a-z_]+`$/.test(cells[1] ?? ''))
    .map(([, code = '', status = '', cause = '', cure = '']) => ({
      code: code.slice(1, -1),
      status: Number(status),
      cause,
      cure,
    }));
}

/** Codes that no code of the product answers with. */
function unused(known: readonly string[], sources: readonly string[]): string[] {
  const all = sources.join('\n');
  return known.filter((code) => !all.includes(`'${code}'`) && !all.includes(`ERRORS.${code}`));
}

const sources = globSync('hub/src/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    // The list itself does not count as a use.
    return path === LIST ? text.slice(text.indexOf('export type ErrorCode')) : text;
  });

test('every code of the list is answered by something', () => {
  expect(unused(codes, sources)).toEqual([]);
});

test('a code that nothing answers with is noticed', () => {
  expect(unused(['not_found', 'planted_code'], sources)).toEqual(['planted_code']);
});

test('docs/errors.md explains exactly these codes, with their status, cause and cure', () => {
  const rows = explained(readFileSync(join(ROOT, 'docs/errors.md'), 'utf8'));
  expect(rows.map((one) => one.code).sort()).toEqual(codes);
  for (const { code, status, cause, cure } of rows) {
    expect([code, status]).toEqual([code, ERRORS[code as keyof typeof ERRORS].status]);
    expect(cause).toMatch(/\.$/);
    expect(cure).toMatch(/\.$/);
  }
});

test('codes are named alike: lower case words', () => {
  for (const code of codes) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
});
