// Response headers that every answer carries, and the only way for a handler to write to the socket itself.
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** One year, as browsers' preload lists require at least. */
const HSTS = 'max-age=31536000';

/**
 * Returns the headers for an origin. Pages replace the Content-Security-Policy with their own. `Strict-Transport-Security`
 * (RFC 6797) is sent only if the origin is https; browsers ignore it over http.
 */
export function securityHeadersFor(origin: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    ...(origin.startsWith('https:') ? { 'strict-transport-security': HSTS } : {}),
  };
}

/**
 * Takes the response away from Fastify for a handler that writes to it directly, and copies the headers that hooks have
 * set so far. `reply.hijack()` alone would lose them.
 */
export function takeResponse(reply: FastifyReply): ServerResponse {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined && !reply.raw.hasHeader(name)) reply.raw.setHeader(name, value);
  }
  return reply.raw;
}
