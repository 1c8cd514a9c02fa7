// A real agent whose first enrollment responses are lost enrolls when it retries.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sharedTestHub } from '../support/hub.ts';
import { AGENT_MAIN, runCommand } from '../support/programs.ts';

/** Starts a proxy that forwards requests, and drops the first `lost` answers. */
async function aProxyThatLoses(
  url: string,
  lost: number,
): Promise<{ url: string; lost(): number }> {
  let lostCount = 0;
  const server = createServer((asked, answer) => {
    const passed = request(url + asked.url, { method: asked.method, headers: asked.headers });
    passed.on('response', (came) => {
      if (lostCount < lost) {
        lostCount++;
        came.resume();
        came.on('end', () => asked.socket.destroy());
        return;
      }
      answer.writeHead(came.statusCode ?? 500, came.headers);
      came.pipe(answer);
    });
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost: () => lostCount,
  };
}

test('enrolls as the same device, once, although two responses are lost', async () => {
  const hub = await sharedTestHub();
  onTestFinished(() => hub.stop());
  const proxy = await aProxyThatLoses(hub.url, 2);
  const folder = mkdtempSync(join(tmpdir(), 'gw-lost-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const enroll = async () => {
    const { out } = await runCommand(
      AGENT_MAIN,
      [
        'enroll',
        '--json',
        '--data-dir',
        folder,
        '--base-url',
        proxy.url,
        '--tenant-id',
        hub.tenantId,
        '--subscriber-id',
        'alice',
        '--auth-token-stdin',
      ],
      {},
      hub.agentToken,
    );
    return JSON.parse(out) as { device_id: string; device_token: string; hub_error: string | null };
  };
  const tries = [await enroll(), await enroll(), await enroll()];
  expect(tries.map((item) => item.device_token)).toEqual(['none', 'none', 'new']);
  expect(proxy.lost()).toBe(2);
  expect(new Set(tries.map((device) => device.device_id)).size).toBe(1);
  const { body } = await hub.console('GET', `/devices/${tries[0]?.device_id}`);
  expect(body.device).toMatchObject({ claim: null, duplicate_since: null });
});
