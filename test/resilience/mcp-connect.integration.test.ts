// Official clients make a call that waits for its user: the URL is shown, the user connects, the call succeeds.
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken, signedInBrowser } from '../support/mcp-client.ts';
import type { Running } from '../support/mcp-servers.ts';
import {
  anUpstreamLogin,
  aProtectedServer,
  type UpstreamLogin,
} from '../support/upstream-login.ts';

let hub: TestHub;
let login: UpstreamLogin;
let server: Running;
let backendId: string;

beforeAll(async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), allowedPrivateNetworks });
  login = await anUpstreamLogin();
  server = await aProtectedServer(login);
  const created = await hub.console('POST', '/mcp/backends', {
    body: { slug: 'guarded', name: 'Guarded', url: server.url, auth: { kind: 'oauth' } },
  });
  backendId = created.body.backend.id;
});
afterAll(async () => {
  await hub.stop();
  await server.close();
  await login.close();
});

async function someone() {
  const { email } = await aPerson(hub);
  const token = await aToken(hub, email, { prefix: '/gwone' });
  const pages = await signedInBrowser(hub, email);
  /** Connects as a person does at the address that their client shows. */
  const connect = async (url: string) => {
    expect(url).toBe(
      `${hub.url}/console/t/${hub.tenantId}/my/connect/connections?connect=${backendId}`,
    );
    const started = await pages.console('POST', `/mcp/grants/${backendId}/start`);
    await pages.request(await login.approve(started.body.authorization_url));
  };
  return { connect, init: { requestInit: { headers: { authorization: `Bearer ${token}` } } } };
}
const url = () => new URL(`${hub.url}/gwone/mcp`);
const CALL = { name: 'guarded__whoami', arguments: {} };

test('elicits and resumes within a single call of the newest client', async () => {
  const { connect, init } = await someone();
  const client = new NewClient({ name: 'new', version: '1' }, {
    capabilities: { elicitation: { url: {} } },
    versionNegotiation: { mode: 'auto' },
  } as never);
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const { url: address, message } = params as { url: string; message: string };
    asked.push(message);
    await connect(address);
    return { action: 'accept' };
  });
  await client.connect(new NewTransport(url(), init));
  expect(await client.callTool(CALL)).toMatchObject({ content: [{ text: 'ann' }] });
  expect(asked).toEqual([expect.stringContaining('the MCP server "Guarded"')]);
  await client.close();
});

test('returns the URL to a client of the older revision in the error of its revision', async () => {
  const { connect, init } = await someone();
  const client = new OldClient(
    { name: 'old', version: '1' },
    { capabilities: { elicitation: { url: {} } } },
  );
  await client.connect(new OldTransport(url(), init) as never);
  const refusal = await client.callTool(CALL).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(UrlElicitationRequiredError);
  await connect((refusal as UrlElicitationRequiredError).elicitations[0]?.url ?? '');
  expect(await client.callTool(CALL)).toMatchObject({ content: [{ text: 'ann' }] });
  await client.close();
});

test('shows the URL as text in a client that cannot open it', async () => {
  const { init } = await someone();
  const client = new OldClient({ name: 'plain', version: '1' });
  await client.connect(new OldTransport(url(), init) as never);
  await expect(client.callTool(CALL)).rejects.toThrow(/Open http.*connect=/);
  await client.close();
});
