// Errors of the OAuth endpoints, as their RFCs word them.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { toHubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';

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

/** The accepted content type of an endpoint, and its error code for an invalid body. */
export interface Taken {
  type: string;
  limitKib: number;
  refusal: 'invalid_request' | 'invalid_client_metadata';
}

/** Converts an error to an OAuth error (RFC 6749 §5.2). An internal error keeps its cause from the client. */
export function asOAuthError(error: unknown, { type, limitKib, refusal }: Taken): OAuthError {
  if (error instanceof OAuthError) return error;
  const known = toHubError(error);
  const { status, message } = ERRORS[known.code];
  if (known.code === 'unsupported_media_type') {
    return new OAuthError(refusal, `The body must be ${type}.`);
  }
  if (known.code === 'body_too_large') {
    return new OAuthError(refusal, `The body is larger than ${limitKib} KiB.`, status);
  }
  if (status === 503 || status === 429)
    return new OAuthError('temporarily_unavailable', message, status);
  if (status >= 500) return new OAuthError('server_error', message, status);
  return new OAuthError(refusal, known.message, status);
}

/** RFC 6749, 5.1: for caches old and new. */
export const unkept = (reply: FastifyReply) =>
  reply.header('cache-control', 'no-store').header('pragma', 'no-cache');

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Answers all other methods of a URL with 405; `known` throws where there is no such URL. */
export function refuseOthers(
  scope: App,
  url: string,
  allow: 'GET' | 'POST',
  known?: (request: FastifyRequest) => Promise<unknown>,
): void {
  scope.route({
    method: METHODS.filter((method) => method !== allow),
    url,
    schema: { hide: true },
    handler: async (request, reply) => {
      await known?.(request);
      const error = new OAuthError('invalid_request', `Only ${allow} is supported here.`, 405);
      return sendOAuthError(reply.header('allow', allow), error);
    },
  });
}

/** The JSON error of the token and registration endpoints. */
export function sendOAuthError(reply: FastifyReply, error: OAuthError): FastifyReply {
  if (error.status === 401) reply.header('www-authenticate', 'Basic realm="gatewarden"');
  const mayComeBack = error.status === 429 || error.status === 503;
  if (mayComeBack && !reply.hasHeader('retry-after')) reply.header('retry-after', 1);
  return unkept(reply)
    .code(error.status)
    .send({ error: error.code, error_description: error.message });
}
