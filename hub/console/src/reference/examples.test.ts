// The examples: their requests, and their syntax.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { examplesOf } from './examples.ts';
import { found, type Operation, operationsOf, tagsOf } from './operations.ts';
import type { ApiDocument } from './wire.ts';

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'),
) as ApiDocument;
const all = operationsOf(document);
const around = { document, origin: 'https://hub.example.com', tenantId: 'the-tenant' };
const item = (id: string) => all.find((operation) => operation.id === id) as Operation;

describe('an operation with a body', () => {
  const examples = examplesOf(item('createDeviceGroup'), around);
  const url = 'https://hub.example.com/console/api/v1/tenants/the-tenant/device-groups';

  test('renders a request as curl', () => {
    expect(examples.curl).toBe(`# GATEWARDEN_TOKEN: A tenant administrator's JWT.
curl -sS -X POST '${url}' \\
  -H "Authorization: Bearer $GATEWARDEN_TOKEN" \\
  -H 'Content-Type: application/json' \\
  --data '{
  "name": "NAME"
}'
`);
  });

  test('renders a request in TypeScript', () => {
    expect(examples.typescript).toBe(`// GATEWARDEN_TOKEN: A tenant administrator's JWT.
const answer = await fetch('${url}', {
  method: 'POST',
  headers: {
    'Authorization': \`Bearer \${process.env.GATEWARDEN_TOKEN}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    "name": "NAME"
  }),
});
console.log(answer.status, await answer.text());
`);
  });

  test('renders a request in Python', () => {
    expect(examples.python).toBe(`# GATEWARDEN_TOKEN: A tenant administrator's JWT.
import json
import os
import urllib.request

request = urllib.request.Request(
    "${url}",
    method="POST",
    headers={
        "Authorization": "Bearer " + os.environ["GATEWARDEN_TOKEN"],
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "name": "NAME",
    }).encode(),
)
with urllib.request.urlopen(request) as answer:
    print(answer.status, answer.read().decode())
`);
  });
});

test('compresses device reports in examples, and names their tenant', () => {
  const { curl, typescript, python } = examplesOf(item('pushAlerts'), around);
  expect(curl).toContain("' | gzip | curl -sS -X POST ");
  expect(curl).toContain("-H 'X-Tenant-ID: the-tenant'");
  expect(typescript).toContain('gzipSync(JSON.stringify(');
  expect(python).toContain('gzip.compress(json.dumps(');
});

test('adds the version to updates, the idempotency key to creations and the key header to exports', () => {
  const change = item('updateDeviceGroup');
  expect(examplesOf(change, around).curl).toContain(`-H 'If-Match: "VERSION"'`);
  expect(examplesOf(change, around).curl).toContain('/device-groups/GROUP_ID');
  const creation = item('createApp');
  expect(examplesOf(creation, around).curl).toContain('-H "Idempotency-Key: $(date +%s)-$$"');
  expect(examplesOf(creation, around).python).toContain('import uuid');
  const logs = item('exportLlmLogs');
  expect(examplesOf(logs, around).curl).toContain('-H "X-Gw-Log-Export-Key: $GATEWARDEN_TOKEN"');
  expect(examplesOf(item('checkLiveness'), around).curl).toBe(
    "curl -sS 'https://hub.example.com/healthz'\n",
  );
});

test('every example in TypeScript can be read as a program', () => {
  for (const operation of all) {
    const source = examplesOf(operation, around).typescript.replace(/^import .*$/m, '');
    expect(() => new Script(`(async () => {${stripTypeScriptTypes(source)}})`)).not.toThrow();
  }
});

test.each([
  ['curl', 'sh', ['-n']],
  ['python', 'python3', ['-m', 'py_compile']],
] as const)('every example in %s too', (language, command, args) => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-examples-'));
  try {
    const file = join(folder, 'all');
    // Python needs its imports; a shell needs nothing.
    writeFileSync(file, all.map((operation) => examplesOf(operation, around)[language]).join('\n'));
    execFileSync(command, [...args, file], { stdio: 'pipe' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('operations are found by all words, and by area', () => {
  const ids = found(all, { query: 'POST device-groups preview' }).map((operation) => operation.id);
  expect(ids).toEqual(['previewDeviceGroup']);
  expect(tagsOf(found(all, { tag: 'nodes' }))).toEqual(['nodes']);
  expect(found(all, { query: 'nothing has this' })).toEqual([]);
  expect(found(all, {}).length).toBe(all.length);
  expect(new Set(all.map((operation) => operation.id)).size).toBe(all.length);
});
