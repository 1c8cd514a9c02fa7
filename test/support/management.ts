// The management API as automation uses it: a tenant that opted in, and keys with the scopes that a test names.
import { randomUUID } from 'node:crypto';
import { ADMIN_PREFIX, RESOURCE_PREFIX } from '@gatewarden/hub/src/app/management.ts';
import { SCOPES, type Scope } from '@gatewarden/shared/wire/management/common.ts';
import { type Answer, call, type TestHub } from './hub.ts';

export { ADMIN_PREFIX, RESOURCE_PREFIX };

export interface ManagementCall {
  body?: unknown;
  headers?: Record<string, string>;
  /** The Idempotency-Key; a fresh key if it is left out. */
  key?: string;
  ifMatch?: string;
}

export interface Management {
  tenantId: string;
  secret: string;
  /** A call of a resource route with this key. */
  call(method: string, path: string, options?: ManagementCall): Promise<Answer>;
}

/** A call of an administrator's route. */
export function admin(
  hub: Pick<TestHub, 'url' | 'tenantId' | 'adminToken'>,
  method: string,
  path: string,
  options: ManagementCall & { token?: string } = {},
): Promise<Answer> {
  return call(
    `${hub.url}${ADMIN_PREFIX}/tenants/${hub.tenantId}${path}`,
    method,
    { authorization: `Bearer ${options.token ?? hub.adminToken}`, ...headersOf(method, options) },
    options.body,
  );
}

export function resource(
  hub: Pick<TestHub, 'url'>,
  secret: string,
  method: string,
  path: string,
  options: ManagementCall = {},
): Promise<Answer> {
  return call(
    `${hub.url}${RESOURCE_PREFIX}${path}`,
    method,
    { authorization: `Bearer ${secret}`, ...headersOf(method, options) },
    options.body,
  );
}

function headersOf(method: string, options: ManagementCall): Record<string, string> {
  return {
    ...(method === 'POST' ? { 'idempotency-key': options.key ?? randomUUID() } : {}),
    ...(options.ifMatch === undefined ? {} : { 'if-match': options.ifMatch }),
    ...options.headers,
  };
}

/** Opts the tenant in, where it is not yet, and issues a key. */
export async function manage(
  hub: Pick<TestHub, 'url' | 'tenantId' | 'adminToken'>,
  scopes: readonly Scope[] = SCOPES,
): Promise<Management> {
  const settings = await admin(hub, 'GET', '/settings');
  if (settings.status !== 200) throw new Error(`settings: ${JSON.stringify(settings.body)}`);
  if (settings.body.settings.enabled !== true) {
    await admin(hub, 'PATCH', '/settings', {
      ifMatch: settings.body.settings.version,
      body: { enabled: true },
    });
  }
  const issued = await admin(hub, 'POST', '/keys', { body: { name: 'test', scopes } });
  const { secret } = issued.body;
  return {
    tenantId: hub.tenantId,
    secret,
    call: (method, path, options) => resource(hub, secret, method, path, options),
  };
}

/** Creates a shared provider with the settings that most tests need. */
export async function makeProvider(
  by: Management,
  label: string,
  more: Record<string, unknown> = {},
): Promise<Answer> {
  return by.call('POST', '/providers', {
    body: {
      label,
      provider_name: 'vendorA',
      provider_settings: { api_key: `secret-of-${label}` },
      ...more,
    },
  });
}

/** An app of the mode gateway, with the provider that it needs. */
export async function makeApp(
  by: Management,
  name: string,
  more: Record<string, unknown> = {},
): Promise<Answer> {
  const label = `provider of ${name}`;
  await makeProvider(by, label);
  return by.call('POST', '/apps', { body: { name, provider_labels: [label], ...more } });
}
