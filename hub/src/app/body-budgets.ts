// How much memory the bodies of requests may take of one process.
import type { RouteBudgets } from '../platform/http/limits/in-flight-bodies.ts';
import {
  createInFlightBytesLimiter,
  type InFlightBytesLimiter,
} from '../platform/http/limits/in-flight-bytes.ts';

/** Bodies under way, as sent and inflated, of all devices and gateway nodes together. */
const SYNC_BYTES = 256 * 1024 * 1024;

/**
 * Of clients of the MCP gateway: 32 of the largest messages (4 MiB), thousands of usual ones. Half as large, because all
 * budgets may be full at once, and what is read of a body takes some of its size again.
 */
const CALL_BYTES = 128 * 1024 * 1024;

/** Where no gate stands before the body is read (sign-in, OAuth): forms, of 64 KiB at most. */
const OPEN_BYTES = 32 * 1024 * 1024;

/** All others: people and clients that were let in. */
const OTHER_BYTES = 64 * 1024 * 1024;

export interface BodyBudgets extends RouteBudgets {
  /** Of devices and gateway nodes, which have shown their token. */
  sync: InFlightBytesLimiter;
  /** Of all. */
  used(): number;
}

/**
 * The budgets of one hub process: apart, for whoever fills one keeps out none but those of its kind, and the one that
 * anybody may fill none that was let in.
 */
export function createBodyBudgets(): BodyBudgets {
  const sync = createInFlightBytesLimiter(SYNC_BYTES);
  const calls = createInFlightBytesLimiter(CALL_BYTES);
  const open = createInFlightBytesLimiter(OPEN_BYTES);
  const others = createInFlightBytesLimiter(OTHER_BYTES);
  const all = [sync, calls, open, others];
  const used = () => all.reduce((sum, budget) => sum + budget.used(), 0);
  return { sync, calls, open, others, used };
}
