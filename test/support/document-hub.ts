// A hub with something of each kind in it, credentials of each kind for it, and the sending of calls made from its document.
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { expect } from 'vitest';
import { aBatch, aDevice, anActivity, anAlert, anEntity, anUnknownProcess } from './builders.ts';
import type { DocumentCall } from './document-calls.ts';
import { deviceCall, type TestHub } from './hub.ts';
import { aNode, aRequestLine, aToolCallLine } from './logs.ts';
import { makeApp, manage } from './management.ts';

/** The answer to a call. */
export interface CallResult {
  call: DocumentCall;
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Secrets by the name of their security scheme in the document. */
export type Secrets = Record<string, string>;

/** New ones, for calls may take some away; `lasting` are those that none does. */
export async function newCredentials(hub: TestHub, lasting: Secrets): Promise<Secrets> {
  const adminToken = await hub.tokenFor('Admin');
  const { secret } = await manage({ ...hub, adminToken });
  return {
    ...lasting,
    agentToken: hub.agentToken,
    adminToken,
    session: adminToken,
    managementKey: secret,
  };
}

/** Creates an object of each kind that others refer to, so that calls find some; returns the credentials that last. */
export async function furnish(hub: TestHub): Promise<Secrets> {
  const device = aDevice();
  const entity = anEntity('painter');
  const sync = async (path: string, body: unknown) => {
    const answer = await deviceCall(hub, 'POST', `/ea/v1/sync/${path}`, { body });
    expect(answer, path).toMatchObject({ status: 202 });
  };
  const make = async (path: string, body: unknown) => {
    const answer = await hub.console('POST', path, {
      body,
      headers: { 'idempotency-key': randomUUID() },
    });
    expect(answer, path).toMatchObject({ status: 201 });
    return answer.body;
  };
  await sync('discovered-apps', aBatch(device, [entity]));
  await sync('activity', { device, events: [anActivity()] });
  await sync('alerts', { device, alerts: [anAlert()] });
  await sync('unknown-processes', {
    batch_id: randomUUID(),
    device,
    processes: [anUnknownProcess('daub')],
  });
  await make('/alert-routes', { kind: 'webhook', name: 'a', url: 'https://example.com/hook' });
  await make('/people-groups', { name: 'painters', members: ['a@example.com'] });
  await make('/mcp/backends', {
    slug: 'server',
    name: 'server',
    url: 'https://example.com/mcp',
    auth: { kind: 'none' },
  });
  const by = await manage(hub);
  for (const name of ['first', 'two/three', 'ünï']) {
    expect((await makeApp(by, name)).status).toBe(201);
    const at = `/apps/${encodeURIComponent(name)}`;
    expect((await by.call('POST', `${at}/keys`, { body: { name: 'k' } })).status).toBe(201);
  }
  const exported = await hub.console('POST', '/log-export-keys', {
    body: { name: 'all', scope: 'all_apps' },
  });
  expect(exported.status).toBe(201);
  const directory = await hub.console('POST', '/scim-tokens', {
    body: { name: 'directory', expires_in_days: 1 },
  });
  expect(directory.status).toBe(201);
  const node = await aNode(hub, hub.tenantId);
  await node.send('llm-requests', [aRequestLine(), aRequestLine()]);
  await node.send('mcp-tool-calls', [aToolCallLine()]);
  return {
    nodeToken: node.token,
    logExportKey: exported.body.secret,
    scimToken: directory.body.secret,
  };
}

/** Sends the call as its security asks. */
export function sendCall(hub: TestHub, call: DocumentCall, secrets: Secrets): Promise<CallResult> {
  const { hostname, port } = new URL(hub.url);
  const secret = call.security === null ? undefined : secrets[call.security];
  const headers = {
    ...(secret === undefined
      ? {}
      : call.security === 'logExportKey'
        ? { 'x-gw-log-export-key': secret }
        : { authorization: `Bearer ${secret}` }),
    ...(call.security === 'agentToken'
      ? { 'x-tenant-id': hub.tenantId, 'x-subscriber-id': 'alice' }
      : {}),
    ...call.headers,
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path: call.path, method: call.method, headers },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => {
          resolve({ call, status: response.statusCode ?? 0, headers: response.headers, body });
        });
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(call.body ?? undefined);
  });
}

/** The answer as JSON; null of what is none. */
export function answerOf({ body }: CallResult): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
