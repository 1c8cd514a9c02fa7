// Running processes are reported after changes, at a limited rate.
import type { RunningProcess } from '@gatewarden/shared/wire/sync/running-processes.ts';
import { expect, test } from 'vitest';
import type { SystemContext } from '../enforcement/protection-rules.ts';
import { HubRefused } from '../sync/backoff.ts';
import type { SyncClient } from '../sync/hub-client.ts';
import type { CorrelatedProcess } from './process-correlator.ts';
import { createRunningReporter, describeRunning } from './running-reporter.ts';

const SYSTEM_CONTEXT: SystemContext = {
  agentPid: 500,
  ancestors: new Set(),
  ownExecutables: new Set(),
  ownFolders: [],
  loginShells: new Set(),
};

const running = (path: string, over: Partial<CorrelatedProcess['process']> = {}) => ({
  process: {
    pid: 1000,
    ppid: 2,
    uid: 0,
    startTicks: '1',
    startedAt: null,
    kernelThread: false,
    name: path.replace(/.*\//, ''),
    executablePath: path,
    ...over,
  },
  entities: [],
  mapping: null,
  vital: false,
  ownersKnown: true,
  executable: { path, listed: null },
  script: null,
  mappedOnly: null,
  scriptEntities: new Set<string>(),
  switches: [],
});

const described = (processes: CorrelatedProcess[]) =>
  describeRunning(processes, { platform: 'linux', homes: [], systemContext: SYSTEM_CONTEXT });

test('groups processes of a program into a row, without kernel threads', () => {
  const rows = described([
    running('/opt/a'),
    running('/opt/a', { pid: 1001 }),
    running('/opt/b'),
    running('/opt/k', { kernelThread: true }),
  ]);
  expect(rows.map((row) => [row.name, row.count]).sort()).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
});

test('marks a program as protected only when all of its processes are', () => {
  expect(described([running('/opt/a', { pid: 500 })])[0]?.guard_rail).toBe('agent_itself');
  const mixed = [running('/opt/a', { pid: 500 }), running('/opt/a', { pid: 501 })];
  expect(described(mixed)[0]?.guard_rail).toBeNull();
  expect(described([...mixed].reverse())[0]?.guard_rail).toBeNull();
});

function reporter(answer: () => void = () => undefined) {
  const sent: RunningProcess[][] = [];
  let nowMs = 0;
  const client = {
    device: {},
    post: async (_endpoint: string, body: { processes: RunningProcess[] }) => {
      answer();
      sent.push(body.processes);
      return { accepted: body.processes.length, request_id: 'r' };
    },
  } as unknown as SyncClient;
  const { report } = createRunningReporter({
    client,
    platform: 'linux',
    homes: [],
    systemContext: async () => SYSTEM_CONTEXT,
    pollIntervalMs: 60_000,
    monotonicMs: () => nowMs,
  });
  return {
    sent,
    report,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('reports the same processes once, and changes with the next poll', async () => {
  const { sent, report } = reporter();
  await report([running('/opt/a')]);
  await report([running('/opt/a')]);
  await report([running('/opt/b')]);
  expect(sent.map((rows) => rows.map((row) => row.name))).toEqual([['a'], ['b']]);
});

test('limits the rate of constant changes', async () => {
  const { sent, report, pass } = reporter();
  for (let poll = 0; poll < 60; poll++) {
    await report([running(`/opt/p${poll}`)]);
    pass(60_000);
  }
  // Ten reports are saved up, then a single report in ten minutes.
  expect(sent.length).toBeGreaterThanOrEqual(15);
  expect(sent.length).toBeLessThanOrEqual(17);
});

test('does not repeat a request that an older hub does not support', async () => {
  let asked = 0;
  const { report } = reporter(() => {
    asked++;
    throw new HubRefused(404, 'not_found', 'nothing here', null);
  });
  await report([running('/opt/a')]);
  await report([running('/opt/b')]);
  expect(asked).toBe(1);
});
