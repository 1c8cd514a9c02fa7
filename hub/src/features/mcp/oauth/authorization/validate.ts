// Validation of an authorization request (RFC 6749 §4.1.1), one check per file. An error before the client and its redirect
// URI are trusted is shown to the user; a later error is sent to the redirect URI.
import { OAuthError } from '../errors.ts';
import { urlsOf } from '../namespaces.ts';
import type { Asked } from '../store.ts';
import { checkClientId } from './check-client-id.ts';
import { checkCodeChallenge } from './check-code-challenge.ts';
import { checkDuplicates } from './check-duplicates.ts';
import { checkPrompt } from './check-prompt.ts';
import { checkRedirectUri } from './check-redirect-uri.ts';
import { checkRegistration } from './check-registration.ts';
import { checkRequestObject } from './check-request-object.ts';
import { checkResource } from './check-resource.ts';
import { checkResponseMode } from './check-response-mode.ts';
import { checkResponseType } from './check-response-type.ts';
import { checkScope } from './check-scope.ts';
import {
  type AuthorizationEndpoint,
  type AuthorizationRequest,
  RefusedRequest,
  readParameters,
} from './request.ts';
import { redirectTo } from './response.ts';

type Check = (request: AuthorizationRequest) => void | Promise<void>;

/** Checks whose error is shown to the user. */
const CLIENT_CHECKS: readonly Check[] = [checkClientId, checkRedirectUri, checkRegistration];
/** Checks whose error is sent to the redirect URI. */
const PARAMETER_CHECKS: readonly Check[] = [
  checkDuplicates,
  checkResponseType,
  checkResponseMode,
  checkRequestObject,
  checkPrompt,
  checkScope,
  checkCodeChallenge,
  checkResource,
];

/** Validates an authorization request (RFC 6749 §4.1.1). Throws UntrustedRequest or RefusedRequest. */
export async function validateAuthorization(
  endpoint: AuthorizationEndpoint,
  query: unknown,
): Promise<Asked> {
  const urls = urlsOf(endpoint.namespace, endpoint.origin);
  const asked: Asked = {
    redirectUri: '',
    state: null,
    challenge: null,
    resource: null,
    clientName: null,
    issuer: urls.issuer,
  };
  const request: AuthorizationRequest = { ...endpoint, ...readParameters(query), urls, asked };
  for (const check of CLIENT_CHECKS) await check(request);
  asked.state = request.query.state ?? null;
  try {
    for (const check of PARAMETER_CHECKS) await check(request);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    throw new RefusedRequest(
      redirectTo(asked, { error: error.code, error_description: error.message }),
    );
  }
  return asked;
}
