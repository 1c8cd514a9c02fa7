// A tenant with an object of each kind whose names do harm if a page does not show them as text.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { aBatch, aDevice, anActivity, anAlert, anEntity, anUnknownProcess } from './builders.ts';
import { deviceCall, type TestHub } from './hub.ts';
import { aNode, aRequestLine, aToolCallLine } from './logs.ts';
import type { PageIds } from './pages.ts';

const HOSTILE = '<img src=x onerror=alert(1)>\u202Egnp.exe 👩‍👩‍👧‍👦';
const LONG = `${HOSTILE} ${'W'.repeat(400)}`;

type Make = (path: string, body: object) => ReturnType<typeof createResource>;

async function createResource(hub: TestHub, path: string, body: object) {
  const answer = await hub.console('POST', path, {
    body,
    headers: { 'idempotency-key': randomUUID() },
  });
  expect([path, answer.status < 300 ? '' : answer.body]).toEqual([path, '']);
  return answer.body;
}

/** Returns the id of the MCP server. */
async function fillGateway(hub: TestHub, make: Make, person: string): Promise<string> {
  const backend = await make('/mcp/backends', {
    slug: 'hostile',
    name: HOSTILE,
    url: 'https://example.com/mcp',
    auth: { kind: 'none' },
  });
  await make('/gateway/providers', {
    label: 'provider',
    provider_name: 'vendorA',
    provider_settings: { api_key: 'not-a-key' },
  });
  await make('/gateway/providers', {
    label: HOSTILE,
    provider_name: 'vendorA',
    provider_settings: { api_key: 'not-a-key' },
  });
  await make('/gateway/apps', { name: 'an-app', provider_labels: ['provider'] });
  const node = await aNode(hub, hub.tenantId);
  const app = { app: { name: HOSTILE } };
  await node.send('llm-requests', [aRequestLine({ id: HOSTILE, model: HOSTILE }, app)]);
  const call = { backend: { name: HOSTILE }, tool: { name: HOSTILE } };
  await node.send('mcp-tool-calls', [
    aToolCallLine({}, { ...call, metadata: { user_email: person } }),
  ]);
  return backend.backend.id;
}

/** Stores each sort of thing, with a name that does harm where it is not text. Returns the ids of its pages. */
export async function fillHostile(hub: TestHub, person: string): Promise<PageIds> {
  const device = aDevice({ hostname: LONG.slice(0, 255), os_version: HOSTILE });
  const entity = anEntity(LONG, { kind: 'ai_tool', publisher: HOSTILE, version: HOSTILE });
  const as = { 'x-subscriber-id': person };
  const send = async (path: string, body: object, headers: Record<string, string> = as) => {
    const answer = await deviceCall(hub, 'POST', `/ea/v1/${path}`, { body, headers });
    expect([path, answer.status < 300 ? '' : answer.body]).toEqual([path, '']);
    return answer.body;
  };
  const make = (path: string, body: object) => createResource(hub, path, body);
  const process = { ...anAlert().process, name: LONG, executable_path: `/opt/${HOSTILE}` } as never;
  await send('sync/discovered-apps', aBatch(device, [entity, anEntity(HOSTILE)]));
  await send('sync/unknown-processes', {
    batch_id: randomUUID(),
    device,
    processes: [anUnknownProcess(LONG), anUnknownProcess('plain')],
  });
  await send('sync/activity', { device, events: [anActivity({ process })] });
  await send('sync/alerts', {
    device,
    alerts: [
      anAlert({ application_name: LONG, message: LONG, process }),
      anAlert({ ...{ action: 'agent', code: 'update_rolled_back', process: null }, message: LONG }),
    ],
  });
  const { device_token: token } = await send('enroll', { device, subscriber_id: person });
  await send(
    'sync/access-requests',
    {
      device,
      requests: [
        {
          access_request_id: randomUUID(),
          asked_at: new Date().toISOString(),
          entity_id: entity.entity_id,
          reason: HOSTILE,
        },
      ],
    },
    { ...as, authorization: `Bearer ${token}` },
  );
  const group = await make('/device-groups', { name: HOSTILE, description: LONG });
  await hub.console('PUT', `/device-groups/${group.group.group_id}/devices/${device.device_id}`);
  await make('/overrides', {
    match: { name: LONG },
    approval_status: 'restricted',
    execution_policy: 'warn',
    reason: HOSTILE,
    scope: { kind: 'tenant' },
  });
  await make('/process-mappings', {
    process_name: `${HOSTILE}*`,
    match: 'glob',
    application_name: HOSTILE,
  });
  const route = await make('/alert-routes', {
    kind: 'webhook',
    name: HOSTILE,
    url: 'https://example.com/hook',
    // Takes no alert here: nothing is sent.
    min_severity: 'critical',
  });
  await make('/agent-tokens', { name: HOSTILE, expires_in_days: 1 });
  await make('/scim-tokens', { name: HOSTILE, expires_in_days: 1 });
  await make('/people-groups', { name: HOSTILE, members: ['a@example.com'] });
  const backendId = await fillGateway(hub, make, person);
  const products = await hub.console('GET', '/products');
  return {
    entityId: entity.entity_id,
    productId: products.body.items[0].product_id,
    deviceId: device.device_id,
    groupId: group.group.group_id,
    routeId: route.route.route_id,
    appName: 'an-app',
    backendId,
    email: person,
  };
}
