// A real agent in all kinds of network faults while decisions, scans and alerts go back and forth; then clear sky, and
// both sides must agree.
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { appliedDigest, EMPTY_INVENTORY, entityHash, xorHash } from '@gatewarden/shared/digests.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { expect } from 'vitest';
import { askService } from '../src/local-api/socket-client.ts';
import { makeFolder, makeOverride, startAgent, until, writeConfig } from './agent-process.ts';
import { startFaultProxy, type Weather } from './fault-proxy.ts';
import { type HubDouble, startHubDouble } from './hub-double.ts';

const WIRES: readonly Weather[] = ['refused', 'reset', 'slow', 'truncated'];
/** Server that answers in place of the hub. */
const SPEAKERS: Record<string, { status: number; text: string; headers?: Record<string, string> }> =
  {
    '500': { status: 500, text: '{"error":{"code":"internal","message":"x"}}' },
    '502 of a proxy': { status: 502, text: '<html>bad gateway</html>' },
    '503': {
      status: 503,
      text: '{"error":{"code":"starting","message":"x"}}',
      headers: { 'retry-after': '1' },
    },
    '429': {
      status: 429,
      text: '{"error":{"code":"rate_limited","message":"x"}}',
      headers: { 'retry-after': '1' },
    },
    'captive portal': { status: 200, text: '<html>please sign in</html>' },
    'portal that redirects': {
      status: 302,
      text: '',
      headers: { location: 'https://portal.example/' },
    },
    'proxy that wants a name': { status: 407, text: '<html>who are you</html>' },
  };

/** Changes the state of the network `changes` times. Returns how often each fault occurred, and how many requests the hub saw. */
export async function runFaultSequence(
  changes: number,
  random: () => number,
): Promise<{ faults: Record<string, number>; requests: number }> {
  const hub = await startHubDouble();
  const proxy = await startFaultProxy(Number(new URL(hub.url).port));
  const dataDir = makeFolder();
  appendFileSync(
    writeConfig(dataDir, proxy.url, 'monitor'),
    '[discovery]\nsources = ["dpkg", "npm"]\n',
  );
  const agent = await startAgent(dataDir);
  await until(() => hub.seen.length > 0);
  const seen: Record<string, number> = {};
  const all = ['clear', 'clear', 'clear', ...WIRES, ...Object.keys(SPEAKERS)];
  let raised = 0;
  let revision = 0;
  let off = false;
  for (let change = 0; change < changes; change++) {
    const now = all[Math.floor(random() * all.length)] ?? 'clear';
    seen[now] = (seen[now] ?? 0) + 1;
    const answer = SPEAKERS[now];
    hub.intercept = answer === undefined ? null : () => answer;
    await proxy.change(WIRES.find((wire) => wire === now) ?? 'clear');
    const luck = random();
    if (luck < 0.2) {
      const match = { name: `gw-faults-${change}` };
      hub.overrides.push(makeOverride({ match, revision: ++revision }));
    } else if (luck < 0.4) {
      off = !off;
      await askService(dataDir, 'control', 'POST', off ? '/off' : '/on');
      raised++;
    } else if (luck < 0.5) hub.epoch = `epoch-${change}`;
    await wait(200 + random() * 1000);
  }
  hub.intercept = null;
  await proxy.change('clear');
  await converge(hub, dataDir, raised);
  expect(await agent.end('SIGTERM')).toBe(0);
  await proxy.close();
  await hub.close();
  return { faults: seen, requests: hub.seen.length };
}

async function converge(hub: HubDouble, dataDir: string, raised: number): Promise<void> {
  await askService(dataDir, 'control', 'POST', '/flush');
  const lastPoll = () => hub.seen.findLast((request) => request.path.endsWith('/delta'))?.query;
  await until(() => lastPoll()?.get('applied') === appliedDigest(hub.overrides));
  await until(() => lastPoll()?.get('inventory') === inventoryOf(hub));
  const kills = () => hub.alerts.filter((alert) => alert.code === 'kill_switch');
  await until(() => kills().length === raised);
  // In turns, as they were raised: none lost, none twice, none before another.
  expect(kills().map((alert) => alert.severity)).toEqual(
    kills().map((_, index) => (index % 2 === 0 ? 'high' : 'medium')),
  );
  expect(hub.violations).toEqual([]);
}

/** Inventory of a hub that accepted each batch once, where a scan of a higher sequence overrides a lower scan. */
function inventoryOf(hub: HubDouble): string {
  const rows = new Map<string, { seq: number; entity: WireEntity }>();
  const known = new Set<string>();
  for (const { batch_id, scan, entities } of hub.batches) {
    if (known.has(batch_id)) continue;
    known.add(batch_id);
    for (const entity of entities) {
      const before = rows.get(entity.entity_id);
      const seq = scan.seq ?? 0;
      if (before === undefined || before.seq <= seq) rows.set(entity.entity_id, { seq, entity });
    }
  }
  return [...rows.values()]
    .filter(({ entity }) => entity.removed !== true)
    .reduce((sum, { entity }) => xorHash(sum, entityHash(entity)), EMPTY_INVENTORY)
    .toString('hex');
}
