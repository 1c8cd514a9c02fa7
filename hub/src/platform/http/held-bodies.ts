// What the bodies of requests take is held of a budget, from before they are read until they are answered. A route is
// bounded unless its scope does that by itself: nobody has to think of it, signed in or not.
import type { FastifyReply, FastifyRequest, preParsingHookHandler, RouteOptions } from 'fastify';
import type { BodyBudget } from './pressure.ts';
import { untilClosed } from './until-closed.ts';

export interface Held {
  isOver: boolean;
  /** Holds so much in place of what it held. Throws `overloaded` where that does not fit; then it holds nothing. */
  change(bytes: number): void;
  end(): void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Holds its bodies of a budget of its own, by itself. */
    holdsOwnBodies?: boolean;
    /** Reads bodies of whom no gate has let in. */
    takesOpenBodies?: boolean;
  }
  interface FastifyRequest {
    /** What its body holds of a budget. */
    held: Held | null;
  }
}

/** Holds so much of the budget until the answer is out or nobody waits for it any more. Throws `overloaded`. */
export function holdBody(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  budget: BodyBudget,
  announced: number,
): Held {
  const arriving = { isWhole: () => raw.complete, cut: () => void raw.socket.destroy() };
  let release = budget.reserve(announced, arriving);
  const held: Held = {
    isOver: false,
    change(bytes) {
      release();
      if (!held.isOver) release = budget.reserve(bytes);
    },
    end() {
      held.isOver = true;
      release();
    },
  };
  // Not until the answer begins: till it is out the body hangs on its request, read or not. What stays open for longer than
  // it needs the body calls `letBodyGo`.
  untilClosed(reply, held.end);
  return held;
}

/** Of a stream that stays open: it wants nothing more of the body, which is gone from memory as it is from the budget. */
export function letBodyGo(request: FastifyRequest): void {
  request.body = undefined;
  request.held?.end();
}

/** As `onRoute` of a scope whose gate holds its bodies: they are not held a second time. */
export function markOwnBodies(route: RouteOptions): void {
  route.config = { ...route.config, holdsOwnBodies: true };
}

/** As `onRoute` of a scope without a gate before its bodies. */
export function markOpenBodies(route: RouteOptions): void {
  route.config = { ...route.config, takesOpenBodies: true };
}

/** As `preParsing` of the application: bounds the bodies of all routes but those that hold theirs by themselves. */
export function holdAnnounced(budgets: {
  open: BodyBudget;
  others: BodyBudget;
}): preParsingHookHandler {
  // Behind the gates, which read nothing of the body: who is not let in is told so, however full it is, and takes nothing.
  return (request, reply, _payload, done) => {
    try {
      const announced = announcedBytes(request);
      const isOpen = request.routeOptions.config.takesOpenBodies === true;
      const budget = isOpen ? budgets.open : budgets.others;
      if (announced > 0) request.held = holdBody(request, reply, budget, announced);
    } catch (error) {
      return done(error as Error);
    }
    done();
  };
}

/** Never more than the route takes: what is larger is refused, and not kept. */
function announcedBytes({ headers, routeOptions }: FastifyRequest): number {
  const length = headers['content-length'];
  const isOpen = headers['transfer-encoding'] !== undefined;
  if (!isOpen && (length === undefined || length === '0')) return 0;
  const { config, bodyLimit } = routeOptions;
  if (config.holdsOwnBodies === true) return 0;
  return isOpen ? bodyLimit : Math.min(Number(length), bodyLimit);
}
