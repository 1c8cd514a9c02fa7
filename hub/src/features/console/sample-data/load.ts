// Loads the sample data into an empty tenant through the public APIs of a running hub.
import { setTimeout } from 'node:timers/promises';
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import { ORGANIZATION } from '@gatewarden/shared/wire/console/llm-budgets.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { createSampleApi, type SampleApi, type SampleTarget } from './api.ts';
import {
  SAMPLE_APPS,
  SAMPLE_CALL_RULE,
  SAMPLE_DETECTION,
  SAMPLE_MODELS,
  SAMPLE_POLICIES,
  SAMPLE_SERVERS,
  SAMPLE_USER_GROUPS,
} from './catalog.ts';
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
/** So many devices have not applied the policies yet. */
const DEVICES_BEHIND = 4;
/** The share of the organization's budget that this month has cost. */
const BUDGET_SHARE = 0.6;
const APP_BUDGET_USD = 5;
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
 * Loads users, devices, policies, alerts, access requests, gateway configuration and gateway rows of all days that the hub keeps.
 * The same seed gives the same data. Returns the counts. Throws SampleRefused for a request that the hub refused.
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
  const groups = await createGroups(api, fleet);
  await pushDevices(api, random, now, fleet);
  report('gateway configuration');
  const apps = await configureGateways(api);
  await publishServers(api, groups);
  report('logs');
  const requests = generateLlmRequests(random, now, fleet.users);
  const calls = generateToolCalls(random, now, fleet.users);
  for (const lines of pages(requests, LINES_PER_BATCH)) await api.logs('llm-requests', lines);
  for (const lines of pages(calls, LINES_PER_BATCH)) await api.logs('mcp-tool-calls', lines);
  await setBudgets(api, apps);
  report('policies');
  await setPolicies(api, fleet);
  await changeLaunches(api, random, now, fleet);
  report('alerts and access requests');
  const alerts = await pushEvents(api, random, now, fleet);
  await pushAccessRequests(api, random, now, fleet);
  await answerAccessRequests(api, now);
  await pollPolicies(api, fleet);
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

/** Creates user groups and device groups. Returns the ids of the user groups. */
async function createGroups(api: SampleApi, { users }: SampleFleet): Promise<string[]> {
  const ids: string[] = [];
  for (const [i, name] of SAMPLE_USER_GROUPS.entries()) {
    const members = users
      .filter((_, index) => index % SAMPLE_USER_GROUPS.length === i)
      .map(({ email }) => email);
    const { group } = (await api.console('POST', '/people-groups', { name, members })) as {
      group: { people_group_id: string };
    };
    ids.push(group.people_group_id);
  }
  for (const [name, value] of [
    ['Macs', 'darwin'],
    ['Windows laptops', 'win32'],
  ]) {
    await api.console('POST', '/device-groups', {
      name,
      rule: { conditions: [{ field: 'platform', test: 'one_of', values: [value] }] },
    });
  }
  return ids;
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

/** Pushes enforcement events and alerts; acknowledges some and resolves others. Returns the number of alerts. */
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
    const { alert_id } = alert;
    if (i % 3 === 0) await api.console('POST', `/alerts/${alert_id}/acknowledge`);
    const resolution = i % 4 === 1 ? RESOLUTIONS[((i - 1) / 4) % RESOLUTIONS.length] : undefined;
    if (resolution !== undefined) {
      const { device_id } = device.device;
      await api.console('POST', '/alerts/resolve', {
        alerts: [{ alert_id, device_id }],
        ...resolution,
      });
    }
  }
  return alerting.length;
}

const RESOLUTIONS = [
  { resolution: 'fixed', comment: 'The user removed the app.' },
  { resolution: 'expected', comment: 'Part of the workshop on Thursday.' },
  { resolution: 'false_positive', comment: 'The app has the same name as another one.' },
] as const;

const REASONS = [
  'I need it to review the designs of our supplier.',
  'Our team uses it for pair programming.',
  'A customer shares files with it.',
  'For the workshop on Thursday.',
] as const;

/** Sends access requests for blocked apps. */
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

interface PendingRequest {
  access_request_id: string;
  version: string;
  exception: { match: object } | null;
}

/** Grants the newest access request and declines the next. */
async function answerAccessRequests(api: SampleApi, now: Date): Promise<void> {
  const { items } = (await api.console('GET', '/access-requests?state=open')) as {
    items: PendingRequest[];
  };
  const [granted, declined] = items.filter(({ exception }) => exception !== null);
  if (granted === undefined || declined === undefined) return;
  const answer = (request: PendingRequest, action: 'grant' | 'decline', body: object) =>
    api.console(
      'POST',
      `/access-requests/${request.access_request_id}/${action}`,
      body,
      request.version,
    );
  await answer(granted, 'grant', {
    match: granted.exception?.match,
    expires_at: new Date(now.getTime() + 14 * 86_400_000).toISOString(),
    reason: 'For the project, until it ends.',
  });
  await answer(declined, 'decline', { reason: 'Use the approved app for this.' });
}

/** Polls the policies as each device does: most devices have applied them, the last ones have not yet. */
async function pollPolicies(api: SampleApi, { devices }: SampleFleet): Promise<void> {
  const upToDate = devices.slice(0, -DEVICES_BEHIND);
  const behind = devices.slice(-DEVICES_BEHIND);
  for (const page of pages(upToDate, DEVICES_AT_ONCE)) {
    await Promise.all(page.map((sender) => pollUntilApplied(api, sender)));
  }
  for (const sender of behind) await api.poll(sender, { applied: appliedDigest([]) });
}

async function pollUntilApplied(api: SampleApi, sender: SampleDevice): Promise<void> {
  const applied = new Map<string, WireOverride>();
  let cursor: string | null = null;
  for (let isComplete = false; !isComplete; ) {
    const page = (await api.poll(sender, { ...(cursor === null ? {} : { cursor }) })) as {
      overrides: WireOverride[];
      next_cursor: string;
      has_more: boolean;
    };
    for (const override of page.overrides) {
      if (override.deleted) applied.delete(override.override_id);
      else applied.set(override.override_id, override);
    }
    cursor = page.next_cursor;
    isComplete = !page.has_more;
  }
  await api.poll(sender, { cursor: cursor ?? '', applied: appliedDigest(applied.values()) });
}

/** Sets a budget of the organization and of the first app, which alert and refuse no request. */
async function setBudgets(api: SampleApi, [firstApp]: readonly string[]): Promise<void> {
  const set = (scope: string, monthly_usd: number) =>
    api.console('PUT', `/llm/budgets/${scope}`, { monthly_usd, blocks: false });
  const { spent_usd: spent } = (await api.console('GET', '/llm/budgets')) as { spent_usd: number };
  await set(ORGANIZATION, Math.max(1, Math.ceil(spent / BUDGET_SHARE)));
  if (firstApp !== undefined) await set(firstApp, APP_BUDGET_USD);
}

/** Creates providers and apps with guardrails. Returns the ids of the apps. */
async function configureGateways(api: SampleApi): Promise<string[]> {
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
  const apps: string[] = [];
  for (const name of SAMPLE_APPS) {
    const { app } = (await api.console('POST', '/gateway/apps', {
      ...{ name, provider_labels: labels, detection: SAMPLE_DETECTION },
    })) as { app: { app_id: string } };
    apps.push(app.app_id);
  }
  return apps;
}

/** Publishes MCP servers, with a call rule for all and an access rule of the last server and the last user group. */
async function publishServers(api: SampleApi, groups: readonly string[]): Promise<void> {
  const backends: string[] = [];
  for (const { slug, name, url } of SAMPLE_SERVERS) {
    const body = { slug, name, url, auth: { kind: 'none' } };
    const { backend } = (await api.console('POST', '/mcp/backends', body)) as {
      backend: { id: string };
    };
    backends.push(backend.id);
  }
  await api.console('POST', '/mcp/call-rules', SAMPLE_CALL_RULE);
  await api.console('POST', '/mcp/rules', {
    ...{ effect: 'deny', backend_id: backends.at(-1) },
    subject: { kind: 'group', group_id: groups.at(-1) },
    reason: 'Only for teams that operate software.',
  });
}
