// Errors of the OAuth endpoints, as their RFCs word them.
import type { FastifyReply } from 'fastify';
import { asHubError, ERRORS } from '../../../platform/http/errors.ts';

export type OAuthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'interaction_required'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'temporarily_unavailable'
  | 'server_error';

export class OAuthError extends Error {
  readonly code: OAuthCode;
  readonly status: number;

  constructor(
    code: OAuthCode,
    description: string,
    status = code === 'invalid_client' ? 401 : 400,
  ) {
    super(description);
    this.code = code;
    this.status = status;
  }
}

/** Anything that was thrown, as an OAuth error; what is no fault of the client says nothing of its cause. */
export function asOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  const known = asHubError(error);
  const { status, message } = ERRORS[known.code];
  if (status === 503 || status === 429)
    return new OAuthError('temporarily_unavailable', message, status);
  if (status >= 500) return new OAuthError('server_error', message, status);
  return new OAuthError('invalid_request', known.message, status);
}

/** The JSON error of the token and registration endpoints. */
export function sendOAuthError(reply: FastifyReply, error: OAuthError): FastifyReply {
  if (error.status === 401) reply.header('www-authenticate', 'Basic realm="gatewarden"');
  if (error.status === 429 || error.status === 503) reply.header('retry-after', 1);
  return reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .send({ error: error.code, error_description: error.message });
}
