// The position of a collector is recorded up to the last row of a page with more rows behind it, else to the end of its
// window, and never beyond the existing rows.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  aNode,
  anExportKey,
  aRequestLine,
  exportPage,
  minutesAgo,
} from '../../../../../test/support/logs.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

it("shows a key's position, and its lag as a metric", async () => {
  const node = await aNode(hub, hub.tenantId);
  const times = [100, 90, 80].map(minutesAgo);
  await node.send(
    'llm-requests',
    times.map((timestamp) => aRequestLine({ timestamp })),
  );
  const { secret, keyId, version } = await anExportKey(hub, { scope: 'all_apps' });
  const keyOf = async () => {
    const { body } = await hub.console('GET', '/log-export-keys');
    return body.items.find((key: { key_id: string }) => key.key_id === keyId);
  };
  const readUpTo = async () => (await keyOf()).read_up_to;
  expect(await readUpTo()).toBeNull();
  const first = await exportPage(hub, 'llmgateway', secret, { limit: 1 });
  await expect.poll(readUpTo).toBe(times[0]);
  const { fingerprint } = await keyOf();
  const behind = async () => {
    const text = await (await fetch(`${hub.url}/metrics`)).text();
    const line = text
      .match(/^gatewarden_\S*behind\S*\{.*$/gm)
      ?.find((line) => line.includes(fingerprint));
    return line === undefined ? null : Number(line.split(' ').at(-1));
  };
  // The position is at least 100 minutes old, of which 15 are the lag.
  await expect.poll(behind).toBeGreaterThanOrEqual(85 * 60);
  const cursor = first.checkpoint.next_cursor;
  const rest = await exportPage(hub, 'llmgateway', secret, { cursor, limit: 2 });
  expect(rest.checkpoint.has_more).toBe(false);
  await expect.poll(readUpTo).toBe(rest.checkpoint.effective_end_time);
  const empty = await exportPage(hub, 'llmgateway', secret, {
    start_time: rest.checkpoint.effective_end_time,
  });
  expect(empty.checkpoint.rows).toBe(0);
  await expect.poll(readUpTo).toBe(empty.checkpoint.effective_end_time);
  await hub.console('DELETE', `/log-export-keys/${keyId}`, { headers: { 'if-match': version } });
  await expect.poll(behind).toBeNull();
});
