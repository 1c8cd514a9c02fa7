// GET /oauth/callback: the browser comes back from a server's login. It must be the browser, the session and the person
// that went, once; the answer must be of the login that was asked; only then is the code exchanged and the grant stored.
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as oidc from 'openid-client';
import { recordAudit } from '../../../../platform/audit.ts';
import { transact } from '../../../../platform/db/database.ts';
import type { App } from '../../../../platform/http/server/app.ts';
import { escapeHtml, sendHtmlPage } from '../../../../platform/http/server/html-page.ts';
import {
  type SessionCookie,
  selectMemberships,
  sessionHashOf,
  sessionOf,
} from '../../../people/identity/index.ts';
import { type ClientDeps, configurationFor, type OAuthBackend } from './client.ts';
import type { OAuthConnections } from './connections.ts';
import { oauthBackend, type Pending, startPlace } from './routes.ts';
import { type Start, storeGrant, takeStart } from './store.ts';
import { sealTokens } from './tokens.ts';

/** In words for the person; nothing was stored. */
class NotConnected extends Error {
  readonly status: number;

  constructor(problem: string, status = 400, cause?: unknown) {
    super(problem, { cause });
    this.status = status;
  }
}

export interface CallbackDeps extends ClientDeps {
  cookie: SessionCookie;
  grants: OAuthConnections;
}

export function registerOAuthCallback(app: App, deps: CallbackDeps): void {
  const arrive = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    try {
      const { tenantId, backendId } = await connect(deps, request);
      const query = new URLSearchParams({ connected: backendId });
      return reply.redirect(`/console/t/${tenantId}/my/connect/connections?${query}`, 303);
    } catch (error) {
      if (!(error instanceof NotConnected)) throw error;
      request.log.info({ err: error.cause ?? error }, 'a connection was not made');
      return sendProblem(reply, error);
    }
  };
  app.get('/oauth/callback', { schema: { hide: true } }, arrive);
  app.get('/oauth/callback/:backend_id', { schema: { hide: true } }, arrive);
}

function sendProblem(reply: FastifyReply, { status, message }: NotConnected): FastifyReply {
  return sendHtmlPage(reply, {
    status,
    title: 'Not connected',
    body: `<p class="problem" role="alert">${escapeHtml(message)}</p>
<p><a href="/console/">Back to the console</a></p>`,
  });
}

async function connect(deps: CallbackDeps, request: FastifyRequest): Promise<Start> {
  const answer = answerOf(request);
  const start = await startOf(deps, request, answer.get('state') ?? '');
  const person = await personOf(deps, request, start);
  const pending = pendingOf(deps, answer.get('state') ?? '', start);
  refuseOtherAddress(deps, request, pending);
  const backend = await backendOf(deps, start, pending);
  const tokens = await exchanged(deps, backend, pending, answer);
  await transact(deps.db, async (tx) => {
    await storeGrant(tx, start, {
      ...sealTokens(deps, start, tokens, { refresh: null, scope: null }),
      source: pending.source,
    });
    await recordAudit(tx, {
      tenantId: start.tenantId,
      actor: { kind: 'person', id: start.userId, email: person.email },
      operation: 'mcp_grant.store',
      resource: { kind: 'mcp_backend', id: start.backendId },
      requestId: request.id,
      detail: { issuer: pending.source.issuer, scope: tokens.scope ?? null },
    });
    await deps.grants.invalidateEverywhere(tx, start);
  });
  deps.grants.invalidate(start);
  return start;
}

/** Rejects a repeated parameter, which is ambiguous (RFC 6749 §3.1). */
function answerOf(request: FastifyRequest): URLSearchParams {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const names = [...searchParams.keys()];
  if (new Set(names).size !== names.length) throw new NotConnected('The response is ambiguous.');
  return searchParams;
}

async function startOf(deps: CallbackDeps, request: FastifyRequest, state: string): Promise<Start> {
  const session = sessionHashOf(deps.cookie, request);
  const start = session === null ? null : await takeStart(deps.db, hashSecret(state), session);
  if (start === null) {
    throw new NotConnected(
      "This connection wasn't started in this browser, or it expired. Go to your connections and start again.",
    );
  }
  return start;
}

async function personOf(deps: CallbackDeps, request: FastifyRequest, start: Start) {
  const session = await sessionOf(deps.db, deps.cookie, request);
  const memberships =
    session === null ? [] : await selectMemberships(deps.db, session.email_folded);
  const isTheirs = memberships.some(
    (membership) => membership.tenant_id === start.tenantId && membership.user_id === start.userId,
  );
  if (session === null || !isTheirs) {
    throw new NotConnected('You are no longer signed in. Sign in and start again.', 403);
  }
  return session;
}

function pendingOf(deps: CallbackDeps, state: string, { sealed_pending: sealed }: Start): Pending {
  return JSON.parse(deps.sealer.unseal(sealed, startPlace(hashSecret(state)))) as Pending;
}

/** Returns the backend if it is unchanged since the start: a token must not be stored for another server. */
async function backendOf(
  deps: CallbackDeps,
  start: Start,
  { source }: Pending,
): Promise<OAuthBackend> {
  const backend = await oauthBackend(deps.db, start.tenantId, start.backendId);
  if (backend === null || backend.url !== source.url) {
    throw new NotConnected('An admin changed this server. Start again.', 409);
  }
  return backend;
}

async function exchanged(
  deps: CallbackDeps,
  backend: OAuthBackend,
  { source, verifier, hasIss, callback }: Pending,
  answer: URLSearchParams,
): Promise<oidc.TokenEndpointResponse> {
  refuseOtherLogin(answer, source.issuer, hasIss);
  const problem = answer.get('error');
  if (problem !== null) {
    throw new NotConnected(
      problem === 'access_denied'
        ? 'Access was denied by you or by the server’s login.'
        : `The server’s login rejected the request (${problem.slice(0, 60)}).`,
    );
  }
  const configuration = await configurationFor(deps, backend, source);
  if (configuration === null) {
    throw new NotConnected('An admin changed this server. Start again.', 409);
  }
  const current = new URL(callback);
  current.search = answer.toString();
  try {
    return await oidc.authorizationCodeGrant(
      configuration,
      current,
      { pkceCodeVerifier: verifier, expectedState: answer.get('state') ?? '' },
      source.resource === null ? {} : { resource: source.resource },
    );
  } catch (cause) {
    throw new NotConnected(
      'The server’s login didn’t confirm the connection. Try again.',
      502,
      cause,
    );
  }
}

/** Rejects a response at the redirect URI of another authorization server (RFC 9700 §4.4.2). */
function refuseOtherAddress(
  { origin }: CallbackDeps,
  request: FastifyRequest,
  { callback }: Pending,
): void {
  if (new URL(request.url, origin).pathname === new URL(callback).pathname) return;
  throw new NotConnected('The response came from a different login.');
}

/** Rejects a response of another issuer (RFC 9207 §2.4) before its code is used. */
function refuseOtherLogin(answer: URLSearchParams, issuer: string, mustNameIt: boolean): void {
  const named = answer.get('iss');
  if (named === null ? mustNameIt : named !== issuer) {
    throw new NotConnected('The response came from a different login.');
  }
}
