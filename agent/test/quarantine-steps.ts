// Takes into quarantine, releases or recovers as its job requests: a small program that is killed at a given step.
import { appendFileSync } from 'node:fs';
import type { Home } from '../src/discovery/homes/home-list.ts';
import { openEditClient } from '../src/enforcement/quarantine/edit-client.ts';
import {
  openRecords,
  type QuarantineRecord,
} from '../src/enforcement/quarantine/quarantine-records.ts';
import { createQuarantineTransactions } from '../src/enforcement/quarantine/quarantine-transaction.ts';
import { codeCacheOf } from '../src/runtime/code-cache.ts';
import { openMountProbe } from '../src/runtime/mount-probe.ts';
import { uuid7 } from '../src/runtime/uuid7.ts';

export interface StepsJob {
  op: 'take_file' | 'take_entry' | 'release' | 'recover';
  dataDir: string;
  path: string;
  owner: string | null;
  container: string[];
  key: string;
  homes: Home[];
  listed: string | null;
  /** Killed at so many-th checkpoint; null: not. */
  killAt: number | null;
  /** Lines of what happened. */
  journal: string;
}

export interface StepsOutcome {
  outcome: string;
  steps: number;
  records: QuarantineRecord[];
}

/** Runs the job; completed steps stay, and nothing stays open. */
export async function takeSteps(job: StepsJob): Promise<StepsOutcome> {
  let steps = 0;
  const journal = (line: string) => appendFileSync(job.journal, `${line}\n`);
  const records = openRecords(job.dataDir);
  const transactions = createQuarantineTransactions({
    dataDir: job.dataDir,
    records,
    edit: openEditClient(codeCacheOf(null)),
    mountProbe: openMountProbe(),
    isWanted: () => job.op !== 'release',
    diverter: {
      add: async (listed) => journal(`divert ${listed}`),
      remove: async (listed) => journal(`undivert ${listed}`),
    },
    homes: () => job.homes,
    makeId: uuid7,
    now: Date.now,
    raiseAlert: (alert) => journal(`alert ${alert.alert_id}`),
    released: () => journal('released'),
    log: () => undefined,
    checkpoint: () => {
      if (++steps === job.killAt) process.kill(process.pid, 'SIGKILL');
    },
  });
  try {
    await transactions.recover();
    let outcome: string = 'done';
    if (job.op === 'take_file')
      outcome = await transactions.takeFile(job.path, job.listed, aboutDemo());
    if (job.op === 'take_entry') {
      const { owner, path: file, container, key } = job;
      outcome = await transactions.takeEntry(
        { owner, file, container, key },
        aboutDemo(),
        () => true,
      );
    }
    if (job.op === 'release') await transactions.release();
    return { outcome, steps, records: transactions.list() };
  } finally {
    records.close();
  }
}

const aboutDemo = () => ({
  name: 'demo',
  overrideId: uuid7(),
  entityId: null,
  facts: { name: 'demo', application_name: null, publisher: null, sha256: null, entities: [] },
  alert: {
    alert_id: uuid7(),
    occurred_at: new Date().toISOString(),
    severity: 'high' as const,
    action: 'quarantine' as const,
    code: null,
    application_name: 'demo',
    process: null,
    override_id: null,
    outcome: 'quarantined',
    message: 'demo',
  },
});

if (import.meta.main) {
  const done = await takeSteps(JSON.parse(process.argv[2] ?? '') as StepsJob);
  process.stdout.write(`${JSON.stringify(done)}\n`);
}
