// The authorization response (RFC 6749 §4.1.2): the redirect URI with the code or the error.
import type { FastifyReply } from 'fastify';
import type { Asked } from '../store.ts';

/** Returns the redirect URI with the parameters, with `state` as it was sent, and `iss` (RFC 9207 §2). */
export function redirectTo(
  { redirectUri, state, issuer }: Pick<Asked, 'redirectUri' | 'state' | 'issuer'>,
  parameters: Record<string, string>,
): string {
  const added = new URLSearchParams({
    ...parameters,
    ...(state === null ? {} : { state }),
    iss: issuer,
  });
  // An existing query must be retained unchanged (RFC 6749 §3.1.2).
  const separator = redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${/[?&]$/.test(redirectUri) ? '' : separator}${added}`;
}

/** Redirects the browser to the client by GET, without the hub's address. */
export function redirectToClient(reply: FastifyReply, url: string): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect(url, 303);
}
