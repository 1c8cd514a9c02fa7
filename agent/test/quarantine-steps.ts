// Takes into quarantine, releases or recovers as it is told: a small program, where it is to be killed at some step.
import { appendFileSync } from 'node:fs';
import type { Home } from '../src/discovery/homes/home-list.ts';
import { openEditor } from '../src/enforcement/quarantine/edit-client.ts';
import { type HeldRecord, openRecords } from '../src/enforcement/quarantine/quarantine-records.ts';
import { createKeeper } from '../src/enforcement/quarantine/quarantine-transaction.ts';
import { codeCacheOf } from '../src/runtime/code-cache.ts';
import { openReach } from '../src/runtime/mount-probe.ts';
import { uuid7 } from '../src/runtime/uuid7.ts';

export interface StepsJob {
  op: 'hold_file' | 'hold_entry' | 'release' | 'recover';
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
  held: HeldRecord[];
}

/** What is done stays; nothing is kept open. */
export async function takeSteps(job: StepsJob): Promise<StepsOutcome> {
  let steps = 0;
  const tell = (line: string) => appendFileSync(job.journal, `${line}\n`);
  const records = openRecords(job.dataDir);
  const keeper = createKeeper({
    dataDir: job.dataDir,
    records,
    ask: openEditor(codeCacheOf(null)),
    reach: openReach(),
    wants: () => job.op !== 'release',
    diverter: {
      add: async (listed) => tell(`divert ${listed}`),
      remove: async (listed) => tell(`undivert ${listed}`),
    },
    homes: () => job.homes,
    makeId: uuid7,
    now: Date.now,
    raise: (alert) => tell(`alert ${alert.alert_id}`),
    released: () => tell('released'),
    log: () => undefined,
    checkpoint: () => {
      if (++steps === job.killAt) process.kill(process.pid, 'SIGKILL');
    },
  });
  try {
    await keeper.recover();
    let outcome: string = 'done';
    if (job.op === 'hold_file') outcome = await keeper.holdFile(job.path, job.listed, aboutDemo());
    if (job.op === 'hold_entry') {
      const { owner, path: file, container, key } = job;
      outcome = await keeper.holdEntry({ owner, file, container, key }, aboutDemo(), () => true);
    }
    if (job.op === 'release') await keeper.release();
    return { outcome, steps, held: keeper.list() };
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
