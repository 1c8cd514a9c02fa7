// A small program for tests: takes into quarantine, releases or recovers as it is told, and is killed where it is told.
import { appendFileSync } from 'node:fs';
import { codeCacheOf } from '../src/code-cache.ts';
import type { Home } from '../src/discovery/homes.ts';
import { openEditor } from '../src/enforcement/quarantine/editor.ts';
import { createKeeper } from '../src/enforcement/quarantine/keeper.ts';
import { openRecords } from '../src/enforcement/quarantine/records.ts';
import { openReach } from '../src/reach.ts';
import { uuid7 } from '../src/uuid7.ts';

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

const job = JSON.parse(process.argv[2] ?? '') as StepsJob;
let steps = 0;
const tell = (line: string) => appendFileSync(job.journal, `${line}\n`);
const keeper = createKeeper({
  dataDir: job.dataDir,
  records: openRecords(job.dataDir),
  ask: openEditor(codeCacheOf(null)),
  reach: openReach(),
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
const about = {
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
};
await keeper.recover();
let outcome: string = 'done';
if (job.op === 'hold_file') outcome = await keeper.holdFile(job.path, job.listed, about);
if (job.op === 'hold_entry') {
  const { owner, path: file, container, key } = job;
  outcome = await keeper.holdEntry({ owner, file, container, key }, about);
}
if (job.op === 'release') await keeper.release(() => false);
process.stdout.write(`${JSON.stringify({ outcome, steps, held: keeper.list() })}\n`);
