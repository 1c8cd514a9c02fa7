// The console over a fleet that came as fleets come: the swarm's devices enrol, scan and poll over HTTP, and Chromium looks
// at what the hub made of it. The same at a small size in CI and at full size in the long runs.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { expectSound, goTo, type Opened } from './console.ts';
import type { TestHub } from './hub.ts';

const SWARM = join(import.meta.dirname, '../swarm/swarm.ts');
const PATIENCE = { timeout: 15_000 };

export interface SwarmSize {
  devices: number;
  /** Number of entities per device. */
  entities: number;
  minutes: number;
}

/** Runs the swarm and returns its report, which lists the requests that were refused. */
export async function comeBySwarm(hub: TestHub, size: SwarmSize): Promise<string> {
  const options = {
    devices: size.devices,
    entities: size.entities,
    minutes: size.minutes,
    url: hub.url,
    tenant: hub.tenantId,
    token: hub.agentToken,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { stdout } = await promisify(execFile)(process.execPath, [SWARM, ...args], {
    maxBuffer: 1 << 24,
  });
  return stdout;
}

/** Checks that the overview, the lists and a device's page show the size of the swarm. */
export async function lookAtSwarm(
  opened: Opened,
  hub: TestHub,
  { devices, entities }: SwarmSize,
): Promise<void> {
  const { page } = opened;
  const number = (count: number) => count.toLocaleString('en-GB');
  const overview = (await hub.console('GET', '/overview')).body;
  expect(overview.devices).toMatchObject({ devices, seen_today: devices });
  await goTo(page, hub, 'home');
  await page.getByText(number(devices)).first().waitFor();
  await goTo(page, hub, 'inventory/all?sort=-device_count');
  const first = page.getByTestId('application-row').first();
  await expect.poll(() => first.textContent(), PATIENCE).toContain(number(devices));
  // A product of few devices can be searched by its name, too.
  const rare = (await hub.console('GET', '/discovered-apps?sort=name&limit=100')).body.items.find(
    (item: { device_count: number }) => item.device_count === 1,
  );
  if (rare !== undefined) {
    await goTo(page, hub, `inventory/all?query=${rare.name}`);
    await page.getByRole('link', { name: rare.name, exact: true }).waitFor();
  }
  const [device] = (await hub.console('GET', '/devices?limit=1')).body.items;
  await goTo(page, hub, `devices?query=${device.hostname}`);
  await page.getByRole('link', { name: device.hostname }).click();
  await page.getByRole('heading', { level: 1, name: device.hostname }).waitFor();
  const deviceAnswer = await hub.console('GET', `/devices/${device.device_id}`);
  expect(deviceAnswer.body.device).toMatchObject({ entity_count: entities });
  await page.getByText('package-0', { exact: true }).first().waitFor();
  await expectSound(opened);
}
