// The list of errors, the code that throws them and the page that explains them agree.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_SECTIONS } from '@gatewarden/hub/src/platform/http/errors/error-help.ts';
import { ERRORS } from '@gatewarden/hub/src/platform/http/errors/error-list.ts';
import { expect, test } from 'vitest';
import { errorsPage } from '../../scripts/docs/errors.ts';
import { firstDifference } from '../../scripts/dump.ts';
import { ROOT, withPlanted } from './planted.ts';

const LIST = 'hub/src/platform/http/errors/error-list.ts';
const codes = Object.keys(ERRORS).sort();

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

test('finds a sender for every code of the list', () => {
  expect(unused(codes, sources)).toEqual([]);
});

test('reports an error code without a sender', () => {
  expect(unused(['not_found', 'planted_code'], sources)).toEqual(['planted_code']);
});

test('explains each code once, with cause and cure', () => {
  const explained = ERROR_SECTIONS.flatMap((section) => Object.entries(section.codes));
  expect(explained.map(([code]) => code).sort()).toEqual(codes);
  for (const [code, { cause, cure }] of explained) {
    expect([code, cause]).toEqual([code, expect.stringMatching(/^[^|\n]+\.$/)]);
    expect([code, cure]).toEqual([code, expect.stringMatching(/^[^|\n]+\.$/)]);
  }
});

test('reference page of errors matches the list, and a planted status is reported', () => {
  const { path, text } = errorsPage();
  expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
  expect(text.match(/^\| <a id="[a-z_]+"><\/a>`[a-z_]+` \| [45]\d\d \| /gm)).toHaveLength(
    codes.length,
  );
  withPlanted({ [path]: text.replace('`not_found` | 404', '`not_found` | 400') }, (planted) => {
    expect(firstDifference([{ path, text }], planted.folder)).toContain(`${path} differs`);
  });
});

test('codes are named alike: lower case words', () => {
  for (const code of codes) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
});
