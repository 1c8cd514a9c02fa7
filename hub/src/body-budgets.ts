// How much memory the bodies of requests may take of one process.
import { type BodyBudget, createBodyBudget } from './platform/http/pressure.ts';

/** Bodies under way, as sent and inflated, of all devices and gateway nodes together. */
const SYNC_BYTES = 256 * 1024 * 1024;

/**
 * All other bodies together: 32 of the largest (MCP messages, of 4 MiB), thousands of usual ones. Half as large, because
 * both budgets may be full at once, and what is read of a body takes some of its size again.
 */
const OTHER_BYTES = 128 * 1024 * 1024;

export interface BodyBudgets {
  /** Of devices and gateway nodes, which have shown their token. */
  sync: BodyBudget;
  /** Of everybody else. Apart, because many of them need no sign-in: such keep no device out. */
  others: BodyBudget;
  /** Of both. */
  used(): number;
}

/** The budgets of one hub process. */
export function createBodyBudgets(): BodyBudgets {
  const sync = createBodyBudget(SYNC_BYTES);
  const others = createBodyBudget(OTHER_BYTES);
  return { sync, others, used: () => sync.used() + others.used() };
}
