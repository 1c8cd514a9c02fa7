// `dump`, `diff` and `apply` without a hub to ask: the same routes, in the command's own process.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestHub, type TestHub } from '../../../test/support/hub.ts';
import { manage } from '../../../test/support/management.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { runApply, runDiff, runDump } from './configuration-files.ts';

let hub: TestHub;
let folder: string;

beforeAll(async () => {
  hub = await startTestHub();
  folder = await mkdtemp(join(tmpdir(), 'gw-operator-'));
});
afterAll(async () => {
  await hub.stop();
  await rm(folder, { recursive: true });
});

const FILE = `format: gatewarden-tenant/v1
providers:
  - label: managed
    provider_name: gw_ai
apps:
  - name: help / desk
    provider_labels: [managed]
    limits: {timeout: 5}
    keys: [{name: first}, {name: second}]
    prompt_templates: [{prompt_id: hello, content: Hello}]
`;

test('applies a tenant file without key and running hub, and stores its records', async () => {
  const run = { config: hub.config, log: createLog('silent'), stdin: Readable.from([]) };
  const file = join(folder, 'tenant.yaml');
  await writeFile(file, FILE);
  const options = { tenant: hub.tenantId, file };
  expect(await runApply(run, { ...options, dryRun: true })).toMatchObject({
    in_sync: false,
    changes: [
      { action: 'create', resource: 'provider managed' },
      { action: 'create', resource: 'app help / desk' },
      { action: 'create', resource: 'key first of app help / desk' },
      { action: 'create', resource: 'key second of app help / desk' },
      { action: 'create', resource: 'prompt hello of app help / desk' },
    ],
  });
  const applied = await runApply(run, options);
  expect(applied).toMatchObject({
    applied: [
      { resource: 'provider managed', result: 'done' },
      { resource: 'app help / desk', result: 'done' },
      { resource: 'key second of app help / desk', result: 'done' },
      { resource: 'prompt hello of app help / desk', result: 'done' },
    ],
  });
  expect(await runApply(run, options)).toMatchObject({ applied: [] });
  expect(await runDiff(run, options)).toMatchObject({ in_sync: true, changes: [] });

  const { file: dumped } = await runDump(run, options);
  await writeFile(file, dumped);
  expect(await runDiff(run, options)).toMatchObject({ in_sync: true, changes: [] });
  const api = await manage(hub);
  const { app } = (await api.call('GET', '/app?app_name=help%20%2F%20desk')).body;
  expect(app).toMatchObject({ provider_labels: ['managed'], limits: { timeout: 5 } });
});

test('explains how to enable the management API if the address has none', async () => {
  const run = { config: hub.config, log: createLog('silent'), stdin: Readable.from([]) };
  const file = join(folder, 'remote.yaml');
  await writeFile(file, FILE);
  vi.stubEnv('GATEWARDEN_MANAGEMENT_KEY', (await manage(hub)).secret);
  const url = `${hub.url}/elsewhere`;
  await expect(runDiff(run, { url, file })).rejects.toThrow(
    `there is no management API at ${url}: correct the address, or set LLMGATEWAY_MANAGEMENT_API_ENABLED=true at that hub and restart it`,
  );
  expect(await runDiff(run, { url: hub.url, file })).toHaveProperty('in_sync');
  vi.unstubAllEnvs();
});
