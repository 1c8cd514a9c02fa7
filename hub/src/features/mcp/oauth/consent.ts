// The pages between an authorization request and its code: consent, and the company where there are several.
import { hashSecret, isHashOf } from '@gatewarden/shared/secrets.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { recordError, toHubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import {
  type CookieKind,
  clearCookie,
  readCookie,
  setCookie,
} from '../../../platform/http/server/cookies.ts';
import { cspSource } from '../../../platform/http/server/html-page.ts';
import {
  clearGatewayPerson,
  readGatewayPerson,
  redirectToSignIn,
} from '../../people/identity/index.ts';
import {
  checkAuthorization,
  RefusedRequest,
  redirectTo,
  UntrustedRequest,
} from './authorization.ts';
import { sendConsentPage, sendTenantPage, sendUntrustedPage } from './consent-page.ts';
import { mayRedirect, type OAuthDeps, rulesOf } from './deps.ts';
import { refuseOthers } from './errors.ts';
import { grant, newSecret, REQUEST_SECONDS, type Tenancy, tenantsFor } from './grant.ts';
import { type Namespace, namespaceId } from './namespaces.ts';
import {
  type Asked,
  approveAuthorization,
  insertAuthorization,
  selectAuthorization,
  selectRedirect,
  takeAuthorization,
} from './store.ts';

/** A cookie per request, because clients open the consent pages of several servers at the same time. */
const BROWSER: CookieKind = {
  prefix: 'gw_oauth_browser',
  max: 50,
  options: { path: '/oauth', maxAge: REQUEST_SECONDS },
};

/** A person's browser reads it. */
export function sendAsPage(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof UntrustedRequest) return void sendUntrustedPage(reply, 400, error.message);
  if (toHubError(error).code === 'not_found') throw error;
  const { code, message } = recordError(error, request, reply);
  const { status, message: listed } = ERRORS[code];
  void sendUntrustedPage(reply, status, status < 500 ? message : listed);
}

export async function authorize(
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
        registrationOf: (uri) => selectRedirect(deps.db, namespaceId(namespace), uri),
      },
      request.query,
    );
    const [requestId, browser, csrf] = [newSecret(), newSecret(), newSecret()];
    await insertAuthorization(deps.db, {
      requestHash: hashSecret(requestId),
      namespace: namespaceId(namespace),
      asked,
      browser_hash: hashSecret(browser),
      csrf_hash: hashSecret(csrf),
      seconds: REQUEST_SECONDS,
    });
    setCookie(BROWSER, { request, reply, base: deps.cookie.options }, requestId, browser);
    return sendConsentPage(reply, {
      asked,
      request: requestId,
      csrf,
      what:
        namespace.kind === 'backend' ? namespace.backendName : "your organization's MCP servers",
      tenantName: namespace.kind === 'root' ? null : namespace.tenantName,
      loginSource: deps.signIn.providerOrigin,
    });
  } catch (error) {
    if (error instanceof RefusedRequest) return leave(reply, error.redirect);
    throw error;
  }
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

export function registerConsent(scope: App, deps: OAuthDeps): void {
  const errorHandler = sendAsPage;
  /** The authorization that this form or address belongs to, in the browser that it was shown in. */
  const pending = async (request: FastifyRequest, id: string, csrf: string | null) => {
    const { origin } = request.headers;
    if (csrf !== null && origin !== undefined && origin !== 'null' && origin !== deps.origin) {
      throw new UntrustedRequest('The form came from another site.');
    }
    const found = await selectAuthorization(deps.db, hashSecret(id));
    const isTheirs =
      found !== null &&
      isHashOf(found.browser_hash, readCookie(BROWSER, request, id)) &&
      (csrf === null || isHashOf(found.csrf_hash, csrf));
    if (!isTheirs) {
      throw new UntrustedRequest('This request expired, or was started in another browser.');
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
        clearCookie(BROWSER, { reply, base: deps.cookie.options }, id);
        const error = { error: 'access_denied', error_description: 'The user denied the request.' };
        return leave(reply, redirectTo(asked, error));
      }
      const browser = newSecret();
      const isApproved =
        approved_at === null &&
        (await approveAuthorization(deps.db, hashSecret(id), hashSecret(browser)));
      if (!isApproved) throw new UntrustedRequest('This request was already answered.');
      setCookie(BROWSER, { request, reply, base: deps.cookie.options }, id, browser);
      return redirectToSignIn(request, reply, deps, {
        request: id,
        source: cspSource(new URL(asked.redirectUri)),
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
      if (!fitsChoice(id, csrf)) throw new UntrustedRequest('The form came from another site.');
      const authorization = await pending(request, id, null);
      const { email, tenants } = await personFor(request, id, authorization);
      const chosen = tenants.find((tenant) => tenant.tenant_id === tenantId);
      if (chosen === undefined) throw new UntrustedRequest('Not a member of this organization.');
      return finish(reply, id, authorization, email, chosen);
    },
  );

  for (const path of ['/oauth/consent', '/oauth/choose']) refuseOthers(scope, path, 'POST');
  refuseOthers(scope, '/oauth/continue', 'GET');

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
    { namespace, approved_at, asked }: Awaited<ReturnType<typeof pending>>,
  ) {
    const email = approved_at === null ? null : readGatewayPerson(request, deps.sealer, id);
    if (email === null) throw new UntrustedRequest('Sign in first to continue this request.');
    const fixed = /^(?:gwone|backend)\/([0-9a-f-]{36})/.exec(namespace)?.[1] ?? null;
    const settings = deps.check.settings;
    const tenants = await tenantsFor(email, fixed, { ...deps, settings });
    return { email, tenants: fixed === null ? await allowing(tenants, asked) : tenants };
  }

  /** Throws UntrustedRequest if none of the person's companies lets a code be sent to the redirect URI. */
  async function allowing(
    tenants: readonly Tenancy[],
    { redirectUri }: Asked,
  ): Promise<readonly Tenancy[]> {
    const allows = await Promise.all(
      tenants.map((tenant) => mayRedirect(deps, tenant.tenant_id, redirectUri)),
    );
    const left = tenants.filter((_, i) => allows[i]);
    if (left.length > 0 || tenants.length === 0) return left;
    throw new UntrustedRequest(
      `Your organization doesn't allow the redirect URI ${redirectUri.slice(0, 200)} (redirect_uris in the MCP gateway settings).`,
    );
  }

  async function finish(
    reply: FastifyReply,
    id: string,
    authorization: Awaited<ReturnType<typeof pending>>,
    email: string,
    tenant: Tenancy | null,
  ): Promise<FastifyReply> {
    clearCookie(BROWSER, { reply, base: deps.cookie.options }, id);
    clearGatewayPerson(reply, deps, id);
    if (tenant === null) {
      await takeAuthorization(deps.db, hashSecret(id));
      const description = `${email} has no access to this.`;
      const error = { error: 'access_denied', error_description: description };
      return leave(reply, redirectTo(authorization.asked, error));
    }
    const isRoot = authorization.namespace === 'root';
    const target = await grant(deps.db, hashSecret(id), authorization, {
      tenantId: isRoot ? null : tenant.tenant_id,
      userId: isRoot ? null : tenant.user_id,
      email,
    });
    if (target === null) throw new UntrustedRequest('This request was already answered.');
    return leave(reply, target);
  }
}
