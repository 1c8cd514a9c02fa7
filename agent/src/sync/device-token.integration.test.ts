// The key of an enrollment in progress is stored while its location does not answer, and recreated when its location is
// damaged.
import { mkdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, TENANT } from '../../test/agent-process.ts';
import { startHubDouble } from '../../test/hub-double.ts';
import { describeDevice } from '../config/device-identity.ts';
import { fileTokens } from '../config/token-store.ts';
import { loadTokens } from './device-token.ts';
import { createSyncClient } from './hub-client.ts';

const DAY_MS = 86_400_000;

function aClient(baseUrl: string, token: () => string | null) {
  return createSyncClient({
    backend: {
      baseUrl,
      tenantId: TENANT,
      subscriberId: TENANT,
      caFile: null,
      pin: null,
      proxy: null,
    },
    device: describeDevice(TENANT),
    token,
    env: {},
  });
}

test('keeps the key and sends nothing while its location cannot be read', async () => {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  const file = join(dataDir, 'tokens.json');
  const place = fileTokens(dataDir);
  const key = 'k'.repeat(43);
  await place.write('agent_token', 'agent');
  await place.write('enrolment_key', key);
  const tokens = await loadTokens(place, 'it', Date.now);
  const client = aClient(hub.url, tokens.current);
  renameSync(file, `${file}.away`);
  mkdirSync(file);
  await expect(tokens.ensure(client, TENANT)).rejects.toThrow('cannot read');
  expect(hub.seen).toEqual([]);
  rmdirSync(file);
  renameSync(`${file}.away`, file);
  expect(await place.read('enrolment_key')).toBe(key);

  writeFileSync(file, '{');
  await tokens.ensure(client, TENANT);
  expect(hub.seen.map(({ path }) => path.split('/').at(-1))).toEqual(['enroll']);
  expect(JSON.stringify(hub.seen[0]?.body)).toContain('enrolment_key');
  expect(JSON.stringify(hub.seen[0]?.body)).not.toContain(key);
  client.close();
  await hub.close();
});

test('renews on time after the clock was wrong by years, and not with every poll', async () => {
  const hub = await startHubDouble();
  const place = fileTokens(makeFolder());
  await place.write('agent_token', 'agent');
  let nowMs = Date.now() + 800 * DAY_MS;
  const tokens = await loadTokens(place, 'it', () => nowMs);
  const client = aClient(hub.url, tokens.current);
  const ensure = () => tokens.ensure(client, TENANT);
  expect([await ensure(), await ensure()]).toEqual(['new', 'current']);
  nowMs = Date.now();
  expect(await ensure()).toBe('current');
  nowMs = Date.now() + 340 * DAY_MS;
  expect(await ensure()).toBe('new');
  client.close();
  await hub.close();
});
