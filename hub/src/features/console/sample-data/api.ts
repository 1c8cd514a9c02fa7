// Calls to the public APIs of a running hub, with a message that names the refused call.
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';

/** Sends a request to the hub, and returns the status and text of its response. */
export type SampleSend = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  request: { headers: Record<string, string>; body?: string | Buffer },
) => Promise<{ status: number; text: string }>;

export interface SampleTokens {
  agentToken: string;
  nodeToken: string;
}

/** The tenant that gets the sample data, and the way to it. */
export interface SampleTarget extends SampleTokens {
  tenantId: string;
  /** Headers that authenticate an Admin at the console. */
  consoleHeaders: Readonly<Record<string, string>>;
  send: SampleSend;
}

/** A request of the sample data that the hub refused. */
export class SampleRefused extends Error {
  readonly status: number;

  constructor(method: string, path: string, status: number, text: string) {
    super(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
    this.status = status;
  }
}

/** Returns a sender to the hub at a URL. */
export function createHttpSender(url: string): SampleSend {
  return async (method, path, { headers, body }) => {
    const response = await fetch(`${url}${path}`, {
      ...{ method, headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
}

/** A device and its user. */
export interface Sender {
  device: WireDevice;
  owner: { email: string };
}

type Json = Record<string, unknown>;

export interface SampleApi {
  /** A request of a device with a body, compressed as agents send it. The device is enrolled before its first request. */
  sync(path: string, sender: Sender, body: object): Promise<Json>;
  /** A poll of the policies by an enrolled device. */
  poll(sender: Sender, query: Readonly<Record<string, string>>): Promise<Json>;
  /** A request of the console below the tenant; `version` is sent as If-Match. */
  console(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    version?: string,
  ): Promise<Json>;
  /** A batch of log lines of a gateway node. */
  logs(kind: 'llm-requests' | 'mcp-tool-calls', lines: readonly object[]): Promise<Json>;
}

/** Returns the calls of a target. Each throws SampleRefused with the status of a refusal. */
export function createSampleApi(target: SampleTarget): SampleApi {
  const request = async (...[method, path, init]: Parameters<SampleSend>): Promise<Json> => {
    const { status, text } = await target.send(method, path, init);
    if (status >= 400) throw new SampleRefused(method, path, status, text);
    return text === '' ? {} : (JSON.parse(text) as Json);
  };
  const push = (path: string, token: string, { owner }: Sender, body: object) =>
    request('POST', `/ea/v1/${path === 'enroll' ? path : `sync/${path}`}`, {
      headers: {
        authorization: `Bearer ${token}`,
        'x-tenant-id': target.tenantId,
        'x-subscriber-id': owner.email,
        'content-encoding': 'gzip',
        'content-type': 'application/json',
      },
      body: gzipSync(JSON.stringify(body)),
    });
  const tokens = new Map<string, string>();
  const tokenOf = async (sender: Sender): Promise<string> => {
    const { device, owner } = sender;
    const known = tokens.get(device.device_id);
    if (known !== undefined) return known;
    const body = { device, subscriber_id: owner.email };
    const { device_token } = await push('enroll', target.agentToken, sender, body);
    tokens.set(device.device_id, String(device_token));
    return String(device_token);
  };
  return {
    sync: async (path, sender, body) =>
      push(path, await tokenOf(sender), sender, { device: sender.device, ...body }),
    poll: async (sender, query) =>
      request('GET', `${SYNC_ENDPOINTS.delta.path}?${new URLSearchParams(query)}`, {
        headers: {
          authorization: `Bearer ${await tokenOf(sender)}`,
          'x-tenant-id': target.tenantId,
          'x-subscriber-id': sender.owner.email,
          'x-device-id': sender.device.device_id,
        },
      }),
    console: (method, path, body, version) =>
      request(method, `/console/api/v1/tenants/${target.tenantId}${path}`, {
        headers: {
          ...target.consoleHeaders,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(version === undefined ? {} : { 'if-match': version }),
          ...(path.startsWith('/gateway/') ? { 'idempotency-key': randomUUID() } : {}),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    logs: (kind, lines) =>
      request('POST', `/node/v1/logs/${kind}`, {
        headers: {
          authorization: `Bearer ${target.nodeToken}`,
          'content-type': 'application/x-ndjson',
        },
        body: lines.map((line) => JSON.stringify(line)).join('\n'),
      }),
  };
}
