// An override for every protected thing, and nothing is ended: decision and rails alone, no signal is sent.
import type { ActivityEvent } from '@gatewarden/shared/wire/sync/activity.ts';
import { expect, test } from 'vitest';
import { makeOverride } from '../../test/agent-process.ts';
import type { CorrelatedProcess } from '../processes/correlator.ts';
import type { RunningProcess } from '../processes/process.ts';
import type { NewAlert } from '../store/alerts.ts';
import { uuid7 } from '../uuid7.ts';
import { createEnforcer } from './enforce.ts';
import { ancestorsOf, findGuardRail, type Surroundings } from './guard-rails.ts';

const SURROUNDINGS: Surroundings = {
  agentPid: 500,
  ancestors: new Set([1, 400]),
  ownExecutables: new Set(['/opt/gatewarden/bin/node']),
  ownFolders: ['/opt/gatewarden/node_modules'],
};

type Facts = Partial<RunningProcess> & { vital?: boolean; ownersKnown?: boolean };

function correlated({ vital = false, ownersKnown = true, ...facts }: Facts): CorrelatedProcess {
  const executablePath = facts.executablePath === undefined ? '/tmp/demo' : facts.executablePath;
  const process: RunningProcess = {
    pid: 1000,
    ppid: 2,
    uid: 0,
    startTicks: '1',
    startedAt: null,
    kernelThread: false,
    name: executablePath?.replace(/.*\//, '') ?? 'unseen',
    ...facts,
    executablePath,
  };
  return { process, entities: [], mapping: null, vital, ownersKnown };
}

const PROTECTED: [string, Facts][] = [
  ['pid_1', { pid: 1 }],
  ['kernel_thread', { kernelThread: true, executablePath: null }],
  ['agent_itself', { pid: 500 }],
  ['agent_itself', { ppid: 500 }],
  ['agent_itself', { executablePath: '/opt/gatewarden/bin/node' }],
  ['agent_ancestor', { pid: 400 }],
  ['own_installation', { executablePath: '/opt/gatewarden/node_modules/pg/bin/postgres' }],
  ['unseen_executable', { executablePath: null }],
  ['vital_package', { executablePath: '/usr/bin/sleep', vital: true }],
  ['unknown_ownership', { executablePath: '/usr/bin/anything', ownersKnown: false }],
  ['init_system', { executablePath: '/usr/lib/systemd/systemd-logind' }],
  ['init_system', { executablePath: '/usr/bin/dbus-daemon' }],
  ['login_server', { executablePath: '/usr/sbin/sshd' }],
  ['login_server', { executablePath: '/usr/lib/openssh/sshd-session' }],
  ['shell', { executablePath: '/usr/bin/zsh' }],
  ['package_manager', { executablePath: '/usr/bin/apt-get' }],
  ['package_manager', { executablePath: '/usr/bin/unattended-upgrade' }],
  ['display_server', { executablePath: '/usr/lib/xorg/Xorg' }],
  ['display_server', { executablePath: '/usr/bin/gnome-shell' }],
  ['accessibility', { executablePath: '/usr/libexec/at-spi2-registryd' }],
  ['accessibility', { executablePath: '/usr/bin/orca' }],
  ['security_software', { executablePath: '/opt/CrowdStrike/falcon-sensor' }],
];

test.each(PROTECTED)('%s protects %j', (rail, facts) => {
  expect(findGuardRail(correlated(facts), SURROUNDINGS)?.name).toBe(rail);
});

test.each([
  '/tmp/gw-demo',
  '/tmp/sleep',
  '/home/a/bash',
  '/usr/bin/chromium',
  '/opt/gatewarden/node_modules-of-others/x',
])('nothing protects %s', (executablePath) => {
  expect(findGuardRail(correlated({ executablePath }), SURROUNDINGS)).toBeNull();
});

test('a policy for everything ends nothing that is protected, and says so once', async () => {
  const ended: number[] = [];
  const events: ActivityEvent[] = [];
  const alerts: NewAlert[] = [];
  const overrides = [makeOverride({ match: { platform: 'linux' }, severity: 'critical' })];
  const enforcer = createEnforcer({
    platform: 'linux',
    homes: [],
    overrides: () => overrides,
    hubNow: Date.now,
    now: Date.now,
    makeId: uuid7,
    mode: () => 'enforce',
    breaker: { state: () => 'closed', admit: () => true, close: () => undefined },
    surroundings: async () => SURROUNDINGS,
    correlate: (processes) => processes.map((p) => correlated(p)),
    hashFile: async () => null,
    end: async (process) => {
      ended.push(process.pid);
      return 'terminated';
    },
    alert: (alert) => alerts.push(alert),
    activity: (event) => events.push(event),
    log: () => undefined,
  });
  const all = PROTECTED.map(([, facts]) => correlated(facts));
  await enforcer.consider(all);
  await enforcer.consider(all);
  expect(ended).toEqual([]);
  expect(alerts).toEqual([]);
  expect(new Set(events.map((e) => e.outcome))).toEqual(new Set(['refused']));
  await enforcer.consider([correlated({ pid: 77 })]);
  await enforcer.consider([correlated({ pid: 77 })]);
  expect(ended).toEqual([77]);
  expect(alerts).toHaveLength(1);
});

test('ancestors are followed to the first process, also around a circle', () => {
  const line = [
    correlated({ pid: 5, ppid: 4 }),
    correlated({ pid: 4, ppid: 1 }),
    correlated({ pid: 1, ppid: 0 }),
  ];
  expect(
    ancestorsOf(
      5,
      line.map((c) => c.process),
    ),
  ).toEqual(new Set([4, 1]));
  const circle = [correlated({ pid: 5, ppid: 6 }), correlated({ pid: 6, ppid: 5 })];
  expect(
    ancestorsOf(
      5,
      circle.map((c) => c.process),
    ),
  ).toEqual(new Set([6, 5]));
});
