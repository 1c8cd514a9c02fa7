// A small hub for tests: follows the protocol, checks every request against the shared schemas, and remembers what came.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { WireAccessRequest } from '@gatewarden/shared/wire/sync/access-requests.ts';
import type { ActivityEvent } from '@gatewarden/shared/wire/sync/activity.ts';
import type { WireAlert } from '@gatewarden/shared/wire/sync/alerts.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { DiscoveredAppsRequest } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { RunningProcess } from '@gatewarden/shared/wire/sync/running-processes.ts';
import type { UnknownProcess } from '@gatewarden/shared/wire/sync/unknown-processes.ts';
import { Value } from 'typebox/value';

export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
  body: unknown;
}

export interface HubDouble {
  url: string;
  seen: SeenRequest[];
  batches: DiscoveredAppsRequest[];
  activity: ActivityEvent[];
  alerts: WireAlert[];
  unknown: UnknownProcess[];
  /** The last reported state of the device. */
  running: RunningProcess[];
  /** Violations of the protocol; a good run leaves the list empty. */
  accessRequests: WireAccessRequest[];
  violations: string[];
  /** May be changed at any time. */
  overrides: WireOverride[];
  mappings: ProcessMapping[];
  ceiling: 'enforce' | 'monitor' | 'off';
  epoch: string;
  /** Discovery that the hub allows; null: the field is missing. */
  discovery: { personal_homes?: boolean; browser_profiles?: boolean } | null;
  /** Actions of users that the hub allows; null: the field is missing. */
  tray: { pause_minutes: number; contact: string | null } | null;
  /** Answers a request instead of the usual, where it returns something. */
  intercept: ((request: SeenRequest) => Answer | null) | null;
  /** Changes the usual answers: those of a hub of another version. */
  rewrite: ((request: SeenRequest, answer: Answer) => Answer) | null;
  close(): Promise<void>;
}

/** Listens on a port of loopback (0: any). */
export async function startHubDouble(port = 0): Promise<HubDouble> {
  const hub: HubDouble = {
    url: '',
    seen: [],
    batches: [],
    activity: [],
    alerts: [],
    unknown: [],
    running: [],
    accessRequests: [],
    violations: [],
    overrides: [],
    mappings: [],
    ceiling: 'enforce',
    epoch: 'epoch-1',
    discovery: null,
    tray: null,
    intercept: null,
    rewrite: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // Cut off in the middle: nobody waits for an answer.
      return response.destroy();
    }
    const url = new URL(request.url ?? '/', 'http://hub');
    const seen: SeenRequest = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: readBody(hub, request, Buffer.concat(chunks)),
    };
    hub.seen.push(seen);
    const usual = hub.intercept?.(seen) ?? answerAsUsual(hub, seen);
    const answer = hub.rewrite?.(seen, usual) ?? usual;
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...(answer.etag === undefined ? {} : { etag: answer.etag }),
      ...answer.headers,
    });
    response.end(
      answer.text ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  hub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return hub;
}

function readBody(hub: HubDouble, request: http.IncomingMessage, raw: Buffer): unknown {
  for (const header of ['authorization', 'x-tenant-id', 'x-subscriber-id', 'x-device-id']) {
    if (request.headers[header] === undefined) hub.violations.push(`${request.url}: no ${header}`);
  }
  if (request.method !== 'POST') return null;
  if (request.headers['content-encoding'] !== 'gzip') {
    hub.violations.push(`${request.url}: not gzip`);
    return null;
  }
  return JSON.parse(gunzipSync(raw).toString('utf8'));
}

export interface Answer {
  status: number;
  body?: unknown;
  etag?: string;
  headers?: Record<string, string>;
  /** Instead of a body: as it is. */
  text?: string;
}

function answerAsUsual(hub: HubDouble, seen: SeenRequest): Answer {
  const endpoint = Object.values(SYNC_ENDPOINTS).find((e) => e.path === seen.path);
  if (endpoint === undefined) return { status: 404, body: refusal('not_found') };
  if ('request' in endpoint && !Value.Check(endpoint.request, seen.body)) {
    const [first] = Value.Errors(endpoint.request, seen.body);
    hub.violations.push(`${seen.path}: ${first?.instancePath} ${first?.message}`);
    return { status: 400, body: refusal('invalid_body') };
  }
  const answer = ANSWERS[seen.path]?.(hub, seen) ?? { status: 404 };
  if (answer.status < 300 && !Value.Check(endpoint.answer, answer.body)) {
    hub.violations.push(`${seen.path}: the double's own answer is not as agreed`);
  }
  return answer;
}

function refusal(code: string) {
  return { error: { code, message: code }, request_id: 'r' };
}

const ANSWERS: Record<string, (hub: HubDouble, seen: SeenRequest) => Answer> = {
  '/ea/v1/enroll': () => ({
    status: 201,
    body: {
      device_token: 'device-token',
      expires_at: new Date(Date.now() + 365 * 86_400_000).toISOString(),
      request_id: 'r',
    },
  }),
  '/ea/v1/sync/discovered-apps': (hub, { body }) => {
    const batch = body as DiscoveredAppsRequest;
    hub.batches.push(batch);
    const { batch_id, entities } = batch;
    return {
      status: 202,
      body: { batch_id, accepted: entities.length, unchanged: 0, request_id: 'r' },
    };
  },
  '/ea/v1/sync/unknown-processes': (hub, { body }) => {
    const { batch_id, processes } = body as { batch_id: string; processes: UnknownProcess[] };
    hub.unknown.push(...processes);
    return { status: 202, body: { batch_id, accepted: processes.length, request_id: 'r' } };
  },
  '/ea/v1/sync/running-processes': (hub, { body }) => {
    hub.running = (body as { processes: RunningProcess[] }).processes;
    return { status: 202, body: { accepted: hub.running.length, request_id: 'r' } };
  },
  '/ea/v1/sync/activity': (hub, { body }) => {
    const { events } = body as { events: ActivityEvent[] };
    hub.activity.push(...events);
    return { status: 202, body: { accepted: events.length, request_id: 'r' } };
  },
  '/ea/v1/sync/alerts': (hub, { body }) => {
    const { alerts } = body as { alerts: WireAlert[] };
    for (const alert of alerts) {
      if (!hub.alerts.some((known) => known.alert_id === alert.alert_id)) hub.alerts.push(alert);
    }
    return { status: 202, body: { accepted: alerts.map((a) => a.alert_id), request_id: 'r' } };
  },
  '/ea/v1/sync/access-requests': (hub, { body }) => {
    const { requests } = body as { requests: WireAccessRequest[] };
    hub.accessRequests.push(...requests);
    const accepted = requests.map((request) => request.access_request_id);
    return { status: 202, body: { accepted, refused: [], request_id: 'r' } };
  },
  '/ea/v1/sync/delta': (hub, { query, headers }) => {
    const since = Number(query.get('cursor') ?? 0);
    const news = hub.overrides
      .filter((o) => o.revision > since && (query.has('cursor') || !o.deleted))
      .sort((a, b) => a.revision - b.revision);
    const page = news.slice(0, Number(query.get('limit') ?? 200));
    const last = page.at(-1)?.revision ?? since;
    const etag = `"${last}-${news.length}-${hub.ceiling}-${hub.epoch}-${JSON.stringify(hub.discovery)?.length}-${hub.tray?.pause_minutes}"`;
    if (headers['if-none-match'] === etag) return { status: 304, etag };
    return {
      status: 200,
      etag,
      body: {
        overrides: page,
        next_cursor: String(last),
        has_more: page.length < news.length,
        server_time: new Date().toISOString(),
        poll_after_seconds: 1,
        enforcement_ceiling: hub.ceiling,
        inventory_epoch: hub.epoch,
        inventory_confirmed: false,
        ...(hub.discovery === null ? {} : { discovery: hub.discovery }),
        ...(hub.tray === null ? {} : { tray: hub.tray }),
      },
    };
  },
  '/ea/v1/sync/process-map': (hub, { headers }) => {
    const etag = `"${hub.mappings.length}"`;
    if (headers['if-none-match'] === etag) return { status: 304, etag };
    return { status: 200, etag, body: { version: hub.mappings.length, mappings: hub.mappings } };
  },
};
