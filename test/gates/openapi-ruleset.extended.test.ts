// The OpenAPI document follows the OpenAPI ruleset of Spectral. The run takes ten seconds of a processor, and is therefore part
// of the extended suite; test/gates/openapi.test.ts has the faster linter.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { ROOT } from './planted.ts';

interface Document {
  paths: Record<string, Record<string, { operationId?: string }>>;
}

const RULES = {
  // An installation has an operator, whom this document does not know.
  'info-contact': 'off',
  // OpenAPI 3.1 allows role names in the requirements of a bearer scheme; the rule knows OAuth scopes only.
  'oas3-operation-security-defined': 'off',
} as const;

const source = readFileSync(join(ROOT, 'hub/openapi.json'), 'utf8');

async function findProblems(document: Document): Promise<string[]> {
  const linter = new spectral.Spectral();
  // The types of a ruleset demand an `extends` that its own ruleset lacks.
  const base = rulesets.oas as unknown as spectral.RulesetDefinition;
  linter.setRuleset({ extends: [base], rules: RULES });
  const problems = await linter.run(document as unknown as Record<string, unknown>);
  return problems.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`);
}

test('reports no problem of the OpenAPI document', async () => {
  expect(await findProblems(JSON.parse(source))).toEqual([]);
});

test('reports a planted operation without an id', async () => {
  const { paths, ...planted }: Document = JSON.parse(source);
  const path = '/ea/v1/sync/discovered-apps';
  const operations = structuredClone(paths[path]);
  delete operations?.post?.operationId;
  const problems = await findProblems({ ...planted, paths: { [path]: operations ?? {} } });
  expect(problems.some((problem) => problem.startsWith('operation-operationId paths'))).toBe(true);
});
