// The OAuth server's routes: the same five for the root, the aggregated endpoint, its tenants and each backend, and the
// pages between request and code. Nothing here believes the request's Host.
import formbody from '@fastify/formbody';
import type { FastifyRequest } from 'fastify';
import { HubError, recordError, toHubError } from '../../../platform/http/errors/errors.ts';
import { assignOpenBodyBudget } from '../../../platform/http/limits/in-flight-bodies.ts';
import { createRateLimiter, type RateLimit } from '../../../platform/http/limits/token-bucket.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { clientAddressOf, sourceKeyOf } from '../../../platform/http/server/client-address.ts';
import { allowPage } from './allow-page.ts';
import { authorize, registerConsent, sendAsPage } from './consent.ts';
import { type OAuthDeps, rulesOf } from './deps.ts';
import {
  asOAuthError,
  OAuthError,
  refuseOthers,
  sendOAuthError,
  type Taken,
  unkept,
} from './errors.ts';
import { type Namespace, namespaceId, resourceMetadata, serverMetadata } from './namespaces.ts';
import { registeredForm } from './redirects.ts';
import { registered, registrationOf } from './registration.ts';
import { areRegistered, storeRedirects } from './store.ts';
import { createExchange, type Exchange } from './token.ts';
import { registerUserinfo } from './userinfo.ts';

/** More than the registrations of an address in 15 minutes, so that active sign-ins have room. */
const REDIRECTS_MAX = 10_000;

const FORM: Taken = {
  type: 'application/x-www-form-urlencoded',
  limitKib: 64,
  refusal: 'invalid_request',
};
const METADATA: Taken = {
  type: 'application/json',
  limitKib: 64,
  refusal: 'invalid_client_metadata',
};

/** Counts one write of a request. Throws `too_many_requests` if its source, or all sources together, wrote too much. */
type WriteBudget = (request: FastifyRequest) => void;

function createWriteBudget(rates: { bySource: RateLimit; inTotal: RateLimit }): WriteBudget {
  const nowMs = () => performance.now();
  const bySource = createRateLimiter(rates.bySource, { max: 10_000, nowMs });
  const inTotal = createRateLimiter(rates.inTotal, { max: 1, nowMs });
  return (request) => {
    bySource.consume(sourceKeyOf(clientAddressOf(request)));
    inTotal.consume('all');
  };
}

/** The beginnings of the four families' paths. */
const FAMILIES = ['', '/gwone', '/gwone/:tenant_id', '/:backend'] as const;

export async function registerOAuth(app: App, deps: OAuthDeps): Promise<void> {
  // Rows that anybody may write without a sign-in: each source draws from its own budget and all from one in total. An
  // authorization lasts for ten minutes; a company's people are one source.
  const registrations = createWriteBudget({
    bySource: { perSecond: 5, burst: 300 },
    inTotal: { perSecond: 20, burst: 1_000 },
  });
  const authorizations = createWriteBudget({
    bySource: { perSecond: 20, burst: 1_000 },
    inTotal: { perSecond: 50, burst: 3_000 },
  });
  const shared = { registrations, authorizations, exchange: createExchange(deps) };
  await app.register(async (scope: App) => {
    scope.addHook('onRoute', assignOpenBodyBudget(65_536));
    await scope.register(formbody, { bodyLimit: 65_536 });
    for (const family of FAMILIES) registerFamily(scope, deps, family, shared);
    registerConsent(scope, deps);
    registerUserinfo(scope, deps);
  });
}

function registerFamily(
  scope: App,
  deps: OAuthDeps,
  family: (typeof FAMILIES)[number],
  shared: { registrations: WriteBudget; authorizations: WriteBudget; exchange: Exchange },
): void {
  const { origin } = deps;
  const { registrations, authorizations, exchange } = shared;
  const named = async (request: FastifyRequest) => {
    const namespace = await deps.namespaceOf(request.params as object, family === '');
    if (namespace === null) throw new HubError('not_found');
    return namespace;
  };
  /** A passthrough server has its own login, so the gateway has no endpoints for it. */
  const resolve = async (request: FastifyRequest) => {
    const namespace = await named(request);
    if (isPassthrough(namespace)) throw new HubError('not_found');
    return namespace;
  };
  const document = (path: string, make: (request: FastifyRequest) => Promise<object>) => {
    // Public, and the same for everybody: a page of any origin may read it.
    scope.options(path, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .header('access-control-allow-origin', '*')
        .header('access-control-allow-methods', 'GET')
        .header('access-control-allow-headers', 'mcp-protocol-version, content-type, authorization')
        .code(204)
        .send(),
    );
    scope.get(path, { schema: { hide: true } }, async (request, reply) =>
      reply
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'no-store')
        .send(await make(request)),
    );
    refuseOthers(scope, path, 'GET', named);
  };
  document(`/.well-known/oauth-authorization-server${family}`, async (request) =>
    serverMetadata(await resolve(request), origin),
  );
  if (family !== '') {
    // Clients that write a slash behind the MCP URL write it here too.
    for (const end of ['', '/']) {
      document(`/.well-known/oauth-protected-resource${family}/mcp${end}`, async (request) => {
        const namespace = await named(request);
        if (!isPassthrough(namespace)) return resourceMetadata(namespace, origin);
        const logins = await deps.loginsOf(namespace.backendId);
        if (logins === null) throw new HubError('not_found');
        return resourceMetadata(namespace, origin, logins);
      });
    }
  }
  scope.get(
    `${family}/oauth/authorize`,
    { schema: { hide: true }, errorHandler: sendAsPage },
    async (request, reply) => {
      const namespace = await resolve(request);
      authorizations(request);
      return authorize(deps, namespace, request, reply);
    },
  );
  refuseOthers(scope, `${family}/oauth/authorize`, 'GET', resolve);
  const json = (
    path: string,
    taken: Taken,
    work: (
      namespace: Namespace,
      request: FastifyRequest,
    ) => Promise<{ status: number; body: object }>,
  ) => {
    scope.options(`${family}${path}`, { schema: { hide: true } }, async (request, reply) => {
      await allowPage(deps, await resolve(request), request, reply);
      return reply.code(204).send();
    });
    scope.post(
      `${family}${path}`,
      {
        schema: { hide: true },
        bodyLimit: taken.limitKib * 1024,
        errorHandler: (error, request, reply) => {
          if (toHubError(error).code === 'not_found') throw error;
          if (!(error instanceof OAuthError)) recordError(error, request, reply);
          sendOAuthError(reply, asOAuthError(error, taken));
        },
      },
      async (request, reply) => {
        const namespace = await resolve(request);
        await allowPage(deps, namespace, request, reply);
        const { status, body } = await work(namespace, request);
        return unkept(reply).code(status).send(body);
      },
    );
    refuseOthers(scope, `${family}${path}`, 'POST', resolve);
  };
  json('/oauth/token', FORM, async (namespace, request) => {
    if (!isForm(request)) {
      throw new OAuthError(
        'invalid_request',
        'The body must be application/x-www-form-urlencoded.',
      );
    }
    if (request.headers.authorization !== undefined) {
      throw new OAuthError('invalid_client', "This client has no secret. Don't send credentials.");
    }
    return { status: 200, body: await exchange(namespace, request) };
  });
  json('/oauth/register', METADATA, async (namespace, request) => {
    const rules = await rulesOf(deps, namespace);
    const asked = registrationOf(isForm(request) ? null : request.body, rules);
    const uris = [...new Set(asked.redirectUris.map(registeredForm))];
    const store = [deps.db, namespaceId(namespace), uris, asked.clientName] as const;
    // A company's clients repeat the same registrations, so only new ones count.
    const isKnown = await areRegistered(...store);
    if (!isKnown) registrations(request);
    const isKept = isKnown || (await storeRedirects(...store, REDIRECTS_MAX));
    if (!isKept) {
      throw new OAuthError('temporarily_unavailable', 'Too many registered clients.', 503);
    }
    return { status: 201, body: registered(namespace, asked, new Date()) };
  });
}

const isPassthrough = (
  namespace: Namespace,
): namespace is Extract<Namespace, { kind: 'backend' }> =>
  namespace.kind === 'backend' && namespace.passthrough;

const isForm = (request: FastifyRequest) =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '');
