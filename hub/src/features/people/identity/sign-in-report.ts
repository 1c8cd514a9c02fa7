// Reports of sign-ins: a metric for each, a log line for few of the failures, and an audit event in each tenant of an
// account whose limit is reached.
import type { FastifyBaseLogger } from 'fastify';
import { recordAudit } from '../../../platform/audit.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  createRateLimiter,
  type TokenBucketRateLimiter,
} from '../../../platform/http/limits/token-bucket.ts';
import { selectAllMemberships } from './store.ts';

/** `limited`: a budget or the queue was exhausted. */
export type SignInOutcome = 'succeeded' | 'failed' | 'limited';

export interface SignInReport {
  succeeded(): void;
  /** `accountId` is null for an address without an account; the address itself is never logged. */
  failed(log: FastifyBaseLogger, attempt: { source: string; accountId: string | null }): void;
  limited(
    log: FastifyBaseLogger,
    attempt: { source: string; account: string; requestId: string },
  ): Promise<void>;
}

const LINES = { perSecond: 1, burst: 20 };
/** An attack that lasts is recorded once in this time, for each account. */
const AUDITED_EACH_SECONDS = 600;
/** The budget of audit events of attacks, over all accounts. */
const AUDITED_TOTAL = { perSecond: 1, burst: 50 };

/** Creates the reporter of this process. */
export function createSignInReport(deps: {
  db: Db;
  count(outcome: SignInOutcome): void;
  nowMs?: () => number;
}): SignInReport {
  const nowMs = deps.nowMs ?? (() => performance.now());
  const lines = createRateLimiter(LINES, { max: 1, nowMs });
  const total = createRateLimiter(AUDITED_TOTAL, { max: 1, nowMs });
  const byAccount = createRateLimiter(
    { perSecond: 1 / AUDITED_EACH_SECONDS, burst: 1 },
    { max: 10_000, nowMs },
  );
  let suppressed = 0;
  const write = (log: FastifyBaseLogger, fields: object, message: string) => {
    if (!tryConsume(lines, 'lines')) {
      suppressed += 1;
      return;
    }
    log.warn({ event: 'sign-in', ...fields, suppressed_lines: suppressed }, message);
    suppressed = 0;
  };
  return {
    succeeded: () => deps.count('succeeded'),
    failed(log, { source, accountId }) {
      deps.count('failed');
      write(log, { source, account_id: accountId }, 'a sign-in failed: wrong e-mail or password');
    },
    async limited(log, { source, account, requestId }) {
      deps.count('limited');
      write(log, { source }, 'a sign-in was refused: too many attempts');
      if (!tryConsume(byAccount, account) || !tryConsume(total, 'all')) return;
      await transact(deps.db, async (tx) => {
        for (const member of await selectAllMemberships(tx, account)) {
          await recordAudit(tx, {
            tenantId: member.tenant_id,
            actor: { kind: 'hub', id: 'sign-in', email: null },
            operation: 'user.sign_in_limited',
            resource: { kind: 'user', id: member.user_id },
            requestId,
            detail: { source },
            result: 'failed',
          });
        }
      });
    },
  };
}

function tryConsume(buckets: TokenBucketRateLimiter, key: string): boolean {
  try {
    buckets.consume(key);
    return true;
  } catch (error) {
    if (error instanceof HubError) return false;
    throw error;
  }
}
