// Requires a complete body within ten seconds after the request began. Implemented here, because timeouts of the server
// bypass the error body.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { errorBody } from '../../../platform/http/errors/errors.ts';
import { hijackResponse } from '../../../platform/http/server/security-headers.ts';

export const BODY_WITHIN_MS = 10_000;

const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();

/** Starts the timer; `bodyArrived` or the end of the connection stops it. */
export function awaitBody(
  request: FastifyRequest,
  reply: FastifyReply,
  withinMs = BODY_WITHIN_MS,
): void {
  if (request.raw.complete) return;
  const timer = setTimeout(() => {
    if (reply.sent || request.raw.complete) return;
    const { status, message } = ERRORS.request_timeout;
    // Bypasses the error handler: the body's parser still waits, and its later error must find the response sent.
    const body = JSON.stringify(errorBody('request_timeout', message, request.id));
    hijackResponse(reply).writeHead(status, {
      'content-length': Buffer.byteLength(body),
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
    });
    reply.raw.end(body, () => {
      request.raw.destroy();
    });
  }, withinMs);
  timers.set(request, timer);
  reply.raw.once('close', () => clearTimeout(timer));
}

export function bodyArrived(request: FastifyRequest): void {
  clearTimeout(timers.get(request));
}
