// Batches as a fleet sends them: 50 entities of about 660 bytes each, the same for the same seed.
import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';

export const PAGE = 50;

export interface SimulatedDevice {
  deviceId: string;
  seq: number;
}

export const simulatedDevice = (): SimulatedDevice => ({ deviceId: randomUUID(), seq: 0 });

/** Returns a package; another `generation` makes another version of it. */
export function simulatedEntity(index: number, generation: number): WireEntity {
  const name = `package-${index}`;
  return {
    entity_id: createHash('sha256').update(`linux\0package\0dpkg\0${name}`).digest('hex'),
    kind: 'package',
    source: 'dpkg',
    name,
    version: `1.${generation}.${index % 7}-1`,
    publisher: 'Debian Maintainers <maintainers@example.org>',
    install_path: `/usr/share/doc/${name}`,
    executables: [`/usr/bin/${name}`, `/usr/sbin/${name}-helper`],
    instances: [{ owner: null, path: '/usr', version: `1.${generation}.${index % 7}-1` }],
    installed_at: '2026-10-01T08:00:00.000Z',
    launch_hash: null,
    details: { section: 'utils', architecture: 'amd64', summary: 'x'.repeat(140) },
  };
}

/** Returns the gzip body of a batch of a scan. */
export function body(
  device: SimulatedDevice,
  entities: readonly WireEntity[],
  scan: { id: string; kind: 'full' | 'delta'; batch: number; batches: number },
): Buffer {
  const last = scan.batch === scan.batches - 1;
  const value = {
    batch_id: randomUUID(),
    device: {
      device_id: device.deviceId,
      hostname: `host-${device.deviceId.slice(0, 8)}`,
      platform: 'linux',
      os_version: 'Debian 12',
      arch: 'x64',
      agent_version: '0.1.0',
    },
    scan: {
      scan_id: scan.id,
      seq: device.seq,
      started_at: '2026-11-20T10:00:00.000Z',
      kind: scan.kind,
      batch: scan.batch,
      batches: scan.batches,
      ...(last
        ? {
            coverage: [
              {
                source: 'dpkg',
                owner: null,
                state: 'read',
                entities: entities.length,
                reason: null,
              },
            ],
          }
        : {}),
    },
    entities,
  };
  return gzipSync(JSON.stringify(value), { level: 1 });
}

/** The pages of a full scan of `pages` pages; in each, the first `changed` entities are of another generation. */
export function scanBodies(
  device: SimulatedDevice,
  pages: number,
  generation: number,
  changed = PAGE,
): Buffer[] {
  device.seq++;
  const id = randomUUID();
  return Array.from({ length: pages }, (_, batch) => {
    const entities = Array.from({ length: PAGE }, (_, i) =>
      simulatedEntity(batch * PAGE + i, i < changed ? generation : 0),
    );
    return body(device, entities, { id, kind: 'full', batch, batches: pages });
  });
}
