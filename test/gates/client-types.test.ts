// The typed client requires no more than the API does, and generated clients compile.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientTypes } from '../../client/generate/types.ts';
import { ROOT, withPlanted } from './planted.ts';

test('makes fields with defaults optional in request types', async () => {
  const schema = {
    type: 'object',
    properties: { primary: { type: 'boolean', default: false }, label: { type: 'string' } },
    required: ['label'],
  };
  const put = {
    requestBody: {
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Attach' } } },
    },
    responses: { 200: { description: 'done' } },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths: { '/llmgateway/x': { put } },
    components: { schemas: { Attach: schema } },
  };
  const types = await clientTypes(document, '/llmgateway');
  expect(types).toContain('primary?: boolean;');
  expect(types).toContain('label: string;');
});

const DOCUMENT = JSON.parse(readFileSync(join(ROOT, 'hub/openapi.json'), 'utf8'));
const PATHS = Object.keys(DOCUMENT.paths).filter((path) => path.endsWith('/download'));

test('compiles a client generated from the document, which reads downloads and exports in each format', async () => {
  const types = await clientTypes(DOCUMENT, '/');
  const use = [
    "import type { paths } from './client.ts';",
    'type Content<P extends keyof paths> = paths[P] extends',
    '  { get: { responses: { 200: { content: infer C } } } } ? C : never;',
    ...PATHS.flatMap((path, i) => [
      `export const csv${i} = (file: Content<'${path}'>['text/csv']): string[] => file.split('\\r\\n');`,
      `export function json${i}(file: Content<'${path}'>['application/json']): number {`,
      '  const last = file.at(-1);',
      "  return last !== undefined && 'cut_after' in last ? last.cut_after : file.length;",
      '}',
    ]),
    "type Logs = paths['/llmgateway/logs/export']['get']['responses'];",
    "export const lines = (body: Logs[200]['content']['application/x-ndjson']) => body.split('\\n');",
    "export const code = (body: Logs[500]['content']['application/json']): 'metrics_failed' => body.error.code;",
    "type Users = paths['/scim/v2/Users']['get']['responses'];",
    "export const users = (body: Users[200]['content']['application/scim+json']) => body.schemas;",
    '',
  ].join('\n');
  const tsconfig = { extends: join(ROOT, 'tsconfig.base.json'), files: ['use.ts'] };
  const ended = withPlanted(
    {
      'tsconfig.json': JSON.stringify(tsconfig),
      'package.json': '{ "type": "module" }',
      'client.ts': types,
      'use.ts': use,
    },
    (planted) => planted.run('tsc', '-p', 'tsconfig.json', '--pretty', 'false'),
  );
  expect(PATHS.length).toBeGreaterThan(8);
  expect(ended).toEqual({ code: 0, output: '' });
}, 120_000);
