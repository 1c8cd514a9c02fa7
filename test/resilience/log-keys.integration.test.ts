// Every kind of log export key meets every scope of two tenants: each key opens its own rows and nothing else. The
// operator's commands create the keys.

import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  runKeyExport,
  runKeyList,
  runKeyRevoke,
  runTokenNode,
} from '@gatewarden/hub/src/cli/operator-commands.ts';
import { runTokenRevoke } from '@gatewarden/hub/src/cli/token-actions.ts';
import { createLog } from '@gatewarden/hub/src/platform/telemetry/log.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aNode, aRequestLine, aToolCallLine, exportPage, sendRaw } from '../support/logs.ts';
import { makeApp, manage } from '../support/management.ts';

type Endpoint = 'llmgateway' | 'mcpgateway';
interface Key {
  what: string;
  endpoint: Endpoint;
  secret: string;
  keyId: string;
  /** The rows that it opens. */
  rows: string[];
}

let hub: TestHub;
const keys: Key[] = [];
const run = () => ({ config: hub.config, log: createLog('silent'), stdin: Readable.from([]) });

beforeAll(async () => {
  hub = await startTestHub();
  for (const name of ['One', 'Two']) await furnish(name);
});
afterAll(() => hub.stop());

async function furnish(tenant: string): Promise<void> {
  const newTenant = { ...hub, ...(await hub.newTenant(tenant)) };
  const { tenantId } = newTenant;
  const api = await manage(newTenant);
  const node = await aNode(hub, tenantId);
  const add = async (what: string, endpoint: Endpoint, options: object, rows: string[]) => {
    const { key_id: keyId, key: secret } = await runKeyExport(run(), {
      tenant: tenantId,
      ...options,
    });
    keys.push({ what: `${tenant} ${what}`, endpoint, secret, keyId, rows });
  };
  const backends: Record<string, string> = {};
  for (const value of ['a', 'b']) {
    await makeApp(api, value);
    const { body } = await hub.console('POST', '/mcp/backends', {
      body: { slug: value, name: value, url: 'https://example.com/mcp', auth: { kind: 'none' } },
      tenantId,
      token: newTenant.adminToken,
    });
    backends[value] = body.backend.id;
  }
  const row = (value: string) => `${tenant} ${value}`;
  await node.send(
    'llm-requests',
    ['a', 'b'].map((value) => aRequestLine({ id: row(value) }, { app: { name: value } })),
  );
  await node.send(
    'mcp-tool-calls',
    ['a', 'b'].map((value) => aToolCallLine({ id: row(value) }, { backend: { name: value } })),
  );
  for (const value of ['a', 'b']) {
    await add(`app ${value}`, 'llmgateway', { app: value }, [row(value)]);
    await add(`backend ${value}`, 'mcpgateway', { backend: backends[value] }, [row(value)]);
  }
  await add('all apps', 'llmgateway', { allApps: true }, [row('a'), row('b')]);
  await add('all backends', 'mcpgateway', { allBackends: true }, [row('a'), row('b')]);
}

describe('log export key', () => {
  it('opens exactly its rows, at its endpoint only', async () => {
    expect(keys).toHaveLength(12);
    for (const { what, endpoint, secret, rows } of keys) {
      const page = await exportPage(hub, endpoint, secret);
      expect([what, page.events.map((event) => event.request.id).sort()]).toEqual([what, rows]);
      const other = endpoint === 'llmgateway' ? 'mcpgateway' : 'llmgateway';
      const refused = await exportPage(hub, other, secret);
      expect([what, refused.status, refused.lines[0].error.code]).toEqual([
        what,
        403,
        'wrong_log_export_key',
      ]);
    }
  });

  it('rejects a cursor of any other scope', async () => {
    const cursors = new Map<string, string>();
    for (const { what, endpoint, secret } of keys) {
      cursors.set(what, (await exportPage(hub, endpoint, secret)).checkpoint.next_cursor);
    }
    for (const { what, endpoint, secret } of keys) {
      for (const [of, cursor] of cursors) {
        const { status } = await exportPage(hub, endpoint, secret, { cursor });
        expect([what, of, status]).toEqual([what, of, what === of ? 200 : 400]);
      }
    }
  });

  it('lists a key without its secret, and closes at once on revocation', async () => {
    const { keys: listed } = await runKeyList(run(), {});
    const listing = JSON.stringify(listed);
    for (const { secret, keyId } of keys) {
      expect(listing).toContain(keyId);
      expect(listing).not.toContain(secret);
    }
    for (const { endpoint, secret, keyId } of keys) {
      await runKeyRevoke(run(), { keyId });
      expect((await exportPage(hub, endpoint, secret)).status).toBe(403);
    }
  });

  it('stores no key in clear text in the database', async () => {
    const { pool } = hub.context.database;
    const result = await pool.query<{ row: string }>(
      'SELECT k::text AS row FROM log_export_keys k',
    );
    const all = await text(Readable.from(result.rows.map(({ row }) => row)));
    for (const { secret } of keys) expect(all).not.toContain(secret);
  });
});

it('rejects a blank name in the console and in the command', async () => {
  const named = (name: string) =>
    hub.console('POST', '/log-export-keys', { body: { scope: 'all_apps', name } });
  expect(await named(' \t ')).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/^\/name /) } },
  });
  expect((await named(' SIEM ')).body.key.name).toBe('SIEM');
});

it('names a missing argument of the command', async () => {
  const keyExport = { tenant: hub.tenantId };
  await expect(runKeyExport(run(), keyExport)).rejects.toThrow('use one of');
  await expect(runKeyExport(run(), { ...keyExport, app: 'none' })).rejects.toThrow(
    'has no app "none"',
  );
  await expect(runKeyExport(run(), { ...keyExport, backend: 'x' })).rejects.toThrow(
    'no MCP backend x',
  );
  await expect(runKeyRevoke(run(), { keyId: 'x' })).rejects.toThrow('--key-id');
});

it('rejects a revoked node token for logs and for a waiting configuration poll', async () => {
  const { token_id: tokenId, token } = await runTokenNode(run(), {
    name: 'leaked',
    tenant: hub.tenantId,
  });
  const send = async () =>
    (await sendRaw(hub, token, 'llm-requests', JSON.stringify(aRequestLine()))).status;
  const config = (query: string) =>
    fetch(`${hub.url}/node/v1/config?${query}`, { headers: { authorization: `Bearer ${token}` } });
  expect(await send()).toBe(202);
  const api = await manage(hub);
  const now = (await (await config('')).json()) as { next_cursor: string };
  const waiting = config(`cursor=${now.next_cursor}&wait=30`);
  await runTokenRevoke(run(), { tokenId, yes: true });
  await makeApp(api, 'news');
  expect((await waiting).status).toBe(401);
  expect(await send()).toBe(401);
  expect(await runTokenRevoke(run(), { tokenId, yes: true })).toEqual({
    token_id: tokenId,
    revoked: true,
  });
  await expect(runTokenRevoke(run(), { tokenId: 'x', yes: true })).rejects.toThrow(
    'there is no token x',
  );
});
