// The OpenAPI document passes a linter, and the linter finds what is planted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { ROOT } from './planted.ts';

const source = readFileSync(join(ROOT, 'hub/openapi.json'), 'utf8');
interface Document {
  paths: Record<string, Record<string, { operationId?: string; summary?: string }>>;
}

async function lint(document: string, rules: Record<string, 'off'> = {}): Promise<string[]> {
  // The product is sold, not licensed to the public: there is no licence to name.
  const config = await createConfig({
    extends: ['recommended'],
    rules: { 'info-license': 'off', ...rules },
  });
  const found = await lintFromString({ source: document, config });
  return found.map((one) => `${one.ruleId} ${one.location[0]?.pointer}: ${one.message}`);
}

function withPaths(prefix: string, change: (paths: Document['paths']) => void = () => undefined) {
  const document = JSON.parse(source) as Document;
  document.paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => path.startsWith(prefix)),
  );
  change(document.paths);
  return JSON.stringify(document);
}

test('the document of all routes, of which every operation says what it does', async () => {
  expect(await lint(source)).toEqual([]);
});

test.each([
  ['operation-operationId-unique', { operationId: 'management_get_apps' }],
  ['operation-summary', { summary: '' }],
  ['no-unresolved-refs', { requestBody: { $ref: '#/components/requestBodies/None' } }],
])('a planted fault of %s is found', async (rule, fault) => {
  const planted = withPaths('/llmgateway/management', (paths) => {
    Object.assign(Object.values(paths)[0]?.get ?? {}, fault);
  });
  const found = await lint(planted, { 'no-unused-components': 'off' });
  expect(found.join('\n')).toContain(rule);
});
