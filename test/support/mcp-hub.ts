// A hub that may reach servers on this machine, with a person who signed in at its MCP gateway, and messages sent by hand.
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { expect } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from './hub.ts';
import { aPerson, aToken } from './mcp-client.ts';

export interface McpHub {
  hub: TestHub;
  email: string;
  token: string;
  aBackend(
    slug: string,
    url: string,
    more?: object,
  ): Promise<{ id: string; slug: string; version: string }>;
  /** Posts to the aggregated URL with the person's token, unless the arguments name others. */
  post(body: unknown, headers?: Record<string, string>, path?: string): Promise<Response>;
}

export async function startMcpHub(
  options: Parameters<typeof startTestHub>[1] = {},
): Promise<McpHub> {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  const config = { ...hubConfig(await cloneDatabase()), allowedPrivateNetworks };
  const hub = await startTestHub(config, options);
  const { email } = await aPerson(hub);
  const token = await aToken(hub, email, { prefix: '/gwone' });
  return {
    hub,
    email,
    token,
    async aBackend(slug, url, more = {}) {
      const created = await hub.console('POST', '/mcp/backends', {
        body: { slug, name: `The ${slug}`, url, auth: { kind: 'none' }, ...more },
      });
      expect(created.status).toBe(201);
      return created.body.backend;
    },
    post: (body, headers = {}, path = '/gwone/mcp') =>
      fetch(hub.url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
          ...headers,
        },
        body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
  };
}

export const aCall = (name: string, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: { password: 'hunter2-in-arguments' } },
});

/** The row of the call that had this JSON-RPC id, as it is exported; it comes after the answer. */
export async function toolCallRow(hub: Pick<TestHub, 'console'>, id: string) {
  const find = async () => {
    const { body } = await hub.console('GET', '/mcp/tool-calls?limit=200');
    return body.items.find((item: { request_id: string }) => item.request_id === id)?.event;
  };
  await expect.poll(find).toBeDefined();
  return find();
}
