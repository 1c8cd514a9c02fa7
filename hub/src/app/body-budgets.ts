// Limits of the memory that request bodies in flight use in a hub process.
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

/** Routes that read a body before they authenticate (sign-in, OAuth): forms of at most 64 KiB. */
const OPEN_BYTES = 32 * 1024 * 1024;

/** All others: people and clients that were let in. */
const OTHER_BYTES = 64 * 1024 * 1024;

export interface BodyBudgets extends RouteBudgets {
  /** Bodies of devices and gateway nodes, after authentication. */
  sync: InFlightBytesLimiter;
  /** All bodies together. */
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
