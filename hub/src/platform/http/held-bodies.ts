// What the bodies of requests take is held of a budget, from before they are read until they are answered. A route is
// bounded unless its scope does that by itself: nobody has to think of it, signed in or not.
import type { FastifyReply, FastifyRequest, preParsingHookHandler, RouteOptions } from 'fastify';
import { clientAddressOf, sourceKeyOf } from './client-address.ts';
import type { InFlightBytesLimiter } from './pressure.ts';
import { onResponseClosed } from './until-closed.ts';

/** Of the routes that do not hold their bodies by themselves. */
export interface RouteBudgets {
  /** Of whom no gate has let in. */
  open: InFlightBytesLimiter;
  /** What clients of the MCP gateway send. */
  calls: InFlightBytesLimiter;
  others: InFlightBytesLimiter;
}

export interface BodyReservation {
  isOver: boolean;
  /** Holds so much in place of what it held. Throws `overloaded` where that does not fit; then it holds nothing. */
  change(bytes: number): void;
  end(): void;
  /** Holds it beyond the end of its request, for work that goes on without a client. Gives what lets it go. */
  keep(): () => void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of which budget its bodies are held; of `others` where it says nothing. `own`: of one of its own, by itself. */
    bodies?: keyof RouteBudgets | 'own';
  }
  interface FastifyRequest {
    /** What its body holds of a budget. */
    bodyReservation: BodyReservation | null;
    /** Whom the gate has let in, as far as bodies go: who floods is cut before others. Null where nobody was. */
    bodyHolder: string | null;
  }
}

/** Holds so much of the budget until the answer is out or nobody waits for it any more. Throws `overloaded`. */
export function reserveBody(
  request: FastifyRequest,
  reply: FastifyReply,
  budget: InFlightBytesLimiter,
  announced: number,
): BodyReservation {
  const { raw } = request;
  const holder = request.bodyHolder ?? sourceKeyOf(clientAddressOf(request));
  const arriving = { isWhole: () => raw.complete, cut: () => void raw.socket.destroy() };
  let release = budget.reserve(announced, holder, arriving);
  let keepers = 0;
  let isClosed = false;
  const held: BodyReservation = {
    isOver: false,
    change(bytes) {
      release();
      if (!held.isOver) release = budget.reserve(bytes, holder);
    },
    end() {
      held.isOver = true;
      release();
    },
    keep() {
      keepers++;
      return () => {
        keepers--;
        if (keepers === 0 && isClosed) held.end();
      };
    },
  };
  // Not until the answer begins: till it is out the body hangs on its request, read or not. What stays open for longer than
  // it needs the body calls `letBodyGo`.
  onResponseClosed(reply, () => {
    isClosed = true;
    if (keepers === 0) held.end();
  });
  return held;
}

/** Of a stream that stays open: it wants nothing more of the body, which is gone from memory as it is from the budget. */
export function releaseBody(request: FastifyRequest): void {
  request.body = undefined;
  request.bodyReservation?.end();
}

/** As `onRoute` of a scope: of which budget its bodies are held. `own`: its gate does that, and they are not held again. */
export function registerBodyReservation(
  bodies: keyof RouteBudgets | 'own',
): (route: RouteOptions) => void {
  return (route) => {
    route.config = { ...route.config, bodies };
  };
}

/**
 * As `onRoute` of a scope without a gate before its bodies, of which none is larger than `bodyLimit` unless its route says
 * so: what is sent without a length holds as much.
 */
export function openBodies(bodyLimit: number): (route: RouteOptions) => void {
  const mark = registerBodyReservation('open');
  return (route) => {
    route.bodyLimit ??= bodyLimit;
    mark(route);
  };
}

/** As `preParsing` of the application: bounds the bodies of all routes but those that hold theirs by themselves. */
export function reserveAnnouncedBody(budgets: RouteBudgets): preParsingHookHandler {
  // Behind the gates, which read nothing of the body: who is not let in is told so, however full it is, and takes nothing.
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

/** The framework reads no body of these. */
const isUnread = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';

/** So much of it Node takes all the same. */
const UNREAD_BYTES = 64 * 1024;

/** Never more than the route takes: what is larger is refused, and not kept. */
function announcedBytes(request: FastifyRequest): number {
  const { headers, routeOptions } = request;
  const length = headers['content-length'];
  const isOpen = headers['transfer-encoding'] !== undefined;
  if (!isOpen && (length === undefined || length === '0')) return 0;
  const most = isUnread(request) ? UNREAD_BYTES : routeOptions.bodyLimit;
  return isOpen ? most : Math.min(Number(length), most);
}
