// Loads the sample data into an empty tenant through the public APIs of a running hub.
import { setTimeout } from 'node:timers/promises';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { createSampleApi, type SampleApi, type SampleTarget } from './api.ts';
import { SAMPLE_APPS, SAMPLE_MODELS, SAMPLE_POLICIES, SAMPLE_SERVERS } from './catalog.ts';
import { generateFleet, launchHash, type SampleDevice, type SampleFleet } from './fleet.ts';
import {
  generateActivity,
  generateAlert,
  generateLlmRequests,
  generateToolCalls,
} from './history.ts';
import { createRandom, type Random } from './random.ts';

export const SAMPLE_SEED = 20_260_101;
const ENTITIES_PER_BATCH = 50;
const LINES_PER_BATCH = 1_000;
const DEVICES_AT_ONCE = 6;
const ALERTS = 24;
const PRODUCT_ATTEMPTS = 600;
const PRODUCT_INTERVAL_MS = 200;

export interface SampleCounts {
  users: number;
  devices: number;
  apps: number;
  alerts: number;
  llm_requests: number;
  tool_calls: number;
}

export interface LoadOptions {
  seed?: number;
  now?: Date;
  report?(step: string): void;
}

/**
 * Loads users, devices, policies, alerts, access requests, gateway configuration and 90 days of rows. The same seed gives
 * the same data. Returns the counts. Throws SampleRefused for a request that the hub refused.
 */
export async function loadSampleData(
  target: SampleTarget,
  options: LoadOptions = {},
): Promise<SampleCounts> {
  const { seed = SAMPLE_SEED, now = new Date(), report = () => undefined } = options;
  const random = createRandom(seed);
  const fleet = generateFleet(random, now);
  const api = createSampleApi(target);
  report('users and devices');
  await createGroups(api);
  await pushDevices(api, random, now, fleet);
  report('gateway configuration');
  await configureGateways(api);
  report('logs');
  const requests = generateLlmRequests(random, now, fleet.users);
  const calls = generateToolCalls(random, now, fleet.users);
  for (const lines of pages(requests, LINES_PER_BATCH)) await api.logs('llm-requests', lines);
  for (const lines of pages(calls, LINES_PER_BATCH)) await api.logs('mcp-tool-calls', lines);
  report('policies');
  await setPolicies(api, fleet);
  await changeLaunches(api, random, now, fleet);
  report('alerts and access requests');
  const alerts = await pushEvents(api, random, now, fleet);
  await pushAccessRequests(api, random, now, fleet);
  return {
    users: fleet.users.length,
    devices: fleet.devices.length,
    apps: fleet.devices.reduce((sum, { entities }) => sum + entities.length, 0),
    alerts,
    llm_requests: requests.length,
    tool_calls: calls.length,
  };
}

function pages<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

async function createGroups(api: SampleApi): Promise<void> {
  for (const [name, value] of [
    ['Macs', 'darwin'],
    ['Windows laptops', 'win32'],
  ]) {
    await api.console('POST', '/device-groups', {
      name,
      rule: { conditions: [{ field: 'platform', test: 'one_of', values: [value] }] },
    });
  }
}

async function pushDevices(
  api: SampleApi,
  random: Random,
  now: Date,
  { devices }: SampleFleet,
): Promise<void> {
  const scans = devices.map((device) => ({ device, scan_id: random.uuid() }));
  for (const page of pages(scans, DEVICES_AT_ONCE)) {
    await Promise.all(page.map(({ device, scan_id }) => pushScan(api, now, device, scan_id)));
  }
}

async function pushScan(
  api: SampleApi,
  now: Date,
  sender: SampleDevice,
  scan_id: string,
): Promise<void> {
  const { entities, running } = sender;
  const batches = pages(entities, ENTITIES_PER_BATCH);
  for (const [batch, page] of batches.entries()) {
    const scan = {
      ...{ scan_id, started_at: now.toISOString(), kind: 'full' as const },
      ...{ batch, batches: batches.length },
    };
    await api.sync('discovered-apps', sender, {
      batch_id: crypto.randomUUID(),
      scan,
      entities: page,
    });
  }
  await api.sync('running-processes', sender, {
    processes: running.map(({ entity }) => ({
      process_id: entity.entity_id,
      name: entity.name,
      executable_path: entity.executables?.[0] ?? '/usr/bin/unknown',
      application_name: entity.name,
      entity_ids: [entity.entity_id],
      count: 1,
      guard_rail: null,
    })),
  });
}

async function setPolicies(api: SampleApi, { devices }: SampleFleet): Promise<void> {
  for (const { step, names } of SAMPLE_POLICIES) {
    for (const name of names) {
      const product_id = await findProduct(api, name);
      const [approval_status, execution_policy] = step;
      await api.console('POST', '/product-policies', {
        ...{ product_id, approval_status, execution_policy },
        reason: 'Sample policy',
        scope: { kind: 'tenant' },
      });
    }
  }
  await startRollout(api, devices);
}

/** Returns the id of a product by its name. Products are grouped soon after the scans that report their apps. */
async function findProduct(api: SampleApi, name: string): Promise<string> {
  const query = new URLSearchParams({ query: name, limit: '20' });
  for (let attempt = 0; attempt < PRODUCT_ATTEMPTS; attempt++) {
    const { items } = (await api.console('GET', `/products?${query}`)) as {
      items: { product_id: string; name: string }[];
    };
    const product = items.find((item) => item.name === name);
    if (product !== undefined) return product.product_id;
    await setTimeout(PRODUCT_INTERVAL_MS);
  }
  throw new Error(`the product ${name} did not appear in the inventory`);
}

/** Blocks an app in rings, of which the first has started. */
async function startRollout(api: SampleApi, devices: readonly SampleDevice[]): Promise<void> {
  const entity = findEntity(devices, 'Windsurf');
  if (entity === null) return;
  const { override } = (await api.console('POST', '/overrides', {
    ...{ match: { entity_id: entity.entity_id }, scope: { kind: 'tenant' } },
    ...{ approval_status: 'restricted', execution_policy: 'warn', rollout_percent: 0 },
  })) as { override: { override_id: string } };
  await api.console('POST', `/overrides/${override.override_id}/rollout`, {
    rings: [
      { percent: 10, minutes: 1_440 },
      { percent: 50, minutes: 1_440 },
    ],
  });
}

function findEntity(devices: readonly SampleDevice[], name: string): WireEntity | null {
  return devices.flatMap(({ entities }) => entities).find((entity) => entity.name === name) ?? null;
}

/** Two devices report an approved MCP server with another launch, so its approval is pending there until a review. */
async function changeLaunches(
  api: SampleApi,
  random: Random,
  now: Date,
  { devices }: SampleFleet,
): Promise<void> {
  const owners = devices.filter(({ entities }) => entities.some(isLinear)).slice(0, 2);
  for (const sender of owners) {
    const changed = sender.entities.filter(isLinear).map((entity) => ({
      ...entity,
      launch_hash: launchHash(entity.name, true),
      details: { configured: [OTHER_LINEAR] },
    }));
    await api.sync('discovered-apps', sender, {
      batch_id: random.uuid(),
      scan: {
        ...{ scan_id: random.uuid(), started_at: new Date(now.getTime() + 1_000).toISOString() },
        ...{ kind: 'delta', batch: 0, batches: 1 },
      },
      entities: changed,
    });
  }
}

/** Another launch of the server: its former transport. */
const OTHER_LINEAR = {
  ...{ client: 'cursor', scope: 'user', transport: 'sse' },
  url: 'https://mcp.linear.app/sse',
};

const isLinear = ({ name }: WireEntity): boolean => name === 'mcp.linear.app/mcp';

/** Pushes enforcement events and alerts; acknowledges and assigns some. Returns the number of alerts. */
async function pushEvents(
  api: SampleApi,
  random: Random,
  now: Date,
  { devices }: SampleFleet,
): Promise<number> {
  for (const device of devices) {
    const events = generateActivity(random, now, device);
    if (events.length === 0) continue;
    await api.sync('activity', device, { events });
  }
  const alerting = devices.filter(({ running }) => running.length > 0).slice(0, ALERTS);
  for (const [i, device] of alerting.entries()) {
    const alert = generateAlert(random, now, device);
    if (alert === null) continue;
    await api.sync('alerts', device, { alerts: [alert] });
    const path = `/alerts/${alert.alert_id}`;
    if (i % 3 === 0) await api.console('POST', `${path}/acknowledge`);
  }
  return alerting.length;
}

const REASONS = [
  'I need it to review the designs of our supplier.',
  'Our team uses it for pair programming.',
  'A customer shares files with it.',
  'For the workshop on Thursday.',
] as const;

/** Sends access requests for blocked apps; the first is granted, the second declined. */
async function pushAccessRequests(
  api: SampleApi,
  random: Random,
  now: Date,
  { devices }: SampleFleet,
): Promise<void> {
  const blocked = new Set(['utorrent', 'uTorrent', 'anydesk', 'AnyDesk', 'Qwen Code']);
  const asking = devices
    .flatMap((device) => device.entities.map((entity) => ({ device, entity })))
    .filter(({ entity }) => blocked.has(entity.name))
    .slice(0, REASONS.length);
  for (const [i, { device, entity }] of asking.entries()) {
    await api.sync('access-requests', device, {
      requests: [
        {
          access_request_id: random.uuid(),
          asked_at: new Date(now.getTime() - (i + 1) * 3_600_000).toISOString(),
          entity_id: entity.entity_id,
          reason: REASONS[i] ?? REASONS[0],
        },
      ],
    });
  }
}

async function configureGateways(api: SampleApi): Promise<void> {
  for (const label of new Set(SAMPLE_MODELS.map(({ provider }) => provider))) {
    const models = SAMPLE_MODELS.filter(({ provider }) => provider === label);
    await api.console('POST', '/gateway/providers', {
      label,
      provider_name: models[0]?.type,
      provider_settings: { api_key: 'sample-key', ...models[0]?.settings },
      selected_models: models.map(({ model }) => model),
      model_costs: Object.fromEntries(
        models.map(({ model, input, output }) => [
          model,
          { input_per_1m: input, output_per_1m: output },
        ]),
      ),
    });
  }
  const labels = [...new Set(SAMPLE_MODELS.map(({ provider }) => provider))];
  for (const name of SAMPLE_APPS) {
    await api.console('POST', '/gateway/apps', { name, provider_labels: labels });
  }
  for (const { slug, name, url } of SAMPLE_SERVERS) {
    await api.console('POST', '/mcp/backends', { slug, name, url, auth: { kind: 'none' } });
  }
}
