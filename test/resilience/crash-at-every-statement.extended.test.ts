// A hub is killed at every statement of a creation or a change, before and after it: a client that repeats with the
// same key or ETag gets a single resource, change and audit event. Every twelfth moment runs here, and every moment
// with GATEWARDEN_CRASH_EVERY=1.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { type Management, makeProvider, manage, resource } from '../support/management.ts';
import { freePort, HUB_MAIN, startProgram } from '../support/programs.ts';

const MASTER = '5a'.repeat(32);
const PRELOAD = join(import.meta.dirname, '../support/crash-at.mjs');
/** More moments than any of these requests has. */
const MOST = 80;
const EVERY = Number(process.env.GATEWARDEN_CRASH_EVERY ?? 12);

let databaseUrl: string;
let hub: TestHub;
let api: Management;

beforeAll(async () => {
  databaseUrl = await cloneDatabase();
  hub = await startTestHub(hubConfig(databaseUrl, MASTER));
  api = await manage(hub);
  await makeProvider(api, 'shared');
});
afterAll(() => hub.stop());

/** Sends a request to a hub that dies at this moment of it; returns true if the hub answered instead. */
async function dyingAt(
  moment: number,
  from: string,
  send: (url: string) => Promise<{ status: number }>,
): Promise<boolean> {
  const program = await startProgram(HUB_MAIN, ['serve'], {
    DATABASE_URL: databaseUrl,
    HUB_MASTER_KEY: MASTER,
    HUB_PORT: String(await freePort()),
    HUB_LOG_LEVEL: 'info',
    BASE_URL: '',
    LLMGATEWAY_MANAGEMENT_API_ENABLED: 'true',
    NODE_OPTIONS: `--import=${PRELOAD}`,
    CRASH_AT: String(moment),
    CRASH_FROM: from,
  });
  const ready = program.lines.find((line) => line.includes('"event":"ready"')) ?? '{}';
  const { url } = JSON.parse(ready) as { url: string };
  const answered = await send(url).then(
    (answer) => answer.status < 300,
    () => false,
  );
  if (!answered) expect(await program.ended).toBe('SIGKILL');
  else await program.end('SIGKILL');
  return answered;
}

it('creates once, wherever the hub is killed', { timeout: 240_000 }, async () => {
  const tried: { key: string; name: string }[] = [];
  const create = (by: { url: string }, { key, name }: { key: string; name: string }) =>
    resource(by, api.secret, 'POST', '/apps', { key, body: { name, provider_labels: ['shared'] } });
  for (let moment = EVERY === 1 ? 1 : 2; moment < MOST; moment += EVERY) {
    const attempt = { key: randomUUID(), name: `created ${moment}` };
    tried.push(attempt);
    if (await dyingAt(moment, 'INSERT INTO idempotency_keys', (url) => create({ url }, attempt)))
      break;
  }
  expect(tried.length * EVERY).toBeGreaterThan(20);
  expect(tried.length * EVERY).toBeLessThan(MOST);
  for (const item of tried) {
    const repeat = async () => {
      const answer = await create(hub, item);
      return { answer, status: answer.status };
    };
    // The hub cannot know that the owner of the idempotency key died before the key's lease ends.
    await expect.poll(async () => (await repeat()).status, { timeout: 20_000 }).toBe(201);
    const { answer } = await repeat();
    const listed = await api.call('GET', `/apps?name=${encodeURIComponent(`"${item.name}"`)}`);
    expect(listed.status).toBe(200);
    const read = await api.call('GET', `/apps/${encodeURIComponent(item.name)}`);
    expect(read.body.app.app_id).toBe(answer.body.app.app_id);
    const keys = await api.call('GET', `/apps/${encodeURIComponent(item.name)}/keys`);
    expect(keys.body.items).toHaveLength(1);
    expect(await eventsOf(answer.body.app.app_id, 'app.create')).toBe(1);
  }
});

it('changes once, wherever the hub is killed', { timeout: 240_000 }, async () => {
  const created = await api.call('POST', '/apps', {
    body: { name: 'changed', provider_labels: ['shared'] },
  });
  const { app_id } = created.body.app;
  let etag: string = created.headers.get('etag') ?? created.body.app.version;
  let changes = 0;
  for (let moment = EVERY === 1 ? 1 : 2; moment < MOST; moment += EVERY) {
    const body = { limits: { timeout: moment }, access: { enforce_identity: moment % 2 === 0 } };
    const change = (by: { url: string }) =>
      resource(by, api.secret, 'PATCH', '/apps/changed', { ifMatch: etag, body });
    const answered = await dyingAt(moment, 'INSERT INTO operations', (url) => change({ url }));
    const again = await change(hub);
    expect([200, 412]).toContain(again.status);
    const read = await api.call('GET', '/apps/changed');
    expect(read.body.app.limits).toEqual({ timeout: moment });
    expect(read.body.app.access).toEqual({ enforce_identity: moment % 2 === 0 });
    changes++;
    const versions = await api.call('GET', '/apps/changed/versions?limit=200');
    expect(versions.body.items).toHaveLength(changes);
    expect(await eventsOf(app_id, 'app.update')).toBe(changes);
    etag = read.headers.get('etag') ?? '';
    if (answered) break;
  }
  expect(changes * EVERY).toBeGreaterThan(10);
  expect(changes * EVERY).toBeLessThan(MOST);
});

async function eventsOf(id: string, operation: string): Promise<number> {
  let found = 0;
  let cursor = '';
  do {
    const page = await api.call('GET', `/audit?limit=200${cursor}`);
    found += page.body.items.filter(
      (event: { operation: string; resource: { id: string } }) =>
        event.operation === operation && event.resource.id === id,
    ).length;
    cursor =
      page.body.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.body.next_cursor)}`;
  } while (cursor !== '');
  return found;
}
