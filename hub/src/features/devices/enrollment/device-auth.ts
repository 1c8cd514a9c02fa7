// The gate of the device routes: token, then each header by its rule, before any byte of the body is read.

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { hashSecretHex, isSecret } from '@gatewarden/shared/secrets.ts';
import { isUuid } from '@gatewarden/shared/wire/common.ts';
import { SUBSCRIBER_ID_PATTERN } from '@gatewarden/shared/wire/sync/device.ts';
import { BODY_LIMIT_BYTES, INFLATED_LIMIT_BYTES } from '@gatewarden/shared/wire/sync/limits.ts';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { type AgentPrincipal, agentOf } from '../../../platform/auth/agent.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { NotifiedCache } from '../../../platform/feed/notified-cache.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { parseJson } from '../../../platform/http/json/parse-json.ts';
import { createCooperativeScheduler } from '../../../platform/http/limits/cooperative-scheduler.ts';
import { assignBodyBudget, reserveBody } from '../../../platform/http/limits/in-flight-bodies.ts';
import type { InFlightBytesLimiter } from '../../../platform/http/limits/in-flight-bytes.ts';
import { createRateLimiter } from '../../../platform/http/limits/token-bucket.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { acceptAnyContentType } from '../../../platform/http/server/content-type.ts';
import { removeBrowserHeaders } from '../../../platform/http/server/security-headers.ts';
import { type AgentToken, selectActiveToken } from './store.ts';

/** A full scan after a long absence, or a queue that drains, comes in one go. */
const BURST_SECONDS = 200;
const CLIENTS_MAX = 100_000;
/** The chunk size of decompression in bytes: a usual batch fits in a chunk, so that nothing has to be concatenated. */
const PIECE_BYTES = 64 * 1024;
const LEAST_PIECE_BYTES = 1024;
/** How long bodies are read at a stretch: four to twenty usual ones. */
const TURN_MS = 2;
const SUBSCRIBER = new RegExp(SUBSCRIBER_ID_PATTERN);

export interface DeviceGateDeps {
  db: Db;
  tokens: NotifiedCache<AgentToken>;
  budget: InFlightBytesLimiter;
  /** Requests a second in the long run. */
  rates: { device: number; token: number };
}

/** Whom the gate lets in at once: without a query, and before it was counted. */
export interface LetIn {
  agent: AgentPrincipal;
  /** Counts the request. Throws HubError above the rate limit. */
  count(): void;
}

export interface DeviceGate {
  /** Authenticates a GET before the application. Returns null if the database has to be read; throws HubError to refuse. */
  peek(request: IncomingMessage): LetIn | null;
  /** True while bodies are here that have not been read. */
  hasUnread(): boolean;
}

/** Adds the gate, its limits and the gzip body parser to a scope; every route in it names its `config.sync`. */
export function addDeviceGate(scope: App, deps: DeviceGateDeps): DeviceGate {
  scope.decorateRequest('agent', null);
  const bucketsFor = (perSecond: number, isShared: boolean) =>
    createRateLimiter(
      { perSecond, burst: BURST_SECONDS * perSecond },
      { max: CLIENTS_MAX, nowMs: () => performance.now(), isShared },
    );
  const byToken = bucketsFor(deps.rates.token, true);
  const byDevice = bucketsFor(deps.rates.device, false);
  scope.decorateRequest('bodyHash', null);
  scope.addHook('onRoute', assignBodyBudget('own'));
  acceptAnyContentType(scope);
  scope.removeAllContentTypeParsers();
  // Bodies of the protocol are JSON whatever the content type header is.
  const turns = createCooperativeScheduler({ sliceMs: TURN_MS, nowMs: () => performance.now() });
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    turns.schedule(() => {
      let value: unknown;
      try {
        value = readBody(request, body as Buffer);
      } catch (error) {
        done(error as Error);
        return;
      }
      done(null, value);
    });
  });
  const count = (agent: AgentPrincipal, token: AgentToken) => {
    // Of a shared token each device has its own bucket too; a POST that names its device only in the body, later. First, so
    // that a device above its limit takes nothing from the others.
    const device = agent.token.deviceId ?? agent.deviceId;
    if (device !== null) byDevice.consume(`${token.tenant_id}/${device}`);
    byToken.consume(token.token_id);
  };
  const limit = (request: FastifyRequest, reply: FastifyReply, token: AgentToken) => {
    count(agentOf(request), token);
    const length = request.headers['content-length'];
    if (request.method === 'POST') {
      const bytes = Math.min(Number(length ?? BODY_LIMIT_BYTES), BODY_LIMIT_BYTES);
      request.bodyClient = token.token_id;
      request.bodyReservation = reserveBody(request, reply, deps.budget, bytes);
    }
  };
  // With callbacks: every device's every request comes by, and a known token costs no promise.
  scope.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    removeBrowserHeaders(reply);
    const key = keyOf(request);
    const pass = (token: AgentToken) => {
      request.agent = admitted(request.raw, request.routeOptions.config.sync, token);
      limit(request, reply, token);
    };
    const known = key === null ? undefined : deps.tokens.getIfCached(key);
    if (known !== undefined) settle(done, () => pass(known));
    else
      activeToken(key, deps)
        .then(pass)
        .then(() => done(), done);
  });
  scope.addHook('preHandler', (request, _reply, done) => {
    settle(done, () => {
      const agent = agentOf(request);
      if (agent.token.deviceId !== null || agent.deviceId !== null) return;
      const body = request.body as { device?: { device_id?: string } } | undefined;
      const named = body?.device?.device_id?.toLowerCase();
      if (named !== undefined) byDevice.consume(`${agent.tenantId}/${named}`);
    });
  });
  return {
    peek(request) {
      const key = keyOf(request);
      const token = key === null ? undefined : deps.tokens.getIfCached(key);
      if (token === undefined) return null;
      const agent = admitted(request, 'get', token);
      return { agent, count: () => count(agent, token) };
    },
    hasUnread: () => turns.queued() > 0,
  };
}

function readBody(request: FastifyRequest, body: Buffer): unknown {
  if (request.bodyReservation?.isReleased)
    throw new HubError('invalid_request', '/ the device closed the connection');
  const inflated = isGzip(request) ? inflate(body) : body;
  request.bodyReservation?.change(inflated === body ? body.length : body.length + inflated.length);
  const read = request.routeOptions.config.readBody;
  if (read !== undefined) return read(request, inflated);
  request.bodyHash = createHash('sha256').update(inflated).digest();
  return parseJson(inflated);
}

/** Ends a hook with what `run` throws, or with nothing. */
function settle(done: (error?: Error) => void, run: () => void): void {
  let failed: Error | undefined;
  try {
    run();
  } catch (error) {
    failed = error as Error;
  }
  done(failed);
}

type SyncRoute = FastifyContextConfig['sync'];

/** Validates the request's headers against its token. Returns the agent. Throws HubError. */
function admitted(request: IncomingMessage, route: SyncRoute, token: AgentToken): AgentPrincipal {
  if (token.expires_at !== null && token.expires_at.getTime() <= Date.now()) {
    throw new HubError('invalid_agent_token');
  }
  checkTenantHeader(request, route, token);
  if (token.enrol_only && route !== 'enroll') throw new HubError('enrol_only_token');
  const subscriberId = readSubscriberHeader(request, route);
  const deviceId = header(request, 'x-device-id');
  if (deviceId === null ? route === 'get' : !isUuid(deviceId)) {
    throw new HubError('invalid_device_id');
  }
  checkBodyHeaders(request, route);
  return {
    tenantId: token.tenant_id,
    subscriberId: subscriberId ?? '',
    deviceId: deviceId?.toLowerCase() ?? null,
    token: {
      enrolOnly: token.enrol_only,
      deviceId: token.device_id,
      subscriberId: token.subscriber_id,
    },
  };
}

/** Enrollment may omit the tenant, which the token names; a header that is sent must be the token's tenant. */
function checkTenantHeader(request: IncomingMessage, route: SyncRoute, token: AgentToken): void {
  const tenantId = header(request, 'x-tenant-id');
  if (route === 'enroll' && tenantId === null) return;
  if (tenantId === null || !isUuid(tenantId)) throw new HubError('invalid_tenant_id');
  if (tenantId.toLowerCase() !== token.tenant_id) throw new HubError('tenant_mismatch');
}

/** Returns the subscriber; null only for an enrollment without the header. */
function readSubscriberHeader(request: IncomingMessage, route: SyncRoute): string | null {
  const subscriberId = header(request, 'x-subscriber-id');
  if (route === 'enroll' && subscriberId === null) return null;
  const isValid =
    subscriberId !== null &&
    SUBSCRIBER.test(subscriberId) &&
    !isSentTwice(request, 'x-subscriber-id', subscriberId);
  if (!isValid) throw new HubError('invalid_subscriber_id');
  return subscriberId;
}

/** Bodies must be gzip; an installer's script may enroll without compression. */
function checkBodyHeaders(request: IncomingMessage, route: SyncRoute): void {
  const isPlain = route !== 'post' && ['', 'identity'].includes(encodingOf(request));
  if (route !== 'get' && !isPlain && !isGzip(request)) throw new HubError('gzip_required');
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) {
    throw new HubError('body_too_large');
  }
}

/** Tokens with a valid format and checksum; any other token is refused without a query. */
function keyOf({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const secret = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return secret !== undefined && isSecret('agent', secret) ? hashSecretHex(secret) : null;
}

async function activeToken(
  key: string | null,
  deps: { db: Db; tokens: NotifiedCache<AgentToken> },
): Promise<AgentToken> {
  if (key === null) throw new HubError('invalid_agent_token');
  return deps.tokens.get(key, async () => {
    const found = await selectActiveToken(deps.db, Buffer.from(key, 'hex'));
    if (found === null) throw new HubError('invalid_agent_token');
    const { is_suspended: isSuspended, ...token } = found;
    if (isSuspended) throw new HubError('tenant_suspended');
    return token;
  });
}

function header(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

/** Node joins repeated headers: two subscribers would become a single name with both. */
function isSentTwice(request: IncomingMessage, name: string, value: string): boolean {
  // Names with a comma are rare; the raw headers are searched only for them.
  return value.includes(', ') && (request.headersDistinct[name]?.length ?? 0) > 1;
}

function encodingOf(request: Pick<IncomingMessage, 'headers'>): string {
  return (request.headers['content-encoding'] ?? '').trim().toLowerCase();
}

const isGzip = (request: Pick<IncomingMessage, 'headers'>): boolean =>
  encodingOf(request) === 'gzip';

/** Inflating stops at the limit, so a bomb costs no more than a large body. */
function inflate(body: Buffer): Buffer {
  try {
    return gunzipSync(body, {
      maxOutputLength: INFLATED_LIMIT_BYTES,
      chunkSize: pieceOf(body),
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new HubError(code === 'ERR_BUFFER_TOO_LARGE' ? 'body_too_large' : 'invalid_gzip');
  }
}

/** The decompressed size from the last four bytes of gzip (RFC 1952 §2.3.1): only a hint, because a client can forge it. */
function pieceOf(body: Buffer): number {
  const presented = body.length < 4 ? 0 : body.readUInt32LE(body.length - 4) + 1;
  return Math.min(PIECE_BYTES, Math.max(LEAST_PIECE_BYTES, presented));
}
