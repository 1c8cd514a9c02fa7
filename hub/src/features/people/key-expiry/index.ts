// Keys that end: told by mail to who made them a week and a day before, once over all hub processes.
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
import { KIND_WORDS } from '../leaked-keys/index.ts';
import {
  type EndingKey,
  FIRST_NOTICE_DAYS,
  type Members,
  noticeOf,
  noticeText,
  toldOf,
} from './rules.ts';
import { deleteOldNotices, storeNotices } from './store.ts';

export { registerEndingKeys } from './routes.ts';

export interface KeyEndingDeps {
  db: Db;
  log: Logger;
  /** Null: nobody is told, and nothing counts as told. */
  mail: MailConfig | null;
  kinds: readonly IssuedKind[];
  /** Null where the tenant is gone. */
  tenantOf(tenantId: string): Promise<{ name: string } | null>;
  membersOf(tenantId: string): Promise<Members>;
  keysUrlOf(tenantId: string): string;
}

export interface KeyEndings {
  /** Tells what is due; safe to run anywhere, at any time. */
  evaluate(now: Date): Promise<void>;
}

interface Job {
  tenant_id: string;
  notice_id: string;
  to: string;
  keys: EndingKey[];
  attempts: number;
}

const ATTEMPT_MS = 15_000;
const DAY_MS = 86_400_000;
const GATHERED_MAX = 5_000;

export async function startKeyEndings(deps: KeyEndingDeps, jobs: Jobs): Promise<KeyEndings> {
  const queue: Queue<Job> = await jobs.openQueue<Job>({
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
      const troubles: unknown[] = [];
      for await (const due of gathered(deps, span, now)) {
        for (const [tenantId, keys] of due) {
          // One tenant's trouble keeps nobody else from being told.
          await tell(deps, queue, tenantId, keys).catch((error: unknown) => troubles.push(error));
        }
      }
      if (troubles.length > 0) throw troubles[0];
    },
  };
}

/** What is due by tenant, of all kinds together so that a person gets one mail; in parts where it is very much. */
async function* gathered(
  { db, kinds }: KeyEndingDeps,
  span: Span,
  now: Date,
): AsyncGenerator<Map<string, Due[]>> {
  let due = new Map<string, Due[]>();
  let count = 0;
  for (const kind of kinds) {
    for await (const key of endingOf(db, kind, span)) {
      const days = noticeOf(key, now);
      if (days === null || key.tenant_id === null) continue;
      const ofTenant = due.get(key.tenant_id) ?? [];
      ofTenant.push({ kind: KIND_WORDS[kind.kind], key, days });
      due.set(key.tenant_id, ofTenant);
      if (++count % GATHERED_MAX !== 0) continue;
      yield due;
      due = new Map();
    }
  }
  yield due;
}

async function* endingOf(db: Db, kind: IssuedKind, span: Span): AsyncGenerator<ExpiringSecret> {
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

async function tell(
  deps: KeyEndingDeps,
  queue: Queue<Job>,
  tenantId: string,
  due: readonly Due[],
): Promise<void> {
  if ((await deps.tenantOf(tenantId)) === null) return;
  const members = await deps.membersOf(tenantId);
  await transact(deps.db, async (tx) => {
    const wanted = due.map(({ key, days }) => ({
      key_id: key.id,
      ends_at: key.expires_at.toISOString(),
      days,
    }));
    const fresh = new Set((await storeNotices(tx, tenantId, wanted)).map((one) => one.key_id));
    const mails = new Map<string, EndingKey[]>();
    for (const { kind, key } of due.filter((one) => fresh.has(one.key.id))) {
      for (const email of toldOf(key, members)) {
        const keys = mails.get(email) ?? [];
        keys.push(facts(kind, key));
        mails.set(email, keys);
      }
    }
    await queue.enqueue(
      tx,
      [...mails].map(([to, keys]) =>
        itemOf({ tenant_id: tenantId, notice_id: randomUUID(), to, keys, attempts: 0 }),
      ),
    );
  });
}

const facts = (kind: string, key: ExpiringSecret): EndingKey => ({
  kind,
  name: key.name,
  expires_at: key.expires_at.toISOString(),
  last_used_at: key.last_used_at?.toISOString() ?? null,
});

const itemOf = (data: Job) => ({
  data,
  concurrencyKey: foldName(data.to),
  deduplicationKey: `${data.notice_id} ${data.attempts}`,
});

async function deliver(
  { mail, log, db, tenantOf, membersOf, keysUrlOf }: KeyEndingDeps,
  queue: () => Queue<Job>,
  job: Job,
  stopped: AbortSignal,
): Promise<void> {
  const now = new Date();
  // What ended while no mail could be sent is no news any more.
  const keys = job.keys.filter((one) => Date.parse(one.expires_at) > now.getTime());
  const tenant = await tenantOf(job.tenant_id);
  if (keys.length === 0 || tenant === null) return;
  // Nor is it meant for who may not sign in any more.
  const { enabled } = await membersOf(job.tenant_id);
  if (!enabled.has(foldName(job.to))) return;
  const about = { tenant: tenant.name, keysUrl: keysUrlOf(job.tenant_id), keys, now };
  const outcome = await attempt(ATTEMPT_MS, stopped, async (signal) =>
    mail === null
      ? failed({ error: 'the server has no mail server configured' })
      : sendMail(mail, { to: [job.to], ...noticeText(about), id: job.notice_id }, signal),
  );
  if (outcome.is === 'delivered') return;
  const attempts = job.attempts + 1;
  const seconds = secondsToNextAttempt(attempts, outcome.retryAfterSeconds, Math.random());
  log.warn(
    { event: 'key_ending_not_told', tenant: job.tenant_id, reason: outcome.error },
    seconds === null
      ? 'a mail about keys that end was given up'
      : 'a mail about keys that end was not delivered yet',
  );
  if (seconds === null) return;
  const startAfter = new Date(Date.now() + seconds * 1000);
  await transact(db, (tx) =>
    queue().enqueue(tx, [{ ...itemOf({ ...job, attempts }), startAfter }]),
  );
}
