// Reserves the bytes of request bodies in a limiter, from before a body is read until its request is answered.
// Main types: `RouteBudgets` (a limiter for each kind of caller), `BodyReservation`.
// Invariants: every route is limited unless it declares `bodies: 'own'`; a reservation ends with its response, or with the
// last `retain` release after it. Depends on in-flight-bytes.ts and Fastify hooks.
// Start reading at `reserveAnnouncedBody`.
import type { FastifyReply, FastifyRequest, preParsingHookHandler, RouteOptions } from 'fastify';
import { clientAddressOf, sourceKeyOf } from '../server/client-address.ts';
import { onResponseClosed } from '../server/response-closed.ts';
import type { InFlightBytesLimiter } from './in-flight-bytes.ts';

/** Limiters of the routes that do not reserve bodies themselves. */
export interface RouteBudgets {
  /** Limits bodies of callers that no authentication has admitted. */
  open: InFlightBytesLimiter;
  /** Limits bodies of MCP gateway clients. */
  calls: InFlightBytesLimiter;
  others: InFlightBytesLimiter;
}

export interface BodyReservation {
  isReleased: boolean;
  /** Replaces the reserved bytes. Throws `overloaded` if they do not fit; then nothing is reserved. */
  change(bytes: number): void;
  release(): void;
  /** Extends the reservation beyond its request, for work that continues without a client. Returns its release. */
  retain(): () => void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Names the limiter of the route's bodies; `others` by default. `own`: the scope reserves bodies itself. */
    bodies?: keyof RouteBudgets | 'own';
  }
  interface FastifyRequest {
    bodyReservation: BodyReservation | null;
    /** Names the client that the reservation counts for. Null counts for the source address of the request. */
    bodyClient: string | null;
  }
}

/** Reserves `announced` bytes until the response is sent or the client disconnects. Throws `overloaded`. */
export function reserveBody(
  request: FastifyRequest,
  reply: FastifyReply,
  budget: InFlightBytesLimiter,
  announced: number,
): BodyReservation {
  const { raw } = request;
  const client = request.bodyClient ?? sourceKeyOf(clientAddressOf(request));
  const arriving = { isComplete: () => raw.complete, abort: () => void raw.socket.destroy() };
  let releaseBytes = budget.reserve(announced, client, arriving);
  let retainers = 0;
  let isClosed = false;
  const reservation: BodyReservation = {
    isReleased: false,
    change(bytes) {
      releaseBytes();
      if (!reservation.isReleased) releaseBytes = budget.reserve(bytes, client);
    },
    release() {
      reservation.isReleased = true;
      releaseBytes();
    },
    retain() {
      retainers++;
      return () => {
        retainers--;
        if (retainers === 0 && isClosed) reservation.release();
      };
    },
  };
  // The body stays referenced by its request until the response is sent. A response that stays open longer than it needs
  // the body calls `releaseBody`.
  onResponseClosed(reply, () => {
    isClosed = true;
    if (retainers === 0) reservation.release();
  });
  return reservation;
}

/** Releases the body of a stream that stays open: its memory and its reservation. */
export function releaseBody(request: FastifyRequest): void {
  request.body = undefined;
  request.bodyReservation?.release();
}

/** Returns an `onRoute` hook that assigns the limiter of a scope's bodies. `own`: the scope reserves bodies itself. */
export function assignBodyBudget(
  bodies: keyof RouteBudgets | 'own',
): (route: RouteOptions) => void {
  return (route) => {
    route.config = { ...route.config, bodies };
  };
}

/**
 * Returns an `onRoute` hook for a scope that reads bodies before it authenticates. `bodyLimit` is the default body limit
 * of its routes in bytes; a body without a length reserves that much.
 */
export function assignOpenBodyBudget(bodyLimit: number): (route: RouteOptions) => void {
  const assign = assignBodyBudget('open');
  return (route) => {
    route.bodyLimit ??= bodyLimit;
    assign(route);
  };
}

/** Returns the application's `preParsing` hook, which reserves the bodies of all routes except those with `own`. */
export function reserveAnnouncedBody(budgets: RouteBudgets): preParsingHookHandler {
  // The hook runs after authentication, which reads no body: a rejected caller gets its 401 under any load and reserves
  // nothing.
  return (request, reply, _payload, done) => {
    try {
      const { bodies = 'others' } = request.routeOptions.config;
      if (bodies === 'own') return done();
      const announced = announcedBytes(request);
      if (announced > 0)
        request.bodyReservation = reserveBody(request, reply, budgets[bodies], announced);
    } catch (error) {
      return done(error as Error);
    }
    done();
  };
}

/** Fastify reads no body of these methods. */
const isBodyIgnored = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';

/** Node buffers this much of a body that nobody reads. */
const IGNORED_BODY_BYTES = 64 * 1024;

/** Returns the announced length, at most the route's limit: a larger body is rejected without being stored. */
function announcedBytes(request: FastifyRequest): number {
  const { headers, routeOptions } = request;
  const length = headers['content-length'];
  const isChunked = headers['transfer-encoding'] !== undefined;
  if (!isChunked && (length === undefined || length === '0')) return 0;
  const max = isBodyIgnored(request) ? IGNORED_BODY_BYTES : routeOptions.bodyLimit;
  return isChunked ? max : Math.min(Number(length), max);
}
