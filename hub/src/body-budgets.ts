// How much memory the bodies of requests may take of one process.
import { type BodyBudget, createBodyBudget } from './platform/http/pressure.ts';

/** Bodies under way, as sent and inflated, of all devices and gateway nodes together. */
const SYNC_BYTES = 256 * 1024 * 1024;

/**
 * Where no gate stands before the body is read: 32 of the largest (MCP messages, of 4 MiB), thousands of usual ones. Half
 * as large, because all budgets may be full at once, and what is read of a body takes some of its size again.
 */
const OPEN_BYTES = 128 * 1024 * 1024;

/** All others: people and clients that were let in. */
const OTHER_BYTES = 64 * 1024 * 1024;

export interface BodyBudgets {
  /** Of devices and gateway nodes, which have shown their token. */
  sync: BodyBudget;
  /** Of whom nobody has let in: apart, for anybody may fill it, and keeps out none but those of its kind. */
  open: BodyBudget;
  /** Of everybody else. */
  others: BodyBudget;
  /** Of all. */
  used(): number;
}

/** The budgets of one hub process. */
export function createBodyBudgets(): BodyBudgets {
  const sync = createBodyBudget(SYNC_BYTES);
  const open = createBodyBudget(OPEN_BYTES);
  const others = createBodyBudget(OTHER_BYTES);
  return { sync, open, others, used: () => sync.used() + open.used() + others.used() };
}
