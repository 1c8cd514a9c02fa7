// The authorization endpoint (RFC 6749 §3.1): validates a request, and shows the consent page.
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { recordError, toHubError } from '../../../platform/http/errors/errors.ts';
import { RefusedRequest, UntrustedRequest } from './authorization/request.ts';
import { redirectToClient } from './authorization/response.ts';
import { validateAuthorization } from './authorization/validate.ts';
import { sendConsentPage, sendUntrustedPage } from './consent-page.ts';
import { type OAuthDeps, rulesOf } from './deps.ts';
import { newSecret, REQUEST_SECONDS } from './grant.ts';
import { type Namespace, namespaceId } from './namespaces.ts';
import { bindBrowser } from './pending-authorization.ts';
import { insertAuthorization, selectRedirect } from './store.ts';

/** Sends an error as a page, because the reader is a person's browser. */
export function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof UntrustedRequest) return void sendUntrustedPage(reply, 400, error.message);
  if (toHubError(error).code === 'not_found') throw error;
  const { code, message } = recordError(error, request, reply);
  const { status, message: listed } = ERRORS[code];
  void sendUntrustedPage(reply, status, status < 500 ? message : listed);
}

/** Responds with the consent page, or redirects an error to the client. Throws UntrustedRequest. */
export async function authorize(
  deps: OAuthDeps,
  namespace: Namespace,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    const asked = await validateAuthorization(
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
    bindBrowser(deps, { request, reply }, requestId, browser);
    return sendConsentPage(reply, {
      asked,
      request: requestId,
      csrf,
      resourceName:
        namespace.kind === 'backend' ? namespace.backendName : "your organization's MCP servers",
      tenantName: namespace.kind === 'root' ? null : namespace.tenantName,
      loginSource: deps.signIn.providerOrigin,
    });
  } catch (error) {
    if (error instanceof RefusedRequest) return redirectToClient(reply, error.redirect);
    throw error;
  }
}
