// What a tenant has now, read through the management API.
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
  /** It opens nothing and cannot be changed, but has its name until it is revoked. */
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
  /** The sections that are stored. */
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
  /** Names that more than one app has: none of them can be reached by it. */
  ambiguous: string[];
}

/** Reads everything; begins again where the lists changed meanwhile. Throws ManagementError. */
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
  return { providers, apps, ambiguous: shared.flatMap(([one]) => one?.name ?? []) };
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

/** The whole of a list, from its beginning again where it changed between two pages. */
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

/** What of the tenant no file can hold, or no other tenant takes, each in one line. */
export function remarksOn({ providers, apps, ambiguous }: LiveTenant): string[] {
  const quoted = (name: string) => JSON.stringify(name);
  const byLabel = new Map(providers.map((one) => [one.label, one]));
  const legacy = apps.filter((one) => one.isLegacy);
  const others = apps.filter((one) => !one.isLegacy);
  return [
    ...legacy.map(
      ({ name }) =>
        `NOT IN THIS FILE: the providers of the legacy app ${quoted(name)}. Convert it before this is applied to another tenant.`,
    ),
    ...ambiguous.map(
      (name) => `NOT IN THIS FILE: the legacy apps that are all called ${quoted(name)}.`,
    ),
    ...providers.flatMap((one) => {
      const { untold } = credentialsOf(one);
      return untold.length === 0
        ? []
        : `NOT TOLD BY ANY READ: whether the provider ${quoted(one.label)} has ${untold.join(', ')}. Name here what it has.`;
    }),
    ...others.flatMap(({ name, config, provider_labels }) =>
      modelsNotOffered(config.routing, byLabel, provider_labels).map(
        (model) =>
          `REFUSED BY ANOTHER TENANT: the app ${quoted(name)} routes to the model ${quoted(model)}, which none of its providers offers any more.`,
      ),
    ),
  ];
}

/** The tenant as a file: secrets by the names of environment variables that it proposes. */
export function fileOf(live: LiveTenant): TenantFile {
  const variables = new Set<string>();
  return {
    format: FORMAT,
    providers: live.providers.map((one) => fileProvider(one, variables)),
    apps: live.apps.map((one) => fileApp(one, variables)),
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

/** Those that its type cannot do without; where it needs none and yet has one, the first that it may have. */
const secretsOf = (live: LiveProvider): string[] => credentialsOf(live).named;

/** `untold`: what it may have beside those that a file names. No read tells. */
function credentialsOf(live: LiveProvider): { named: string[]; untold: string[] } {
  const none = { named: [], untold: [] };
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
  return { named, untold: secrets.filter((name) => !named.includes(name)) };
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
  const webhooks = channels.webhooks.map((one) => ({
    ...one,
    url: { env: variable(['app', app, 'webhook', one.id, 'url'], variables) },
  }));
  return { ...(alerting as object), channels: { ...channels, webhooks } };
}

/** A name that no other secret of the file has. */
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
