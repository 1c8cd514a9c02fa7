// The baseline of durable rows: the very rows of the same batches through COPY into the table `entities` itself.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { PAGE, type SimulatedDevice, simulatedDevice, simulatedEntity } from './fleet.ts';

const COLUMNS =
  'tenant_id, device_id, entity_id, kind, source, name, version, publisher, install_path, executables, instances, installed_at, launch_hash, details, content_hash, scan_seq, first_seen_at, last_seen_at, removed_at';
const TENANT = '00000000-0000-4000-8000-000000000000';

function lines(device: SimulatedDevice, pages: number): string {
  const now = '2026-11-20T10:00:00Z';
  let text = '';
  for (let i = 0; i < pages * PAGE; i++) {
    const e = simulatedEntity(i, 0);
    text += `${[TENANT, device.deviceId, `\\\\x${e.entity_id}`, e.kind, e.source, e.name, e.version, e.publisher, e.install_path, JSON.stringify(e.executables), JSON.stringify(e.instances), e.installed_at, '\\N', JSON.stringify(e.details), `\\\\x${e.entity_id}`, 1, now, now, '\\N'].join('\t')}\n`;
  }
  return text;
}

/** Returns rows per second on two connections, with a transaction for each device; the rows are deleted again. */
export async function copyBaseline(
  connection: pg.ClientConfig,
  devices: number,
  pages: number,
): Promise<{ rows: number; seconds: number }> {
  const texts = Array.from({ length: devices }, () => lines(simulatedDevice(), pages));
  let next = 0;
  const clients = [new pg.Client(connection), new pg.Client(connection)];
  await Promise.all(clients.map((client) => client.connect()));
  const started = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let text = texts[next++]; text !== undefined; text = texts[next++]) {
        await pipeline(
          Readable.from([text]),
          client.query(copyFrom(`COPY entities (${COLUMNS}) FROM STDIN`)),
        );
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  await clients[0]?.query('DELETE FROM entities WHERE tenant_id = $1', [TENANT]);
  await Promise.all(clients.map((client) => client.end()));
  return { rows: devices * pages * PAGE, seconds };
}
