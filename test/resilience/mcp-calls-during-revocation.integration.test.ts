// Calls run at a hub process while another process revokes their token, disables their user, or closes the server by an
// access policy.

import { disableUser } from '@gatewarden/hub/src/features/people/identity/index.ts';
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken } from '../support/mcp-client.ts';
import { aSession, messagesIn, send } from '../support/mcp-messages.ts';
import { anOldServer, type Running } from '../support/mcp-servers.ts';

let hub: TestHub;
let secondHub: TestHub;
let ticking: Running;
let backendId: string;
let open = 0;

beforeAll(async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  const config = { ...hubConfig(await cloneDatabase()), allowedPrivateNetworks };
  hub = await startTestHub(config);
  secondHub = await startTestHub(config);
  ticking = await anOldServer({
    'tools/call': ({ name }, response) => {
      open++;
      if (name === 'ticks') response.writeHead(200, { 'content-type': 'text/event-stream' });
      const params = { progressToken: 1, progress: 1, message: 'what only members may read' };
      const event = { jsonrpc: '2.0', method: 'notifications/progress', params };
      const timer = setInterval(() => {
        if (name === 'ticks') response.write(`data: ${JSON.stringify(event)}\n\n`);
      }, 20);
      response.once('close', () => {
        open--;
        clearInterval(timer);
      });
      return undefined;
    },
  });
  const body = { slug: 'ticking', name: 'Ticking', url: ticking.url, auth: { kind: 'none' } };
  backendId = (await hub.console('POST', '/mcp/backends', { body })).body.backend.id;
});
afterAll(async () => {
  await hub.stop();
  await secondHub.stop();
  await ticking.close();
});

const call = (name: string) => ({
  jsonrpc: '2.0',
  id: name,
  method: 'tools/call',
  params: { name: `ticking__${name}`, arguments: {} },
});

test.each([
  ['token is revoked', 'revoked'],
  ['person is disabled', 'disabled'],
])('sends nothing more of running calls at either process when the %s', async (_what, how) => {
  const person = await aPerson(hub);
  const userToken = await aToken(hub, person.email, { prefix: '/gwone' });
  const streams = await Promise.all(
    [hub, secondHub].map(async (at) => messagesIn(await send(at, userToken, call('ticks')))),
  );
  for (const stream of streams) expect((await stream.next()).value.method).toMatch(/progress/);
  const silent = [hub, secondHub].map((at) => send(at, userToken, call('waits')));
  await expect.poll(() => open).toBe(4);
  if (how === 'revoked') {
    const { body } = await hub.console('GET', '/mcp/tokens?of=all&limit=200');
    for (const item of body.items) {
      if (item.email === person.email) await hub.console('DELETE', `/mcp/tokens/${item.id}`);
    }
  } else await disableUser(hub.context.database.db, hub.tenantId, person.userId);
  for (const stream of streams) {
    const rest = await Array.fromAsync(stream);
    expect(rest.at(-1)).toMatchObject({ id: 'ticks', error: { code: -32000 } });
  }
  for (const answer of await Promise.all(silent)) {
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await answer.json()).toMatchObject({ id: 'waits', error: { code: -32000 } });
  }
  await expect.poll(() => open).toBe(0);
});

test('continues the calls of other users meanwhile', async () => {
  const [mine, leaving] = [await aPerson(hub), await aPerson(hub)];
  const stays = await aToken(hub, mine.email, { prefix: '/gwone' });
  const stream = messagesIn(await send(secondHub, stays, call('ticks')));
  await disableUser(hub.context.database.db, hub.tenantId, leaving.userId);
  const messages = messagesIn(await send(hub, stays, call('ticks')));
  for (let i = 0; i < 50; i++) expect((await stream.next()).value.method).toMatch(/progress/);
  await Promise.all([stream.return(undefined), messages.return(undefined)]);
});

test('forwards no message with an invented id to a server that is closed to the user', async () => {
  const person = await aPerson(hub);
  const userToken = await aToken(hub, person.email, { prefix: '/gwone' });
  const body = {
    effect: 'deny',
    backend_id: backendId,
    subject: { kind: 'person', email: person.email },
  };
  expect((await hub.console('POST', '/mcp/rules', { body })).status).toBe(201);
  for (const at of [hub, secondHub]) {
    const session = await aSession(at, userToken, { sampling: {} });
    const id = `gw:${backendId}:5`;
    const params = { progressToken: id, progress: 1, message: 'smuggled' };
    for (const message of [
      { jsonrpc: '2.0', id, result: { smuggled: true } },
      { jsonrpc: '2.0', id, error: { code: 1, message: 'smuggled' } },
      { jsonrpc: '2.0', method: 'notifications/progress', params },
    ]) {
      await expect
        .poll(async () => {
          const sent = ticking.requests.length;
          expect((await send(at, userToken, message, session)).status).toBe(202);
          return ticking.requests.length - sent;
        })
        .toBe(0);
    }
  }
});
