// Reads the current state of a tenant through the management API.
import { type ManagementClient, must } from '@gatewarden/management-client';
import { foldName } from '@gatewarden/shared/names.ts';
import { CONFIG_SECTIONS } from '@gatewarden/shared/wire/management/app-config.ts';
import {
  type ProviderSettings,
  type ProviderType,
  SECRET_SETTINGS,
  type SettingName,
} from '@gatewarden/shared/wire/management/providers.ts';
import { modelsNotOffered } from '../configuration/index.ts';
import { requirementsOf } from '../providers/index.ts';
import {
  type FileApp,
  type FileProvider,
  type FileTemplate,
  FORMAT,
  type TenantFile,
} from './document.ts';
import { patiently } from './patience.ts';

const R = '/llmgateway/management/v1';
const PAGE = 200;

export interface LiveKey {
  key_id: string;
  name: string;
  expires_at: string | null;
  /** An inactive key, which occupies its name until it is revoked. */
  isExpired: boolean;
  version: string;
}
export interface LiveApp {
  name: string;
  mode: string;
  enabled: boolean;
  version: string;
  tags: string[];
  provider_labels: string[];
  /** The stored sections. */
  config: Record<string, unknown>;
  isLegacy: boolean;
  keys: LiveKey[];
  templates: FileTemplate[];
}
export interface LiveProvider {
  label: string;
  provider_name: string;
  enabled: boolean;
  provider_settings: Record<string, unknown>;
  selected_models: string[];
  model_costs: Record<string, unknown>;
  credential_configured: boolean;
  version: string;
}
export interface LiveTenant {
  providers: LiveProvider[];
  apps: LiveApp[];
  /** Names that several apps share: none of these apps can be addressed by name. */
  ambiguous: string[];
}

/** Reads everything, and starts again if the lists changed meanwhile. Throws ManagementError. */
export async function readTenant(client: ManagementClient): Promise<LiveTenant> {
  const providers = await all((query) => client.GET(`${R}/providers`, { params: { query } }));
  const listed = await all((query) => client.GET(`${R}/apps`, { params: { query } }));
  const named = Map.groupBy(listed, (app) => foldName(app.name));
  const shared = [...named.values()].filter((apps) => apps.length > 1);
  const ambiguous = shared.flat();
  const apps: LiveApp[] = [];
  for (const app of listed) {
    if (ambiguous.includes(app)) continue;
    const app_name = app.name;
    const keys = await all((query) =>
      client.GET(`${R}/app/keys`, { params: { query: { ...query, app_name } } }),
    );
    const prompts = await all((query) =>
      client.GET(`${R}/app/prompts`, { params: { query: { ...query, app_name } } }),
    );
    const stored = app as Record<string, unknown>;
    apps.push({
      name: app.name,
      mode: app.mode,
      enabled: app.enabled,
      version: app.version,
      tags: app.tags,
      provider_labels: app.provider_labels,
      config: Object.fromEntries(
        Object.keys(CONFIG_SECTIONS)
          .filter((section) => stored[section] !== undefined)
          .map((section) => [section, stored[section]]),
      ),
      isLegacy: app.inline_providers !== undefined,
      keys: keys
        .filter((key) => key.status !== 'revoked')
        .map((key) => ({ ...key, isExpired: key.status === 'expired' })),
      templates: prompts.map(({ prompt_id, content }) => ({ prompt_id, content })),
    });
  }
  return { providers, apps, ambiguous: shared.flatMap(([first]) => first?.name ?? []) };
}

interface Listed<Item> {
  items: Item[];
  next_cursor: string | null;
}

type FetchPage<Item> = (query: { limit: string; cursor?: string }) => Promise<{
  data?: Listed<Item>;
  error?: unknown;
  response: Response;
}>;

/** Reads a complete list, from its start again if it changed between two pages. */
const all = <Item>(fetch: FetchPage<Item>) => patiently(() => everyPage(fetch));

async function everyPage<Item>(fetch: FetchPage<Item>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const query: { limit: string; cursor?: string } = {
      limit: String(PAGE),
      ...(cursor === null ? {} : { cursor }),
    };
    const { data }: { data: Listed<Item> } = await must(fetch(query));
    items.push(...data.items);
    cursor = data.next_cursor;
  } while (cursor !== null);
  return items;
}

/** Returns remarks on what no file can contain, or no other tenant accepts, a line each. */
export function remarksOn({ providers, apps, ambiguous }: LiveTenant): string[] {
  const quoted = (name: string) => JSON.stringify(name);
  const byLabel = new Map(providers.map((provider) => [provider.label, provider]));
  const legacy = apps.filter((app) => app.isLegacy);
  const current = apps.filter((app) => !app.isLegacy);
  return [
    ...legacy.map(
      ({ name }) =>
        `NOT IN THIS FILE: the providers of the legacy app ${quoted(name)}. Convert it before this is applied to another tenant.`,
    ),
    ...ambiguous.map(
      (name) => `NOT IN THIS FILE: the legacy apps that are all called ${quoted(name)}.`,
    ),
    ...providers.flatMap((provider) => {
      const { unreadable } = credentialsOf(provider);
      return unreadable.length === 0
        ? []
        : `NOT RETURNED BY ANY READ: whether the provider ${quoted(provider.label)} has ${unreadable.join(', ')}. Name here what it has.`;
    }),
    ...current.flatMap(({ name, config, provider_labels }) =>
      modelsNotOffered(config.routing, byLabel, provider_labels).map(
        (model) =>
          `REFUSED BY ANOTHER TENANT: the app ${quoted(name)} routes to the model ${quoted(model)}, which none of its providers offers any more.`,
      ),
    ),
  ];
}

/** Returns the tenant as a file: secrets become names of environment variables that it proposes. */
export function fileOf(live: LiveTenant): TenantFile {
  const variables = new Set<string>();
  return {
    format: FORMAT,
    providers: live.providers.map((provider) => fileProvider(provider, variables)),
    apps: live.apps.map((app) => fileApp(app, variables)),
  };
}

function fileProvider(live: LiveProvider, variables: Set<string>): FileProvider {
  const { label, provider_name, provider_settings, ...rest } = live;
  const secrets = secretsOf(live).map((name) => [
    name,
    { env: variable(['provider', label, name], variables) },
  ]);
  return {
    label,
    provider_name,
    provider_settings: { ...provider_settings, ...Object.fromEntries(secrets) },
    selected_models: rest.selected_models,
    model_costs: rest.model_costs,
    enabled: rest.enabled,
  };
}

/** Returns the required credentials; for a provider that requires none but has some, its first optional credential. */
const secretsOf = (live: LiveProvider): string[] => credentialsOf(live).named;

/** `unreadable`: credentials that the provider may have beside those in the file, which no read returns. */
function credentialsOf(live: LiveProvider): { named: string[]; unreadable: string[] } {
  const none = { named: [], unreadable: [] };
  if (!live.credential_configured) return none;
  const needs = requirementsOf(
    live.provider_name as ProviderType,
    live.provider_settings as ProviderSettings,
  );
  if ('unknownMode' in needs) return none;
  const isSecret = (name: SettingName) => SECRET_SETTINGS.includes(name);
  const secrets = needs.credentials.filter(isSecret);
  const required = needs.required.filter(isSecret);
  const named = required.length > 0 ? required : secrets.slice(0, 1);
  return { named, unreadable: secrets.filter((name) => !named.includes(name)) };
}

function fileApp(live: LiveApp, variables: Set<string>): FileApp {
  const { name, mode, enabled, tags, provider_labels, config } = live;
  return {
    name,
    mode,
    enabled,
    ...(mode === 'gateway' && !live.isLegacy ? { provider_labels } : {}),
    tags,
    ...config,
    ...(config.alerting == null ? {} : { alerting: namedUrls(name, config.alerting, variables) }),
    keys: live.keys
      .filter((key) => !key.isExpired)
      .map((key) => ({ name: key.name, expires_at: key.expires_at })),
    prompt_templates: live.templates,
  };
}

function namedUrls(app: string, alerting: unknown, variables: Set<string>): unknown {
  const { channels } = alerting as { channels?: { webhooks?: { id: string }[] } };
  if (channels?.webhooks === undefined) return alerting;
  const webhooks = channels.webhooks.map((webhook) => ({
    ...webhook,
    url: { env: variable(['app', app, 'webhook', webhook.id, 'url'], variables) },
  }));
  return { ...(alerting as object), channels: { ...channels, webhooks } };
}

/** Returns a name that no other secret of the file has. */
function variable(words: string[], taken: Set<string>): string {
  const plain = ['gatewarden', ...words]
    .join('_')
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toUpperCase();
  let name = plain;
  for (let next = 2; taken.has(name); next++) name = `${plain}_${next}`;
  taken.add(name);
  return name;
}
