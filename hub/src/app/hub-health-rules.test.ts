import type { HubHealth } from '@gatewarden/shared/wire/console/hub-health.ts';
import { expect, it } from 'vitest';
import { problemsOf } from './hub-health-rules.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString();

function sound(over: Partial<HubHealth> = {}): HubHealth {
  return {
    read_at: ago(0),
    version: '0.1.0',
    started_at: ago(600),
    database: {
      ...{ version: '18', answer_ms: 1, disk_free_bytes: 3e9 },
      connections: { used: 1, idle: 1, waiting: 0 },
    },
    migrations: { done: 3, latest: '0003-x', missing: [], unknown: [] },
    live: true,
    settings_differ: [],
    feed: { number: 1, applied: 1, applying: 0, diverged: 0, unknown: 0 },
    jobs: [job('* * * * *', 1), job('17 * * * *', 70), job('5 4 * * *', 24 * 60)],
    deliveries: { waiting: 1, oldest_waiting_at: ago(1), failed: 0 },
    logs: {
      ...{ llm_requests: 0, tool_calls: 0 },
      ...{ latest_llm_request_at: null, latest_tool_call_at: null },
    },
    last_backup_at: ago(60),
    last_proof: null,
    problems: [],
    ...over,
  };
}

const job = (cron: string, minutes: number | null, failed = 0) => ({
  ...{ name: cron, cron, waiting: 0, failed },
  last_completed_at: minutes === null ? null : ago(minutes),
});

const proofOf = (days: number) => ({ at: ago(days * 24 * 60), version: '0.1.0', failed: [] });

it('finds nothing where all is well', () => {
  expect(problemsOf(sound(), NOW)).toEqual([]);
  expect(problemsOf(sound({ last_proof: proofOf(7) }), NOW)).toEqual([]);
});

it.each([
  ['not_live', { live: false }],
  ['disk_low', { database: { ...sound().database, disk_free_bytes: 2e9 } }],
  ['migrations_missing', { migrations: { ...sound().migrations, missing: ['0004-y'] } }],
  ['newer_schema', { migrations: { ...sound().migrations, unknown: ['0009-z'] } }],
  ['settings_differ', { settings_differ: ['HUB_SMTP_URL'] }],
  ['jobs_failed', { jobs: [job('* * * * *', 1, 1)] }],
  ['jobs_late', { jobs: [job('* * * * *', 6)] }],
  ['jobs_late', { jobs: [job('17 * * * *', 100)] }],
  ['jobs_late', { jobs: [job('5 4 * * *', 27 * 60)] }],
  ['jobs_late', { jobs: [job('5 4 * * *', null)] }],
  ['deliveries_failed', { deliveries: { ...sound().deliveries, failed: 1 } }],
  ['deliveries_late', { deliveries: { ...sound().deliveries, oldest_waiting_at: ago(20) } }],
  ['backup_unknown', { last_backup_at: null }],
  ['backup_old', { last_backup_at: ago(49 * 60) }],
  ['proof_failed', { last_proof: { ...proofOf(1), failed: ['restore'] } }],
  ['proof_old', { last_proof: proofOf(9) }],
] as const)('reports %s', (problem, over) => {
  expect(problemsOf(sound(over as Partial<HubHealth>), NOW)).toEqual([problem]);
});

it('gives jobs time to run after a start', () => {
  expect(problemsOf(sound({ started_at: ago(1), jobs: [job('* * * * *', null)] }), NOW)).toEqual(
    [],
  );
});
