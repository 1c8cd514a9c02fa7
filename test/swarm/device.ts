// A simulated device: its installed software, and the requests that an agent would send for it.
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { PAGE, simulatedEntity } from '../../benchmarks/fleet.ts';
import type { Chance } from './random.ts';

/** Software that most devices share, and some that few have: a long tail, as fleets have it. */
const COMMON = 1_000;
const TAIL = 250_000;

export interface Device {
  id: string;
  /** Index of each package into the world's software, with its version. */
  packages: Map<number, number>;
  seq: number;
  cursor: string | null;
  etag: string | null;
}

export function makeDevice(chance: Chance, entities: number): Device {
  const packages = new Map<number, number>();
  const common = Math.min(COMMON, Math.floor(entities * 0.9));
  for (let i = 0; i < common; i++) packages.set(i, 0);
  while (packages.size < entities) packages.set(COMMON + chance.below(TAIL), 0);
  return { id: randomUUID(), packages, seq: 0, cursor: null, etag: null };
}

const facts = (device: Device) => ({
  device_id: device.id,
  hostname: `host-${device.id.slice(0, 8)}`,
  platform: 'linux',
  os_version: 'Debian 12',
  arch: 'x64',
  agent_version: '0.1.0',
});

function pages(device: Device, indices: readonly number[], kind: 'full' | 'delta'): Buffer[] {
  device.seq++;
  const scanId = randomUUID();
  const batches = Math.max(1, Math.ceil(indices.length / PAGE));
  return Array.from({ length: batches }, (_, batch) => {
    const entities = indices
      .slice(batch * PAGE, (batch + 1) * PAGE)
      .map((index) => simulatedEntity(index, device.packages.get(index) ?? 0));
    const isLast = batch === batches - 1;
    const coverage = [
      { source: 'dpkg', owner: null, state: 'read', entities: indices.length, reason: null },
    ];
    return gzipSync(
      JSON.stringify({
        batch_id: randomUUID(),
        device: facts(device),
        scan: {
          scan_id: scanId,
          seq: device.seq,
          started_at: new Date().toISOString(),
          kind,
          batch,
          batches,
          ...(isLast ? { coverage } : {}),
        },
        entities,
      }),
      { level: 1 },
    );
  });
}

/** The first scan: everything, in full. */
export const fullScan = (device: Device): Buffer[] =>
  pages(
    device,
    [...device.packages.keys()].sort((a, b) => a - b),
    'full',
  );

/** A rescan as our agent sends it: only what changed since the hub confirmed the rest. */
export function rescan(device: Device, chance: Chance, share: number): Buffer[] {
  const all = [...device.packages.keys()];
  const changed = new Set<number>();
  while (changed.size < Math.max(1, Math.round(all.length * share))) {
    changed.add(all[chance.below(all.length)] ?? 0);
  }
  for (const index of changed) device.packages.set(index, (device.packages.get(index) ?? 0) + 1);
  return pages(
    device,
    [...changed].sort((a, b) => a - b),
    'delta',
  );
}
