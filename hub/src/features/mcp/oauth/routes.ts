// Routes of the OAuth server: the same endpoints for the root, the aggregated endpoint, its tenants and each backend. All URLs
// come from the configured origin, never from the header `Host`.
import formbody from '@fastify/formbody';
import type { FastifyRequest } from 'fastify';
import { assignOpenBodyBudget } from '../../../platform/http/limits/in-flight-bodies.ts';
import { createRateLimiter, type RateLimit } from '../../../platform/http/limits/token-bucket.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { clientAddressOf, sourceKeyOf } from '../../../platform/http/server/client-address.ts';
import { authorize, sendErrorPage } from './authorize.ts';
import { registerConsent } from './consent.ts';
import { type OAuthDeps, rulesOf } from './deps.ts';
import { OAuthError, refuseOthers, type Taken } from './errors.ts';
import { isForm, registerJsonEndpoint } from './json-endpoint.ts';
import { registerMetadata } from './metadata-routes.ts';
import { createNamespaceLookup, FAMILIES, type NamespaceFamily } from './namespace-lookup.ts';
import { type Namespace, namespaceId } from './namespaces.ts';
import { registeredForm } from './redirects.ts';
import { clientInformation, validateRegistration } from './registration/validate.ts';
import { areRegistered, storeRedirects } from './store.ts';
import { createExchange, type Exchange } from './token/exchange.ts';
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

/** Registers the OAuth server for all namespaces. */
export async function registerOAuth(app: App, deps: OAuthDeps): Promise<void> {
  // Anybody may write these rows without a sign-in, so each source has a budget, and all sources share another. The users of
  // a company are a single source.
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

interface SharedParts {
  registrations: WriteBudget;
  authorizations: WriteBudget;
  exchange: Exchange;
}

function registerFamily(
  scope: App,
  deps: OAuthDeps,
  family: NamespaceFamily,
  { registrations, authorizations, exchange }: SharedParts,
): void {
  const lookup = createNamespaceLookup(deps, family);
  const { requireOwnLogin } = lookup;
  registerMetadata(scope, deps, family, lookup);
  scope.get(
    `${family}/oauth/authorize`,
    { schema: { hide: true }, errorHandler: sendErrorPage },
    async (request, reply) => {
      const namespace = await requireOwnLogin(request);
      authorizations(request);
      return authorize(deps, namespace, request, reply);
    },
  );
  refuseOthers(scope, `${family}/oauth/authorize`, 'GET', requireOwnLogin);
  registerJsonEndpoint(scope, deps, lookup, {
    path: `${family}/oauth/token`,
    body: FORM,
    async respond(namespace, request) {
      checkClientAuthentication(request);
      return { status: 200, body: await exchange(namespace, request) };
    },
  });
  registerJsonEndpoint(scope, deps, lookup, {
    path: `${family}/oauth/register`,
    body: METADATA,
    respond: (namespace, request) => registerClient(deps, namespace, request, registrations),
  });
}

/** Requires a form without credentials, because all clients are public (RFC 6749 §2.1, §3.2.1). */
function checkClientAuthentication(request: FastifyRequest): void {
  if (!isForm(request)) {
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  }
  if (request.headers.authorization !== undefined) {
    throw new OAuthError('invalid_client', "This client has no secret. Don't send credentials.");
  }
}

/** Stores the redirect URIs of a client (RFC 7591 §3.1). Throws OAuthError. */
async function registerClient(
  deps: OAuthDeps,
  namespace: Namespace,
  request: FastifyRequest,
  registrations: WriteBudget,
): Promise<{ status: number; body: object }> {
  const rules = await rulesOf(deps, namespace);
  const registration = validateRegistration(isForm(request) ? null : request.body, rules);
  const uris = [...new Set(registration.redirectUris.map(registeredForm))];
  const row = [deps.db, namespaceId(namespace), uris, registration.clientName] as const;
  // A company's clients repeat the same registrations, so only new registrations count.
  const isRepeated = await areRegistered(...row);
  if (!isRepeated) registrations(request);
  const isStored = isRepeated || (await storeRedirects(...row, REDIRECTS_MAX));
  if (!isStored) {
    throw new OAuthError('temporarily_unavailable', 'Too many registered clients.', 503);
  }
  return { status: 201, body: clientInformation(namespace, registration, new Date()) };
}
