// The sample app of `npm start -- --demo`: an app of the LLM gateway with the sample model as its provider. It is created
// once, through the management API.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN_PREFIX, RESOURCE_PREFIX } from '../hub/src/app/management.ts';
import { SAMPLE_MODEL } from './sample-model.ts';
import { sendSampleRequests, USER_HEADER } from './sample-requests.ts';

export interface SampleApp {
  tenantId: string;
  key: string;
}

const LABEL = 'Sample model';
const APP = 'Sample app';
/** Guardrails that the sample requests meet, and the header with their user. */
const SETTINGS = {
  detection: {
    enabled_categories: { pci: true, secrets: true },
    category_actions: { pci: 'redact', secrets: 'block' },
  },
  access: { identity_header_mode: true, identity_token_headers: [USER_HEADER] },
};

/** Returns the sample app of the tenant. If this folder has none, creates it and sends sample requests through the node. */
export async function createSampleApp(
  { hubUrl, gatewayUrl }: { hubUrl: string; gatewayUrl: string },
  adminToken: string,
  tenantId: string,
  folder: string,
): Promise<SampleApp> {
  const file = join(folder, 'sample-app.json');
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SampleApp) : null;
  if (known?.tenantId === tenantId) return known;
  const admin = `${hubUrl}${ADMIN_PREFIX}/tenants/${tenantId}`;
  const settings = await call('GET', `${admin}/settings`, adminToken);
  const { enabled, version } = settings.settings as { enabled: boolean; version: string };
  if (!enabled) {
    await call(
      'PATCH',
      `${admin}/settings`,
      adminToken,
      { enabled: true },
      { 'if-match': version },
    );
  }
  const scopes = ['config:write', 'providers:write', 'credentials:write'];
  const management = await call('POST', `${admin}/keys`, adminToken, { name: APP, scopes });
  const secret = String(management.secret);
  const resources = `${hubUrl}${RESOURCE_PREFIX}`;
  await call('POST', `${resources}/providers`, secret, {
    label: LABEL,
    provider_name: 'gw_ai',
    selected_models: [SAMPLE_MODEL],
  });
  const app = await call('POST', `${resources}/apps`, secret, {
    name: APP,
    provider_labels: [LABEL],
    ...SETTINGS,
  });
  const sample = { tenantId, key: String((app.key as { secret: string }).secret) };
  writeFileSync(file, JSON.stringify(sample), { mode: 0o600 });
  await sendSampleRequests(gatewayUrl, sample.key);
  return sample;
}

/** Returns lines with a command that calls the sample app. */
export function describeSampleApp(gatewayUrl: string, { key }: SampleApp): string[] {
  const body = JSON.stringify({
    model: SAMPLE_MODEL,
    messages: [{ role: 'user', content: 'Hello' }],
  });
  return [
    `  The app "${APP}" answers fixed text of a sample model. Call it:`,
    `  curl ${gatewayUrl}/v1/chat/completions -H 'Authorization: Bearer ${key}' \\`,
    `    -H 'Content-Type: application/json' -d '${body}'`,
  ];
}

async function call(
  method: string,
  url: string,
  token: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) {
    const { message } = answer.error as { message: string };
    throw new Error(`the sample app was not created: ${message}`);
  }
  return answer;
}
