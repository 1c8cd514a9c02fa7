import type { FastifyRequest } from 'fastify';

/**
 * Returns every line of a header; Node itself keeps the first or joins them. Injected requests have raw headers, too.
 */
export function linesOf(request: FastifyRequest, name: string): string[] {
  const { rawHeaders } = request.raw;
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
}
