// The pages between an authorization request and its code: consent, sign-in, and the choice of a tenant.
//
// States of an authorization: shown → approved (the browser gets a new secret, and signs in) → granted (the client gets a
// code). It ends when the user denies it, has no access, or lets it expire.
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../../platform/http/server/app.ts';
import { cspSource } from '../../../platform/http/server/html-page.ts';
import { clearGatewayPerson, redirectToSignIn } from '../../people/identity/index.ts';
import { UntrustedRequest } from './authorization/request.ts';
import { redirectTo, redirectToClient } from './authorization/response.ts';
import { sendErrorPage } from './authorize.ts';
import { sendTenantPage } from './consent-page.ts';
import type { OAuthDeps } from './deps.ts';
import { refuseOthers } from './errors.ts';
import { grant, newSecret, type Tenancy } from './grant.ts';
import { bindBrowser, loadPending, unbindBrowser } from './pending-authorization.ts';
import { identifyUser } from './signed-in-user.ts';
import { type Authorization, approveAuthorization, takeAuthorization } from './store.ts';

const Word = Type.String({ maxLength: 200 });
const Decision = Type.Object({
  request: Word,
  csrf: Word,
  decision: Type.Union([Type.Literal('approve'), Type.Literal('refuse')]),
});
const Choice = Type.Object({ request: Word, csrf: Word, tenant_id: Word });

/** Registers the pages of consent. */
export function registerConsent(scope: App, deps: OAuthDeps): void {
  registerDecision(scope, deps);
  registerContinuation(scope, deps);
  registerTenantChoice(scope, deps);
  for (const path of ['/oauth/consent', '/oauth/choose']) refuseOthers(scope, path, 'POST');
  refuseOthers(scope, '/oauth/continue', 'GET');
}

/** The form of the consent page: redirects to the sign-in, or back to the client. */
function registerDecision(scope: App, deps: OAuthDeps): void {
  scope.post(
    '/oauth/consent',
    { schema: { hide: true, body: Decision }, errorHandler: sendErrorPage },
    async (request, reply) => {
      const { request: id, csrf, decision } = request.body;
      const { asked, approved_at } = await loadPending(deps, request, id, csrf);
      if (decision === 'refuse') {
        await takeAuthorization(deps.db, hashSecret(id));
        unbindBrowser(deps, reply, id);
        const error = { error: 'access_denied', error_description: 'The user denied the request.' };
        return redirectToClient(reply, redirectTo(asked, error));
      }
      const browser = newSecret();
      const isApproved =
        approved_at === null &&
        (await approveAuthorization(deps.db, hashSecret(id), hashSecret(browser)));
      if (!isApproved) throw new UntrustedRequest('This request was already answered.');
      bindBrowser(deps, { request, reply }, id, browser);
      return redirectToSignIn(request, reply, deps, {
        request: id,
        source: cspSource(new URL(asked.redirectUri)),
      });
    },
  );
}

/** The return from the sign-in: grants the authorization, or asks for the tenant. */
function registerContinuation(scope: App, deps: OAuthDeps): void {
  scope.get(
    '/oauth/continue',
    {
      schema: { hide: true, querystring: Type.Object({ request: Word }) },
      errorHandler: sendErrorPage,
    },
    async (request, reply) => {
      const id = request.query.request;
      const authorization = await loadPending(deps, request, id, null);
      const { email, tenants } = await identifyUser(deps, request, id, authorization);
      if (tenants.length > 1 && authorization.namespace !== 'root') {
        const csrf = deps.sealer.seal(id, CHOICE);
        const { asked } = authorization;
        return sendTenantPage(reply, { asked, request: id, csrf, email, tenants });
      }
      return finish(deps, reply, { id, authorization, email, tenant: tenants[0] ?? null });
    },
  );
}

/** The form of the choice of a tenant. */
function registerTenantChoice(scope: App, deps: OAuthDeps): void {
  scope.post(
    '/oauth/choose',
    { schema: { hide: true, body: Choice }, errorHandler: sendErrorPage },
    async (request, reply) => {
      const { request: id, csrf, tenant_id: tenantId } = request.body;
      if (!isChoiceOf(deps, id, csrf)) {
        throw new UntrustedRequest('The form came from another site.');
      }
      const authorization = await loadPending(deps, request, id, null);
      const { email, tenants } = await identifyUser(deps, request, id, authorization);
      const tenant = tenants.find((item) => item.tenant_id === tenantId);
      if (tenant === undefined) throw new UntrustedRequest('Not a member of this organization.');
      return finish(deps, reply, { id, authorization, email, tenant });
    },
  );
}

/** Purpose of the sealed id in the form of the choice of a tenant. */
const CHOICE = 'cookie/oauth-choice';

function isChoiceOf({ sealer }: OAuthDeps, id: string, csrf: string): boolean {
  try {
    return sealer.unseal(csrf, CHOICE) === id;
  } catch {
    // A forged value is treated like the value of another request.
    return false;
  }
}

/** Redirects to the client with a code, or with `access_denied` if the user has no tenant. */
async function finish(
  deps: OAuthDeps,
  reply: FastifyReply,
  {
    id,
    authorization,
    email,
    tenant,
  }: { id: string; authorization: Authorization; email: string; tenant: Tenancy | null },
): Promise<FastifyReply> {
  unbindBrowser(deps, reply, id);
  clearGatewayPerson(reply, deps, id);
  if (tenant === null) {
    await takeAuthorization(deps.db, hashSecret(id));
    const description = `${email} has no access to this.`;
    const error = { error: 'access_denied', error_description: description };
    return redirectToClient(reply, redirectTo(authorization.asked, error));
  }
  const isRoot = authorization.namespace === 'root';
  const target = await grant(deps.db, hashSecret(id), authorization, {
    tenantId: isRoot ? null : tenant.tenant_id,
    userId: isRoot ? null : tenant.user_id,
    email,
  });
  if (target === null) throw new UntrustedRequest('This request was already answered.');
  return redirectToClient(reply, target);
}
