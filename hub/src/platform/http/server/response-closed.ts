// Releases resources of a request when its response is sent or its client disconnects.
import type { FastifyReply } from 'fastify';

/** Calls `release` once when the response closes; immediately if it is closed already, since no event follows then. */
export function onResponseClosed({ raw }: FastifyReply, release: () => void): void {
  if (raw.closed) release();
  else raw.once('close', release);
}
