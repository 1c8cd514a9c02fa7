import type { FastifyRequest } from 'fastify';

/** Every line of a header, where Node would keep the first or join them. Requests over no network have them, too. */
export function linesOf(request: FastifyRequest, name: string): string[] {
  const { rawHeaders } = request.raw;
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
}
