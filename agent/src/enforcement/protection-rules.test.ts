// Protection rules prevent termination for an override on every protected process; no signal is sent in these tests.
import type { ActivityEvent } from '@gatewarden/shared/wire/sync/activity.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { EntityKind } from '@gatewarden/shared/wire/vocabulary.ts';
import { expect, test } from 'vitest';
import { makeOverride } from '../../test/agent-process.ts';
import type { CorrelatedProcess } from '../processes/process-correlator.ts';
import type { RunningProcess } from '../processes/running-process.ts';
import { openMountProbe } from '../runtime/mount-probe.ts';
import { uuid7 } from '../runtime/uuid7.ts';
import type { NewAlert } from '../store/alert-store.ts';
import { createBlastRadiusGuard } from './blast-radius-guard.ts';
import { createEnforcer } from './enforcement-pipeline.ts';
import { ancestorsOf, findProtectionRule, type SystemContext } from './protection-rules.ts';

const SYSTEM_CONTEXT: SystemContext = {
  agentPid: 500,
  ancestors: new Set([1, 400]),
  ownExecutables: new Set(['/opt/gatewarden/bin/node']),
  ownFolders: ['/opt/gatewarden/node_modules'],
  loginShells: new Set(['/usr/local/bin/xonsh']),
};

type Facts = Partial<RunningProcess> & {
  vital?: boolean;
  ownersKnown?: boolean;
  script?: string;
};

function correlated({
  vital = false,
  ownersKnown = true,
  script,
  ...facts
}: Facts): CorrelatedProcess {
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
  return {
    process,
    entities: [],
    mapping: null,
    vital,
    ownersKnown,
    executable: executablePath === null ? null : { path: executablePath, listed: null },
    script: script === undefined ? null : { path: script, listed: null },
    mappedOnly: null,
    scriptEntities: new Set(),
    switches: [],
  };
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
  ['unseen_executable', { executablePath: '/memfd:sealed' }],
  ['hub_database', { executablePath: '/var/lib/gatewarden-postgres-1/bin/postgres' }],
  ['hub_database', { executablePath: '/usr/lib/postgresql/17/bin/postgres' }],
  ['login_shell', { executablePath: '/usr/local/bin/xonsh' }],
  ['hub_itself', { executablePath: '/usr/bin/node', script: '/srv/gatewarden/hub/src/main.ts' }],
  [
    'own_installation',
    { executablePath: '/usr/bin/x', script: '/opt/gatewarden/node_modules/a.js' },
  ],
  [
    'security_software',
    { executablePath: '/usr/bin/python3.13', script: '/usr/bin/fail2ban-server' },
  ],
  ['vital_package', { executablePath: '/usr/bin/sleep', vital: true }],
  ['system_itself', { executablePath: 'C:\\Windows\\System32\\lsass.exe' }],
  ['system_itself', { executablePath: 'c:\\windows\\explorer.exe' }],
  [
    'system_itself',
    { executablePath: '/System/Library/CoreServices/Dock.app/Contents/MacOS/Dock' },
  ],
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

test.each(PROTECTED)('applies the rule %s to %j', (rule, facts) => {
  expect(findProtectionRule(correlated(facts), SYSTEM_CONTEXT)?.name).toBe(rule);
});

test.each([
  '/tmp/gw-demo',
  '/tmp/sleep',
  '/home/a/bash',
  '/usr/bin/chromium',
  '/opt/gatewarden/node_modules-of-others/x',
])('does not protect %s', (executablePath) => {
  expect(findProtectionRule(correlated({ executablePath }), SYSTEM_CONTEXT)).toBeNull();
});

/** An enforcer that decides and sends no signal, with records of its terminations, notifications and alerts. */
function watched(override: WireOverride, { opens = false } = {}) {
  let isOpen = false;
  const admit = () => {
    isOpen = opens;
    return !isOpen;
  };
  const ended: number[] = [];
  const events: ActivityEvent[] = [];
  const alerts: NewAlert[] = [];
  const tooBroad: string[] = [];
  const enforcer = createEnforcer({
    platform: 'linux',
    homes: [],
    overrides: () => [override],
    hubNow: Date.now,
    now: Date.now,
    makeId: uuid7,
    mode: () => (isOpen ? 'monitor' : 'enforce'),
    breaker: { state: () => (isOpen ? 'open' : 'closed'), admit, close: () => undefined },
    blastRadius: createBlastRadiusGuard((refused) => tooBroad.push(refused.override_id)),
    systemContext: async () => SYSTEM_CONTEXT,
    correlate: (processes) => processes.map((p) => correlated(p)),
    hashFile: async () => null,
    readPublisher: async () => null,
    mountProbe: openMountProbe(),
    journal: { begin: () => undefined, done: () => undefined },
    terminate: async (process) => {
      ended.push(process.pid);
      return 'terminated';
    },
    quarantine: { plan: async () => null, take: async () => false },
    notifyUser: () => undefined,
    raiseAlert: (alert) => alerts.push(alert),
    sendActivity: (event) => events.push(event),
    log: () => undefined,
  });
  return { enforcer, ended, events, alerts, tooBroad };
}

const outcomes = (events: ActivityEvent[]) => new Set(events.map((e) => e.outcome));

test('terminates nothing for an override on a protected program, and reports it once', async () => {
  for (const [, facts] of PROTECTED) {
    const protectedProcess = correlated(facts);
    const { name } = protectedProcess.process;
    const seen = watched(makeOverride({ match: { name }, severity: 'critical' }));
    await seen.enforcer.consider([protectedProcess]);
    await seen.enforcer.consider([protectedProcess]);
    expect(seen.ended).toEqual([]);
    expect(seen.alerts).toEqual([]);
    expect(seen.events.length).toBeLessThanOrEqual(1);
  }
});

test('terminates a harmless program once', async () => {
  const seen = watched(makeOverride({ match: { name: 'demo' }, severity: 'critical' }));
  await seen.enforcer.consider([correlated({ pid: 77 })]);
  await seen.enforcer.consider([correlated({ pid: 77 })]);
  expect(seen.ended).toEqual([77]);
  expect(seen.alerts).toHaveLength(1);
});

test('reports a termination that the breaker prevents once, also after reevaluation', async () => {
  const seen = watched(makeOverride({ match: { name: 'demo' } }), { opens: true });
  const many = [70, 71, 72].map((pid) => correlated({ pid }));
  await seen.enforcer.consider(many);
  await seen.enforcer.consider(many);
  expect(seen.events.map((event) => [event.process.pid, event.outcome])).toEqual([
    [70, 'reported'],
    [71, 'reported'],
    [72, 'reported'],
  ]);
});

test.each([
  { platform: 'linux' },
  { version_below: '99' },
  { kind: 'package' },
  { platform: 'linux', kind: 'package', version_below: '99' },
] as const)('terminates nothing for an override on everything, %j', async (match) => {
  const seen = watched(makeOverride({ match }));
  const owned = owner('/usr/bin/demo', 'Somebody', 'package');
  await seen.enforcer.consider([owned]);
  await seen.enforcer.consider([owner('/usr/bin/other', 'Somebody', 'package')]);
  expect(seen.ended).toEqual([]);
  expect(outcomes(seen.events)).toEqual(new Set(['refused']));
  expect(seen.tooBroad).toHaveLength(1);
});

test.each([{ publisher: 'Somebody' }, { kind: 'application' }] as const)(
  'terminates a few programs and refuses many for an override on a group, %j',
  async (match) => {
    const few = watched(makeOverride({ match }));
    const programs = (count: number) =>
      Array.from({ length: count }, (_, i) => owner(`/opt/p${i}/p${i}`, 'Somebody', 'application'));
    // Many processes of the same program count as a single program.
    await few.enforcer.consider([...programs(5), ...programs(5)]);
    expect(few.ended).toHaveLength(10);
    expect(few.tooBroad).toEqual([]);
    const many = watched(makeOverride({ match }));
    await many.enforcer.consider(programs(6));
    expect(many.ended).toEqual([]);
    expect(outcomes(many.events)).toEqual(new Set(['refused']));
    expect(many.tooBroad).toHaveLength(1);
  },
);

test('counts matches by pattern as a group, and still terminates direct matches', async () => {
  const mapping = {
    ...{ process_name: '*e*', platform: null, match: 'glob' as const },
    ...{ application_name: 'Evil', entity_id: 'e' },
  };
  const entity = { entity_id: 'e', kind: 'application' as const, name: 'Evil' };
  const called = (count: number, owned: boolean) =>
    Array.from({ length: count }, (_, i) => ({
      ...correlated({ executablePath: `/opt/${owned}/e${i}`, pid: nextPid++ }),
      mapping,
      entities: [{ ...entity, version: null, publisher: null }],
      mappedOnly: owned ? null : 'e',
    }));
  for (const match of [{ name: 'evil' }, { entity_id: 'e' }]) {
    const few = watched(makeOverride({ match }));
    await few.enforcer.consider(called(5, false));
    expect(few.ended).toHaveLength(5);
    const many = watched(makeOverride({ match }));
    await many.enforcer.consider([...called(6, false), ...called(8, true)]);
    expect(many.ended).toHaveLength(8);
    expect(many.tooBroad).toHaveLength(1);
  }
});

let nextPid = 5000;
function owner(executablePath: string, publisher: string, kind: EntityKind): CorrelatedProcess {
  const entity = { entity_id: 'e', kind, name: 'Demo', version: '1', publisher };
  return { ...correlated({ executablePath, pid: nextPid++ }), entities: [entity] };
}

test('follows ancestors to the first process, also in a cycle', () => {
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
