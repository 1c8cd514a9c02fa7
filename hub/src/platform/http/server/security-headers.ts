// Security headers of every response, and the way for a handler to write a response without Fastify.
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

const BROWSER_HEADERS = ['content-security-policy', 'referrer-policy'];

/** A year, the minimum of browsers' preload lists. */
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

/** Returns the headers that answers to agents carry, as a flat list of names and values. */
export function agentHeadersFor(origin: string): string[] {
  return Object.entries(securityHeadersFor(origin))
    .filter(([name]) => !BROWSER_HEADERS.includes(name))
    .flat();
}

/** Removes headers for browsers from a response to an agent. They would double the size of an empty response. */
export function removeBrowserHeaders(reply: FastifyReply): void {
  for (const name of BROWSER_HEADERS) reply.removeHeader(name);
}

/**
 * Takes the response away from Fastify for a handler that writes to it directly, and copies the headers that hooks have
 * set so far. `reply.hijack()` alone would lose them.
 */
export function hijackResponse(reply: FastifyReply): ServerResponse {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined && !reply.raw.hasHeader(name)) reply.raw.setHeader(name, value);
  }
  return reply.raw;
}
