// The OpenAPI document passes a linter without warnings, describes every operation, parameter and named schema, and its examples
// are valid. Planted faults are reported.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATION_NOTES } from '@gatewarden/hub/src/platform/http/openapi/operation-texts.ts';
import { SCHEMA_TEXTS, TAG_TEXTS } from '@gatewarden/hub/src/platform/http/openapi/schema-texts.ts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { ROOT } from './planted.ts';

interface Media {
  schema?: Record<string, unknown>;
  example?: unknown;
}
interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; description?: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}
interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { description?: string }> };
}

const source = readFileSync(join(ROOT, 'hub/openapi.json'), 'utf8');
const document: Document = JSON.parse(source);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

const RULES = {
  // The product has no public license to name.
  'info-license': 'off',
  'no-unused-components': 'error',
  'operation-description': 'error',
  'operation-operationId-url-safe': 'error',
  'operation-singular-tag': 'error',
  'operation-tag-defined': 'error',
  'parameter-description': 'error',
  'tag-description': 'error',
} as const;

async function lint(text: string, rules: Record<string, 'off'> = {}): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: { ...RULES, ...rules } });
  const problems = await lintFromString({ source: text, config });
  return problems.map(
    (problem) => `${problem.ruleId} ${problem.location[0]?.pointer}: ${problem.message}`,
  );
}

function withPaths(prefix: string, change: (paths: Document['paths']) => void = () => undefined) {
  const planted: Document = JSON.parse(source);
  planted.paths = Object.fromEntries(
    Object.entries(planted.paths).filter(([path]) => path.startsWith(prefix)),
  );
  change(planted.paths);
  return JSON.stringify(planted);
}

test('document passes the linter without warnings', async () => {
  expect(await lint(source)).toEqual([]);
});

test.each([
  ['operation-operationId-unique', { operationId: 'listApps' }],
  ['operation-summary', { summary: '' }],
  ['operation-description', { description: '' }],
  ['no-unresolved-refs', { requestBody: { $ref: '#/components/requestBodies/None' } }],
  ['parameter-description', { parameters: [{ name: 'x', in: 'query', schema: {} }] }],
])('linter reports a planted fault of %s', async (rule, fault) => {
  const planted = withPaths('/llmgateway/management', (paths) => {
    Object.assign(Object.values(paths)[0]?.get ?? {}, fault);
  });
  const problems = await lint(planted, { 'no-unused-components': 'off' });
  expect(problems.join('\n')).toContain(rule);
});

test('operation ids are readable and follow the rule', () => {
  const ids = operations.map(({ operationId }) => operationId);
  for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z0-9]*)*$/);
  expect(ids).toEqual(
    expect.arrayContaining(['listDevices', 'getDevice', 'createPolicy', 'rollbackAppVersion']),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test('every description differs from its summary', () => {
  for (const { operationId, summary, description } of operations) {
    expect(description, operationId).toMatch(/[.)]$/);
    expect(description, operationId).not.toBe(summary);
  }
});

test('applies notes, schema texts and tag texts to existing parts of the document', () => {
  const ids = new Set(operations.map(({ operationId }) => operationId));
  expect(Object.keys(OPERATION_NOTES).filter((id) => !ids.has(id))).toEqual([]);
  expect(Object.keys(SCHEMA_TEXTS).sort()).toEqual(Object.keys(document.components.schemas).sort());
  expect(Object.keys(TAG_TEXTS).sort()).toEqual(document.tags.map(({ name }) => name).sort());
});

/** Media types whose content is bytes. */
const BINARY = ['application/gzip'];

/** Returns every request and every answer of a success, with its place. */
function exchanges(): { place: string; type: string; media: Media }[] {
  return operations.flatMap(({ operationId, requestBody, responses }) => {
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    const contents = [
      ...(requestBody === undefined ? [] : [['request', requestBody.content] as const]),
      ...successes.map(([status, { content = {} }]) => [status, content] as const),
    ];
    return contents.flatMap(([place, content]) =>
      Object.entries(content).map(([type, media]) => ({
        place: `${operationId} ${place} ${type}`,
        type,
        media,
      })),
    );
  });
}

test('every request and every success has an example', () => {
  const missing = exchanges()
    .filter(({ type, media }) => media.example === undefined && !BINARY.includes(type))
    .map(({ place }) => place);
  expect(missing).toEqual([]);
});

/** Returns a line for each example that its schema rejects. */
function invalidExamples(list: ReturnType<typeof exchanges>): string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema({ $id: 'document', ...document });
  return list.flatMap(({ place, type, media }) => {
    if (!type.endsWith('json') || media.schema === undefined) return [];
    const text = JSON.stringify(media.schema).replaceAll('"#/components', '"document#/components');
    const validate = ajv.compile(JSON.parse(text));
    if (validate(media.example)) return [];
    const [error] = validate.errors ?? [];
    return [`${place}: ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`];
  });
}

test('every JSON example is valid, and a planted example is reported', () => {
  expect(invalidExamples(exchanges())).toEqual([]);
  const planted = {
    place: 'planted',
    type: 'application/json',
    media: { schema: { $ref: '#/components/schemas/Error' }, example: { error: 'text' } },
  };
  expect(invalidExamples([planted])).toEqual([expect.stringContaining('planted: ')]);
});

test('media types are those that the hub sends and takes', () => {
  const types = new Set(exchanges().map(({ type }) => type));
  expect([...types].sort()).toEqual([
    'application/gzip',
    'application/json',
    'application/scim+json',
    'application/x-ndjson',
    'text/csv',
    'text/event-stream',
  ]);
  const ingest = document.paths['/node/v1/logs/llm-requests']?.post?.requestBody;
  expect(Object.keys(ingest?.content ?? {})).toEqual(['application/x-ndjson']);
});
