// Policies in force for an application: each with where it comes from, in order of precedence.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
const device = aDevice();
const server = anEntity('files', { kind: 'mcp_server' });
const PATH = `/discovered-apps/${server.entity_id}/policies`;

beforeAll(async () => {
  hub = await sharedTestHub();
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(device, [server]) });
});
afterAll(() => hub.stop());

async function setPolicy(fields: object) {
  const answer = await hub.console('POST', '/overrides', {
    token: await hub.tokenFor('Reviewer'),
    body: { approval_status: 'blocked', execution_policy: 'block', ...fields },
  });
  expect(answer.status).toBe(201);
  return answer.body.override.override_id;
}

it('has none before a policy is set', async () => {
  const { body } = await hub.console('GET', PATH);
  expect(body.policies).toEqual({ count: 0, items: [] });
});

it('names the origin, scope and author of each, the nearest and most exact first', async () => {
  await hub.console('PUT', '/default-policies', {
    body: { policies: [{ kind: 'mcp_server', execution_policy: 'warn' }] },
    headers: { 'if-match': '"1"' },
  });
  const tenant = { kind: 'tenant' };
  await setPolicy({ match: { name: 'files' }, scope: tenant });
  await setPolicy({ match: { entity_id: server.entity_id }, scope: tenant });
  const scope = { kind: 'device', device_id: device.device_id };
  await setPolicy({ match: { entity_id: server.entity_id }, scope });
  await setPolicy({ match: { name: 'another app' }, scope: tenant });
  const { body } = await hub.console('GET', PATH);
  expect(body.policies.count).toBe(4);
  const by = { updated_by: 'reviewer@example.com', entity_ids: [server.entity_id] };
  expect(body.policies.items).toMatchObject([
    { origin: 'application', scope, ...by },
    { origin: 'application', scope: tenant, ...by },
    { origin: 'match', scope: tenant, ...by },
    { origin: 'default_policy', match: { kind: 'mcp_server' }, execution_policy: 'warn' },
  ]);
});

it('leaves out a policy that is not effective yet', async () => {
  const before = (await hub.console('GET', PATH)).body.policies.count;
  await setPolicy({
    match: { entity_id: server.entity_id },
    scope: { kind: 'subscriber', subscriber_id: 'grace' },
    effective_at: '2999-01-01T00:00:00.000Z',
  });
  expect((await hub.console('GET', PATH)).body.policies.count).toBe(before);
});

it('answers 404 to another tenant, and for an unknown application', async () => {
  const stranger = await hub.newTenant('Stranger');
  const foreign = { tenantId: stranger.tenantId, token: stranger.adminToken };
  expect((await hub.console('GET', PATH, foreign)).status).toBe(404);
  const unknown = randomUUID().replaceAll('-', '').repeat(2);
  expect((await hub.console('GET', `/discovered-apps/${unknown}/policies`)).status).toBe(404);
});
