// The MCP servers that a device is offered: those that its user may use.
import { randomUUID } from 'node:crypto';
import type { OfferedMcpServer } from '@gatewarden/shared/wire/sync/mcp-offer.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../test/support/builders.ts';
import { deviceCall, sharedTestHub, type TestHub } from '../../../test/support/hub.ts';

let hub: TestHub;
const device = aDevice();
beforeAll(async () => {
  hub = await sharedTestHub();
  await enrol(device.device_id, 'Alice@Example.com');
});
afterAll(() => hub.stop());

const headersOf = (id: string, subscriber: string) => ({
  'x-device-id': id,
  'x-subscriber-id': subscriber,
});
async function enrol(id: string, subscriber: string, of: Of = hub): Promise<void> {
  const sent = await deviceCall(of, 'POST', '/ea/v1/sync/discovered-apps', {
    headers: headersOf(id, subscriber),
    body: aBatch({ ...device, device_id: id }, [anEntity('editor')]),
  });
  expect(sent.status).toBe(202);
}
type Of = Pick<TestHub, 'url' | 'tenantId' | 'agentToken'>;
const ask = (id = device.device_id, of: Of = hub) =>
  deviceCall(of, 'GET', '/ea/v1/sync/mcp-offer', { headers: headersOf(id, 'Alice@Example.com') });
async function offered(id = device.device_id, of: Of = hub): Promise<OfferedMcpServer[]> {
  const { status, body } = await ask(id, of);
  expect(status).toBe(200);
  return body.servers;
}
async function backend(slug: string, kind = 'none', token?: string, tenantId?: string) {
  const made = await hub.console('POST', '/mcp/backends', {
    ...(token === undefined || tenantId === undefined ? {} : { token, tenantId }),
    body: {
      ...{ slug, name: `The ${slug}`, auth: { kind } },
      url: 'https://upstream.example.com/with-a-secret/mcp',
    },
  });
  expect(made.status).toBe(201);
  return made.body.backend.id as string;
}

test("offers a device its user's servers and their aggregate, and nothing while there is no server", async () => {
  expect(await offered()).toEqual([]);
  const passing = await backend('passing', 'passthrough');
  expect((await offered()).map((row) => row.server_id)).toEqual([passing]);
  const files = await backend('files');
  const hidden = await backend('hidden');
  await hub.console('POST', '/mcp/rules', {
    body: {
      ...{ effect: 'deny', backend_id: hidden },
      subject: { kind: 'person', email: 'alice@example.com' },
    },
  });
  await expect.poll(() => offered()).toHaveLength(3);
  const all = await offered();
  expect(all[0]).toEqual({
    server_id: 'gateway',
    name: 'Gatewarden',
    config_name: 'gatewarden',
    url: `${hub.url}/gwone/${hub.tenantId}/mcp`,
  });
  expect(all).toContainEqual({
    server_id: files,
    name: 'The files',
    config_name: 'files',
    url: `${hub.url}/files/mcp`,
  });
  expect(JSON.stringify(all)).not.toMatch(/hidden|with-a-secret/);
  // Somebody else's device.
  const other = randomUUID();
  await enrol(other, 'bob@example.com');
  expect((await offered(other)).map((row) => row.config_name)).toContain('hidden');
});

test('another company sees its own, and a name that two have leads by its id', async () => {
  const other = await hub.newTenant('Other');
  const of = { url: hub.url, ...other };
  const id = randomUUID();
  await enrol(id, 'alice@example.com', of);
  const theirs = await backend('files', 'none', other.adminToken, other.tenantId);
  await expect.poll(() => offered(id, of)).toHaveLength(2);
  expect((await offered(id, of))[1]).toMatchObject({
    config_name: theirs,
    url: `${hub.url}/${theirs}/mcp`,
  });
});

test('rejects callers that are no device of the tenant', async () => {
  expect((await ask(randomUUID())).status).toBe(404);
  const { status } = await deviceCall(hub, 'GET', '/ea/v1/sync/mcp-offer', {
    headers: { ...headersOf(device.device_id, 'alice'), authorization: 'Bearer gw_at_nobody' },
  });
  expect(status).toBe(401);
});
