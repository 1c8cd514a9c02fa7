// A gateway node beside a real hub: the configuration comes from the management API, rows go to the log ingest.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeToken } from '@gatewarden/hub/src/features/nodes/tokens/index.ts';
import type { LlmRequestLine } from '@gatewarden/shared/wire/nodes/logs.ts';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type RunningGateway, startGateway } from '../../gateway/src/app.ts';
import { readSettings } from '../../gateway/src/config/settings.ts';
import { createLog } from '../../gateway/src/telemetry/log.ts';
import { sharedTestHub, type TestHub } from './hub.ts';
import { type LlmUpstream, startLlmUpstream } from './llm-upstream.ts';
import { type Management, manage } from './management.ts';
import { awaitThat } from './waiting.ts';

export interface TestGateway extends RunningGateway {
  hub: TestHub;
  api: Management;
  nodeToken: string;
  dataDir: string;
  /** Log lines of the node. */
  log: string[];
  /** Creates a provider and an app, and waits until the node knows its key. */
  makeApp(options: AppOptions): Promise<TestApp>;
  /** Waits for the row of a request in the hub. */
  rowOf(requestId: string): Promise<LlmRequestLine>;
}

export interface AppOptions {
  provider_name?: string;
  provider_settings: Record<string, unknown>;
  selected_models?: string[];
  app?: Record<string, unknown>;
}

export interface TestApp {
  name: string;
  key: string;
  label: string;
  version: string;
  appId: string;
}

let apps = 0;

/** Starts a node for a new tenant. `env` adds to its environment. */
export async function startTestGateway(env: NodeJS.ProcessEnv = {}): Promise<TestGateway> {
  const hub = await sharedTestHub();
  const api = await manage(hub);
  const { token } = await createNodeToken(hub.context.database.db, {
    name: 'gateway',
    tenantId: hub.tenantId,
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'gw-node-'));
  const log: string[] = [];
  const settings = readSettings({
    GATEWARDEN_NODE_TOKEN: token,
    GATEWAY_HUB_URL: hub.url,
    GATEWAY_PORT: '0',
    GATEWAY_DATA_DIR: dataDir,
    GATEWAY_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8',
    GATEWAY_SHUTDOWN_GRACE_MS: '5000',
    ...env,
  });
  const logger = createLog('info', { write: (line: string) => void log.push(line) });
  const gateway = await startGateway(settings, logger, { collectMs: 10 });
  const makeApp = async (options: AppOptions): Promise<TestApp> => {
    apps++;
    const label = `provider ${apps}`;
    const provider = await api.call('POST', '/providers', {
      body: {
        label,
        provider_name: options.provider_name ?? 'vendorA',
        provider_settings: options.provider_settings,
        selected_models: options.selected_models ?? [],
      },
    });
    expect(provider.body).toMatchObject({ provider: { label } });
    const name = `app ${apps}`;
    const app = await api.call('POST', '/apps', {
      body: { name, provider_labels: [label], ...options.app },
    });
    expect(app.body).toMatchObject({ app: { name } });
    const key = app.body.key.secret as string;
    await awaitThat('the node knows the app', async () => isKnown(gateway.url, key));
    return { name, key, label, version: app.body.app.version, appId: app.body.app.app_id };
  };
  return {
    ...gateway,
    ...{ hub, api, nodeToken: token, dataDir, log, makeApp },
    rowOf: (requestId) => findRow(hub, requestId),
    async stop() {
      await gateway.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns whether the node knows a key, whatever it answers to it. */
async function isKnown(url: string, key: string): Promise<boolean> {
  const answer = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  return !/invalid_app_key|not_configured/.test(await answer.text());
}

async function findRow(hub: TestHub, requestId: string): Promise<LlmRequestLine> {
  let event: string | object | undefined;
  await awaitThat(`the hub has the row ${requestId}`, async () => {
    const { rows } = await hub.context.database.pool.query<{ event: string | object }>(
      'SELECT event FROM llm_requests WHERE tenant_id = $1 AND request_id = $2',
      [hub.tenantId, requestId],
    );
    event = rows[0]?.event;
    return event !== undefined;
  });
  return (typeof event === 'string' ? JSON.parse(event) : event) as LlmRequestLine;
}

export interface GatewayWithUpstream {
  gateway: TestGateway;
  /** A double of every provider. */
  upstream: LlmUpstream;
}

/**
 * Starts a node and a double of its providers before the tests of a file, stops both after them, and clears the calls of the
 * double before each test. The double answers nothing until a test calls `answerWith`.
 */
export function useGateway(
  onStart: (started: GatewayWithUpstream) => Promise<void> | void,
  env: (upstream: LlmUpstream) => NodeJS.ProcessEnv = () => ({}),
): void {
  let started: GatewayWithUpstream;
  beforeAll(async () => {
    const upstream = await startLlmUpstream(() => undefined);
    started = { upstream, gateway: await startTestGateway(env(upstream)) };
    await onStart(started);
  });
  beforeEach(() => {
    started.upstream.calls.length = 0;
  });
  afterAll(async () => {
    await started.gateway.stop();
    await started.upstream.stop();
  });
}
