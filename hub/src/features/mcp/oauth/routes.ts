// The OAuth server's routes: the same five for the root, the aggregated endpoint, its tenants and each backend, and the
// pages between request and code. Nothing here believes the request's Host.
import formbody from '@fastify/formbody';
import { hashSecret, isHashOf } from '@gatewarden/shared/secrets.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/app.ts';
import { asHubError, HubError } from '../../../platform/http/errors.ts';
import { sourceOf } from '../../../platform/http/pages.ts';
import { type Buckets, createBuckets } from '../../../platform/http/pressure.ts';
import {
  gatewayPerson,
  leadToSignIn,
  type SessionCookie,
  type SignIn,
} from '../../people/identity/index.ts';
import type { TokenCheck } from '../tokens/index.ts';
import { allowPage } from './allow-page.ts';
import {
  checkAuthorization,
  RefusedRequest,
  redirectTo,
  UntrustedRequest,
} from './authorization.ts';
import { sendConsentPage, sendTenantPage, sendUntrustedPage } from './consent-page.ts';
import { asOAuthError, OAuthError, sendOAuthError } from './errors.ts';
import { grant, newSecret, REQUEST_SECONDS, type Tenancy, tenantsFor } from './grant.ts';
import { idOf, type Namespace, resourceMetadata, serverMetadata, tenantOf } from './namespaces.ts';
import { DEFAULT_REDIRECTS, type RedirectRules, registeredForm } from './redirects.ts';
import { registered, registrationOf } from './registration.ts';
import {
  approveAuthorization,
  insertAuthorization,
  selectAuthorization,
  selectRedirect,
  storeRedirects,
  takeAuthorization,
} from './store.ts';
import { exchange } from './token.ts';
import { registerUserinfo } from './userinfo.ts';

const REDIRECTS_MAX = 5_000;
const BROWSER_COOKIE = 'gw_oauth_browser';

export interface OAuthDeps {
  db: Db;
  origin: string;
  sealer: Sealer;
  cookie: SessionCookie;
  signIn: SignIn;
  check: TokenCheck;
  pkce: 'if_sent' | 'off';
  membershipsOf(emailFolded: string): Promise<Tenancy[]>;
  /** Null where the path names nothing that there is. */
  namespaceOf(
    params: { tenant_id?: string; backend?: string },
    root: boolean,
  ): Promise<Namespace | null>;
  /** The logins that a passthrough server names, with their scopes; null where it names none. */
  loginsOf(backendId: string): Promise<{ servers: string[]; scopes: string[] } | null>;
}

/** The beginnings of the four families' paths. */
const FAMILIES = ['', '/gwone', '/gwone/:tenant_id', '/:backend'] as const;

export async function registerOAuth(app: App, deps: OAuthDeps): Promise<void> {
  const registrations = createBuckets(
    { perSecond: 1, burst: 60 },
    { max: 10_000, nowMs: () => performance.now() },
  );
  await app.register(async (scope: App) => {
    await scope.register(formbody, { bodyLimit: 65_536 });
    for (const family of FAMILIES) registerFamily(scope, deps, family, registrations);
    registerConsent(scope, deps);
    registerUserinfo(scope, deps);
  });
}

function registerFamily(
  scope: App,
  deps: OAuthDeps,
  family: (typeof FAMILIES)[number],
  registrations: Buckets,
): void {
  const { origin } = deps;
  const named = async (request: FastifyRequest) => {
    const namespace = await deps.namespaceOf(request.params as object, family === '');
    if (namespace === null) throw new HubError('not_found');
    return namespace;
  };
  /** Of a passthrough server nothing is ours: no login, no token, no registration. */
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
  };
  document(`/.well-known/oauth-authorization-server${family}`, async (request) =>
    serverMetadata(await resolve(request), origin),
  );
  if (family !== '') {
    document(`/.well-known/oauth-protected-resource${family}/mcp`, async (request) => {
      const namespace = await named(request);
      if (!isPassthrough(namespace)) return resourceMetadata(namespace, origin);
      const logins = await deps.loginsOf(namespace.backendId);
      if (logins === null) throw new HubError('not_found');
      return resourceMetadata(namespace, origin, logins);
    });
  }
  scope.get(`${family}/oauth/authorize`, { schema: { hide: true } }, async (request, reply) => {
    const namespace = await resolve(request);
    return authorize(deps, namespace, request, reply);
  });
  const json = (
    path: string,
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
        errorHandler: (error, _request, reply) => {
          if (asHubError(error).code === 'not_found') throw error;
          sendOAuthError(reply, asOAuthError(error));
        },
      },
      async (request, reply) => {
        const namespace = await resolve(request);
        await allowPage(deps, namespace, request, reply);
        const { status, body } = await work(namespace, request);
        return reply.code(status).header('cache-control', 'no-store').send(body);
      },
    );
  };
  json('/oauth/token', async (namespace, request) => {
    if (!isForm(request)) {
      throw new OAuthError(
        'invalid_request',
        'The body must be application/x-www-form-urlencoded.',
      );
    }
    if (request.headers.authorization !== undefined) {
      throw new OAuthError('invalid_client', 'The client has no secret: send no credentials.');
    }
    return { status: 200, body: await exchange(deps, namespace, request.body) };
  });
  json('/oauth/register', async (namespace, request) => {
    registrations.take(request.ip);
    const rules = await rulesOf(deps, namespace);
    const asked = registrationOf(isForm(request) ? null : request.body, rules);
    const isKept = await storeRedirects(
      deps.db,
      idOf(namespace),
      [...new Set(asked.redirectUris.map(registeredForm))],
      asked.clientName,
      REDIRECTS_MAX,
    );
    if (!isKept) {
      throw new OAuthError('temporarily_unavailable', 'Too many clients are registered here.', 503);
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

async function rulesOf(deps: OAuthDeps, namespace: Namespace): Promise<RedirectRules[]> {
  const tenantId = tenantOf(namespace);
  if (tenantId === null) return [DEFAULT_REDIRECTS];
  const { redirect_https: https, redirect_schemes: schemes } = await deps.check.settings(tenantId);
  return [DEFAULT_REDIRECTS, { https, schemes }];
}

async function authorize(
  deps: OAuthDeps,
  namespace: Namespace,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    const asked = await checkAuthorization(
      {
        namespace,
        origin: deps.origin,
        rules: await rulesOf(deps, namespace),
        pkce: deps.pkce,
        registrationOf: (uri) => selectRedirect(deps.db, idOf(namespace), uri),
      },
      request.query,
    );
    const [requestId, browser, csrf] = [newSecret(), newSecret(), newSecret()];
    await insertAuthorization(deps.db, {
      requestHash: hashSecret(requestId),
      namespace: idOf(namespace),
      asked,
      browser_hash: hashSecret(browser),
      csrf_hash: hashSecret(csrf),
      seconds: REQUEST_SECONDS,
    });
    setBrowser(reply, deps, browser);
    return sendConsentPage(reply, {
      asked,
      request: requestId,
      csrf,
      what:
        namespace.kind === 'backend' ? namespace.backendName : 'the MCP servers of your company',
      tenantName: namespace.kind === 'root' ? null : namespace.tenantName,
      loginSource: deps.signIn.providerOrigin,
    });
  } catch (error) {
    if (error instanceof UntrustedRequest) return sendUntrustedPage(reply, 400, error.message);
    if (error instanceof RefusedRequest) return leave(reply, error.redirect);
    throw error;
  }
}

function setBrowser(reply: FastifyReply, deps: OAuthDeps, browser: string): void {
  reply.setCookie(BROWSER_COOKIE, browser, {
    ...deps.cookie.options,
    path: '/oauth',
    maxAge: REQUEST_SECONDS,
  });
}

/** To the client, by GET, with nothing of the hub's address. */
function leave(reply: FastifyReply, url: string): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect(url, 303);
}

const Word = Type.String({ maxLength: 200 });
const Decision = Type.Object({
  request: Word,
  csrf: Word,
  decision: Type.Union([Type.Literal('approve'), Type.Literal('refuse')]),
});
const Choice = Type.Object({ request: Word, csrf: Word, tenant_id: Word });

function registerConsent(scope: App, deps: OAuthDeps): void {
  const errorHandler = (error: unknown, _request: FastifyRequest, reply: FastifyReply) => {
    if (!(error instanceof UntrustedRequest)) throw error;
    void sendUntrustedPage(reply, 400, error.message);
  };
  /** The authorization that this form or address belongs to, in the browser that it was shown in. */
  const pending = async (request: FastifyRequest, id: string, csrf: string | null) => {
    const { origin } = request.headers;
    if (csrf !== null && origin !== undefined && origin !== 'null' && origin !== deps.origin) {
      throw new UntrustedRequest('The form was sent from another site.');
    }
    const found = await selectAuthorization(deps.db, hashSecret(id));
    const isTheirs =
      found !== null &&
      isHashOf(found.browser_hash, request.cookies[BROWSER_COOKIE]) &&
      (csrf === null || isHashOf(found.csrf_hash, csrf));
    if (!isTheirs) {
      throw new UntrustedRequest('This request is over, or was begun in another browser.');
    }
    return found;
  };

  scope.post(
    '/oauth/consent',
    { schema: { hide: true, body: Decision }, errorHandler },
    async (request, reply) => {
      const { request: id, csrf, decision } = request.body;
      const { asked, approved_at } = await pending(request, id, csrf);
      if (decision === 'refuse') {
        await takeAuthorization(deps.db, hashSecret(id));
        const error = { error: 'access_denied', error_description: 'The person refused.' };
        return leave(reply, redirectTo(asked, error));
      }
      const browser = newSecret();
      const isApproved =
        approved_at === null &&
        (await approveAuthorization(deps.db, hashSecret(id), hashSecret(browser)));
      if (!isApproved) throw new UntrustedRequest('This request was answered before.');
      setBrowser(reply, deps, browser);
      return leadToSignIn(reply, deps, {
        request: id,
        source: sourceOf(new URL(asked.redirectUri)),
      });
    },
  );

  scope.get(
    '/oauth/continue',
    { schema: { hide: true, querystring: Type.Object({ request: Word }) }, errorHandler },
    async (request, reply) => {
      const id = request.query.request;
      const authorization = await pending(request, id, null);
      const { email, tenants } = await personFor(request, id, authorization);
      if (tenants.length > 1 && authorization.namespace !== 'root') {
        const csrf = await newCsrf(id);
        return sendTenantPage(reply, {
          asked: authorization.asked,
          request: id,
          csrf,
          email,
          tenants,
        });
      }
      return finish(reply, id, authorization, email, tenants[0] ?? null);
    },
  );

  scope.post(
    '/oauth/choose',
    { schema: { hide: true, body: Choice }, errorHandler },
    async (request, reply) => {
      const { request: id, csrf, tenant_id: tenantId } = request.body;
      if (!fitsChoice(id, csrf)) throw new UntrustedRequest('The form was sent from another site.');
      const authorization = await pending(request, id, null);
      const { email, tenants } = await personFor(request, id, authorization);
      const chosen = tenants.find((one) => one.tenant_id === tenantId);
      if (chosen === undefined) throw new UntrustedRequest('That company is not one of yours.');
      return finish(reply, id, authorization, email, chosen);
    },
  );

  const CHOICE = 'cookie/oauth-choice';
  const newCsrf = async (id: string) => deps.sealer.seal(id, CHOICE);
  const fitsChoice = (id: string, csrf: string) => {
    try {
      return deps.sealer.unseal(csrf, CHOICE) === id;
    } catch {
      // Forged or of another request: the same to whoever asks.
      return false;
    }
  };

  async function personFor(
    request: FastifyRequest,
    id: string,
    { namespace, approved_at }: Awaited<ReturnType<typeof pending>>,
  ) {
    const email = approved_at === null ? null : gatewayPerson(request, deps.sealer, id);
    if (email === null) throw new UntrustedRequest('Nobody has signed in for this request.');
    const fixed = /^(?:gwone|backend)\/([0-9a-f-]{36})/.exec(namespace)?.[1] ?? null;
    const settings = deps.check.settings;
    return { email, tenants: await tenantsFor(email, fixed, { ...deps, settings }) };
  }

  async function finish(
    reply: FastifyReply,
    id: string,
    authorization: Awaited<ReturnType<typeof pending>>,
    email: string,
    tenant: Tenancy | null,
  ): Promise<FastifyReply> {
    reply.clearCookie(BROWSER_COOKIE, { ...deps.cookie.options, path: '/oauth' });
    if (tenant === null) {
      await takeAuthorization(deps.db, hashSecret(id));
      const description = `${email} may not use this here.`;
      const error = { error: 'access_denied', error_description: description };
      return leave(reply, redirectTo(authorization.asked, error));
    }
    const isRoot = authorization.namespace === 'root';
    const target = await grant(deps.db, hashSecret(id), authorization, {
      tenantId: isRoot ? null : tenant.tenant_id,
      userId: isRoot ? null : tenant.user_id,
      email,
    });
    if (target === null) throw new UntrustedRequest('This request was answered before.');
    return leave(reply, target);
  }
}
