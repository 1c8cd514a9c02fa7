// Sends notices about keys that expire: by mail to their creators a week and a day before, once over all hub processes.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import type { Logger } from 'pino';
import type { MailConfig } from '../../../platform/config/config.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { attempt, failed, sendMail } from '../../../platform/delivery/attempt.ts';
import { secondsToNextAttempt } from '../../../platform/delivery/retry-schedule.ts';
import type { ExpiringSecret, IssuedKind, Span } from '../../../platform/issued-secrets.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Queue } from '../../../platform/jobs/queue.ts';
import { KIND_LABELS } from '../leaked-keys/index.ts';
import {
  type ExpiringKey,
  FIRST_NOTICE_DAYS,
  type Members,
  noticeOf,
  noticeText,
  recipientsOf,
} from './notice.ts';
import { deleteOldNotices, storeNotices } from './store.ts';

export interface KeyExpiryDeps {
  db: Db;
  log: Logger;
  /** Null: no mail is sent, and no notice counts as sent. */
  mail: MailConfig | null;
  kinds: readonly IssuedKind[];
  /** Null if the tenant was deleted. */
  tenantOf(tenantId: string): Promise<{ name: string } | null>;
  membersOf(tenantId: string): Promise<Members>;
  keysUrlOf(tenantId: string): string;
}

export interface KeyExpiryNotices {
  /** Sends the notices that are due; safe to run in any process, at any time. */
  evaluate(now: Date): Promise<void>;
}

interface MailJob {
  tenant_id: string;
  notice_id: string;
  to: string;
  keys: ExpiringKey[];
  attempts: number;
}

const ATTEMPT_MS = 15_000;
const DAY_MS = 86_400_000;
const BATCH_MAX = 5_000;

/** Opens the queue of mails and returns the evaluator of due notices. */
export async function startKeyExpiryNotices(
  deps: KeyExpiryDeps,
  jobs: Jobs,
): Promise<KeyExpiryNotices> {
  const queue: Queue<MailJob> = await jobs.openQueue<MailJob>({
    name: 'key-ending-mails',
    concurrency: 4,
    perConcurrencyKey: 2,
    expireInSeconds: 60,
    run: (job, stopped) => deliver(deps, () => queue, job, stopped),
  });
  return {
    async evaluate(now) {
      await deleteOldNotices(deps.db, now);
      if (deps.mail === null) return;
      const span = { from: now, until: new Date(now.getTime() + FIRST_NOTICE_DAYS * DAY_MS) };
      const errors: unknown[] = [];
      for await (const due of collectDue(deps, span, now)) {
        for (const [tenantId, keys] of due) {
          // An error of a tenant must not delay the notices of other tenants.
          await enqueueNotices(deps, queue, tenantId, keys).catch((error: unknown) =>
            errors.push(error),
          );
        }
      }
      if (errors.length > 0) throw errors[0];
    },
  };
}

/**
 * Yields the notices that are due by tenant. All kinds of keys are collected together, so that a person gets a single
 * mail; beyond `BATCH_MAX` keys, several batches.
 */
async function* collectDue(
  { db, kinds }: KeyExpiryDeps,
  span: Span,
  now: Date,
): AsyncGenerator<Map<string, Due[]>> {
  let due = new Map<string, Due[]>();
  let count = 0;
  for (const kind of kinds) {
    for await (const key of findExpiring(db, kind, span)) {
      const days = noticeOf(key, now);
      if (days === null || key.tenant_id === null) continue;
      const notices = due.get(key.tenant_id) ?? [];
      notices.push({ kind: KIND_LABELS[kind.kind], key, days });
      due.set(key.tenant_id, notices);
      if (++count % BATCH_MAX !== 0) continue;
      yield due;
      due = new Map();
    }
  }
  yield due;
}

async function* findExpiring(db: Db, kind: IssuedKind, span: Span): AsyncGenerator<ExpiringSecret> {
  let after: ExpiringSecret | undefined;
  do {
    const page = await kind.findExpiring(db, null, span, after);
    yield* page;
    after = page.at(-1);
  } while (after !== undefined);
}

interface Due {
  kind: string;
  key: ExpiringSecret;
  days: number;
}

async function enqueueNotices(
  deps: KeyExpiryDeps,
  queue: Queue<MailJob>,
  tenantId: string,
  due: readonly Due[],
): Promise<void> {
  if ((await deps.tenantOf(tenantId)) === null) return;
  const members = await deps.membersOf(tenantId);
  await transact(deps.db, async (tx) => {
    const notices = due.map(({ key, days }) => ({
      key_id: key.id,
      ends_at: key.expires_at.toISOString(),
      days,
    }));
    const newIds = new Set(
      (await storeNotices(tx, tenantId, notices)).map((notice) => notice.key_id),
    );
    const mails = new Map<string, ExpiringKey[]>();
    for (const { kind, key } of due.filter((notice) => newIds.has(notice.key.id))) {
      for (const email of recipientsOf(key, members)) {
        const keys = mails.get(email) ?? [];
        keys.push(toExpiringKey(kind, key));
        mails.set(email, keys);
      }
    }
    await queue.enqueue(
      tx,
      [...mails].map(([to, keys]) =>
        toQueueItem({ tenant_id: tenantId, notice_id: randomUUID(), to, keys, attempts: 0 }),
      ),
    );
  });
}

const toExpiringKey = (kind: string, key: ExpiringSecret): ExpiringKey => ({
  kind,
  name: key.name,
  expires_at: key.expires_at.toISOString(),
  last_used_at: key.last_used_at?.toISOString() ?? null,
});

const toQueueItem = (data: MailJob) => ({
  data,
  concurrencyKey: foldName(data.to),
  deduplicationKey: `${data.notice_id} ${data.attempts}`,
});

async function deliver(
  { mail, log, db, tenantOf, membersOf, keysUrlOf }: KeyExpiryDeps,
  queue: () => Queue<MailJob>,
  job: MailJob,
  shutdown: AbortSignal,
): Promise<void> {
  const now = new Date();
  // A key that expired while no mail could be sent is no longer worth a notice.
  const keys = job.keys.filter((key) => Date.parse(key.expires_at) > now.getTime());
  const tenant = await tenantOf(job.tenant_id);
  if (keys.length === 0 || tenant === null) return;
  // A user who was disabled meanwhile gets no mail.
  const { enabled } = await membersOf(job.tenant_id);
  if (!enabled.has(foldName(job.to))) return;
  const notice = { tenant: tenant.name, keysUrl: keysUrlOf(job.tenant_id), keys, now };
  const outcome = await attempt(ATTEMPT_MS, shutdown, async (signal) =>
    mail === null
      ? failed({ error: 'the server has no mail server configured' })
      : sendMail(mail, { to: [job.to], ...noticeText(notice), id: job.notice_id }, signal),
  );
  if (outcome.is === 'delivered') return;
  const attempts = job.attempts + 1;
  const seconds = secondsToNextAttempt(attempts, outcome.retryAfterSeconds, Math.random());
  log.warn(
    { event: 'key_expiry_mail_failed', tenant: job.tenant_id, reason: outcome.error },
    seconds === null
      ? 'dropped a mail about expiring keys after the last attempt'
      : 'could not deliver a mail about expiring keys, will retry',
  );
  if (seconds === null) return;
  const startAfter = new Date(Date.now() + seconds * 1000);
  await transact(db, (tx) =>
    queue().enqueue(tx, [{ ...toQueueItem({ ...job, attempts }), startAfter }]),
  );
}
