// The same agent talks to a hub of the next version and to an older hub: it obeys both, and both receive complete
// reports.
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { expect, test } from 'vitest';
import {
  hasEnded,
  makeFolder,
  makeOverride,
  runCommand,
  startAgent,
  startHarmless,
  until,
  writeConfig,
} from './agent-process.ts';
import { type Answer, type HubDouble, startHubDouble } from './hub-double.ts';
import { inOwnNamespace } from './namespace.ts';

/** Adds a field to every object of the answer, with a value of any type. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, field]) => [
    key,
    key === 'match' ? field : withMore(field),
  ]);
  return { ...Object.fromEntries(fields), since_next_version: { kind: ['anything', 1, null] } };
}

const newer = (_: unknown, answer: Answer): Answer => ({ ...answer, body: withMore(answer.body) });

/** Removes the fields and routes that the first hubs did not have. */
const NOT_YET = [
  'poll_after_seconds',
  'enforcement_ceiling',
  'inventory_epoch',
  'inventory_confirmed',
  'discovery',
];

function older({ path }: { path: string }, answer: Answer): Answer {
  if (/\/(enroll|running-processes)$/.test(path)) {
    return { status: 404, body: { error: { code: 'not_found', message: 'x' }, request_id: 'r' } };
  }
  if (!path.endsWith('/delta') || answer.body === undefined) return answer;
  const fields = Object.entries(answer.body as object).filter(([key]) => !NOT_YET.includes(key));
  return { ...answer, body: Object.fromEntries(fields) };
}

/** Sends unknown values beside the overrides and in the process map, without the optional fields. */
function newerBesides({ path }: { path: string }, answer: Answer): Answer {
  const { request_id: _nobodys, ...body } = (answer.body ?? {}) as Record<string, unknown>;
  if (answer.body === undefined) return answer;
  if (path.endsWith('/process-map')) {
    const newer = { process_name: 'x', platform: 'plan9', match: 'regex', application_name: 'X' };
    const known = { ...newer, process_name: 'gw-mapped', platform: null, match: 'exact' };
    const mappings = [
      { ...newer, entity_id: null },
      { ...known, entity_id: null },
    ];
    return { ...answer, body: { ...body, mappings } };
  }
  if (!path.endsWith('/delta')) return { ...answer, body };
  const besides = {
    poll_after_seconds: '1',
    inventory_epoch: 7,
    inventory_confirmed: 'partly',
    discovery: { personal_homes: 'on_request', browser_profiles: true },
    tray: { pause_minutes: { a_day: 5 }, contact: ['it@example.org'] },
  };
  return { ...answer, body: { ...body, ...besides } };
}

const unknownPolicy = {
  ...makeOverride({ match: { name: 'gw-unknown-policy' }, revision: 2 }),
  execution_policy: 'isolate',
} as unknown as WireOverride;
const unknownMatch = {
  ...makeOverride({ match: { name: 'gw-unknown-match' }, revision: 3 }),
  match: { name: 'gw-unknown-match', signer: 'somebody' },
} as unknown as WireOverride;

/** Words of tomorrow wherever a decision has words, and a time in another form. */
const NEWER_WORDS: readonly [string, object][] = [
  ['scope_kind', { scope_kind: 'site' }],
  ['approval_status', { approval_status: 'quarantined' }],
  ['severity', { severity: 'emergency' }],
  ['expires_at', { expires_at: 'P1D' }],
  ['effective_at', { effective_at: { after: 'review' } }],
  ['kind', { match: { name: 'gw-kind', kind: 'container' } }],
  ['platform', { match: { name: 'gw-platform', platform: 'freebsd' } }],
  ['match', { match: [{ name: 'gw-match' }] }],
  ['any', { match: { any: [{ name: 'gw-any' }] } }],
  ['policy', { execution_policy: ['block', 'warn'] }],
  ['reason', { reason: { en: 'x' } }],
];
const ofTomorrow = NEWER_WORDS.map(
  ([word, fields], at) =>
    ({
      ...makeOverride({ match: { name: `gw-${word}` }, revision: 10 + at }),
      ...fields,
    }) as unknown as WireOverride,
);

async function worksWith(rewrite: HubDouble['rewrite'], more: readonly WireOverride[]) {
  const hub = await startHubDouble();
  hub.rewrite = rewrite;
  const blocked = makeOverride({ match: { name: 'gw-versions' }, revision: 1 });
  hub.overrides.push(blocked, ...more);
  const dataDir = makeFolder();
  writeConfig(dataDir, hub.url);
  const names = more.map((override, at) => override.match.name ?? `gw-${NEWER_WORDS[at]?.[0]}`);
  const spared = names.map((name) => startHarmless(makeFolder(), name));
  const agent = await startAgent(dataDir);
  await until(() => hub.batches.some((batch) => batch.scan.coverage !== undefined));
  const digest = appliedDigest(hub.overrides);
  const polls = () => hub.seen.filter((request) => request.path.endsWith('/delta'));
  await until(() => polls().some((poll) => poll.query.get('applied') === digest));
  const running = startHarmless(dataDir, 'gw-versions');
  await until(() => hasEnded(running));
  const ended = () => hub.alerts.filter((alert) => alert.action === 'block');
  await until(() => ended().length === 1);
  await until(() => hub.activity.some((event) => event.outcome === 'terminated'));
  await until(() => polls().length > 4 && polls().at(-1)?.query.get('inventory') !== null);
  expect(spared.some(hasEnded)).toBe(false);
  // The console learns once that an override is not carried out.
  const unsupported = hub.alerts.filter((alert) => alert.code === 'override_not_understood');
  expect(unsupported.map((alert) => Number.parseInt(alert.message, 10))).toEqual(
    more.length === 0 ? [] : [more.length],
  );
  const { stdout } = await runCommand(['status', '--json', '--data-dir', dataDir]);
  expect(JSON.parse(stdout)).toMatchObject({
    overrides: more.length + 1,
    overrides_not_understood: more.length,
  });
  expect(agent.log()).not.toContain('does not answer as it should');
  // The double knows no more of the decisions of tomorrow than the agent does.
  expect(hub.violations.filter((violation) => !violation.includes('own answer'))).toEqual([]);
  expect(await agent.end('SIGTERM')).toBe(0);
  await hub.close();
}

inOwnNamespace(import.meta.filename, () => {
  test('ignores unknown fields of a newer hub, and stores unknown overrides without applying them', async () => {
    await worksWith(newer, [unknownPolicy, unknownMatch]);
  });

  test('does not guess the meaning of an unknown value in an override of a newer hub', async () => {
    await worksWith(newer, ofTomorrow);
  });

  test('monitors, and stores every override without applying it, under an unknown ceiling of a newer hub', async () => {
    const hub = await startHubDouble();
    hub.rewrite = ({ path }, answer) =>
      path.endsWith('/delta') && answer.body !== undefined
        ? { ...answer, body: { ...answer.body, enforcement_ceiling: 'ask_first' } }
        : answer;
    hub.overrides.push(makeOverride({ match: { name: 'gw-versions' }, revision: 1 }));
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    const running = startHarmless(dataDir, 'gw-versions');
    const agent = await startAgent(dataDir);
    const digest = appliedDigest(hub.overrides);
    await until(() => hub.seen.some((request) => request.query.get('applied') === digest));
    await until(() => hub.activity.some((event) => event.outcome !== 'terminated'));
    expect(hasEnded(running)).toBe(false);
    expect(agent.log()).not.toContain('cannot be read');
    expect(await agent.end('SIGTERM')).toBe(0);
    await hub.close();
  });

  test('prefers the stricter reading of unknown values beside the overrides of a newer hub', async () => {
    await worksWith(newerBesides, []);
    const hub = await startHubDouble();
    hub.rewrite = newerBesides;
    hub.overrides.push(makeOverride({ match: { name: 'X' } }));
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    const agent = await startAgent(dataDir);
    const coverage = () => hub.batches.flatMap((batch) => batch.scan.coverage ?? []);
    await until(() => coverage().length > 0);
    // Homes are not discovered, and the known line of the map applies.
    const ofHomes = coverage().filter((row) => row.owner !== null);
    expect(new Set(ofHomes.map((ofHome) => ofHome.state))).toEqual(new Set(['skipped']));
    const mapped = startHarmless(makeFolder(), 'gw-mapped');
    await until(() => hasEnded(mapped));
    expect(await agent.end('SIGTERM')).toBe(0);
    await hub.close();
  });

  test('uses defaults for fields that an older hub does not send', async () => {
    await worksWith(older, []);
  });
});
