// The tenant's configuration as a reviewed YAML file. A secret is replaced by the name of an environment variable,
// `{env: NAME}`.
import { foldName } from '@gatewarden/shared/names.ts';
import { Nullable, OneOf } from '@gatewarden/shared/wire/common.ts';
import { APP_MODES, AppPatch } from '@gatewarden/shared/wire/management/app-config.ts';
import { PROMPT_ID_PATTERN } from '@gatewarden/shared/wire/management/apps.ts';
import { ExpiresAt, Strict } from '@gatewarden/shared/wire/management/common.ts';
import {
  ProviderInput,
  SECRET_SETTINGS,
  type SettingName,
} from '@gatewarden/shared/wire/management/providers.ts';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { isMap, parseDocument, stringify } from 'yaml';
import { ConfigError } from '../../../platform/config/config.ts';
import { escapePointer } from '../../../platform/http/json/json-pointer.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';

export const FORMAT = 'gatewarden-tenant/v1';

/** An environment variable in the place of a secret. */
export interface Named {
  env: string;
}

export interface FileProvider {
  label: string;
  provider_name: string;
  provider_settings?: Record<string, unknown>;
  [field: string]: unknown;
}
export interface FileKey {
  name: string;
  expires_at?: string | null;
}
export interface FileTemplate {
  prompt_id: string;
  content: string;
}
export interface FileApp {
  name: string;
  mode?: string;
  provider_labels?: string[];
  keys?: FileKey[];
  /** Complete if present: an omitted prompt is deleted. */
  prompt_templates?: FileTemplate[];
  [field: string]: unknown;
}
export interface TenantFile {
  format: typeof FORMAT;
  providers: FileProvider[];
  apps: FileApp[];
}

/** A file with its secrets resolved; a field whose variable is not set is omitted and the variable's name recorded. */
export interface OpenedFile extends TenantFile {
  /** By the resource that names them, such as `provider openai`. */
  unset: Map<string, string[]>;
  /** The number of resolved secrets, by the same resource. */
  given: Map<string, number>;
}

const {
  name: AppName,
  mode: _mode,
  initial_key: _key,
  ...sections
} = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  mode: Type.Unknown(),
  initial_key: Type.Unknown(),
  ...AppPatch.properties,
};
/** Schema of the file after its secrets were resolved. */
export const TenantFileSchema = Strict({
  format: Type.Literal(FORMAT),
  providers: Type.Optional(Type.Array(ProviderInput)),
  apps: Type.Optional(
    Type.Array(
      Strict({
        ...sections,
        name: AppName,
        mode: Type.Optional(OneOf(APP_MODES)),
        keys: Type.Optional(
          Type.Array(
            Strict({
              name: Type.String({ minLength: 1, maxLength: 120 }),
              expires_at: Type.Optional(Nullable(ExpiresAt)),
            }),
          ),
        ),
        prompt_templates: Type.Optional(
          Type.Array(
            Strict({
              prompt_id: Type.String({ pattern: PROMPT_ID_PATTERN }),
              content: Type.String({ minLength: 1 }),
            }),
          ),
        ),
      }),
    ),
  ),
});

/** Returns the file as text, with a head that explains it and lists what no file can transfer to another tenant. */
export function writeFile(file: TenantFile, remarks: readonly string[] = []): string {
  const head = [
    '# Configuration of a tenant of Gatewarden: `hub diff FILE`, `hub apply FILE`.',
    '# What is left out stays as it is. A secret is the name of an environment variable: {env: NAME}.',
    ...remarks.map((remark) => `# ${remark}`),
  ];
  return `${head.join('\n')}\n${stringify(file, { lineWidth: 0 })}`;
}

/**
 * Parses a file and resolves its secrets from `env`. Throws ConfigError in a single line, with a JSON pointer, for an
 * invalid file and for a secret in clear.
 */
export function readFile(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): OpenedFile {
  const parsed = parseDocument(text, { uniqueKeys: true });
  const [fault] = parsed.errors;
  if (fault !== undefined)
    throw new ConfigError(`the file is no YAML: ${fault.message.split('\n')[0]}`);
  if (!isMap(parsed.contents)) throw new ConfigError('the file contains no configuration');
  const raw = plain(parsed);
  refuseClear(raw);
  const unset = new Map<string, string[]>();
  const given = new Map<string, number>();
  const file = { ...raw };
  for (const kind of ['providers', 'apps'] as const) {
    const list = raw[kind];
    if (!Array.isArray(list)) continue;
    file[kind] = list.map((entry) => {
      const owner = nameOf(kind, entry);
      return opened(kind, entry, (name) => {
        const value = env[name];
        if (value === undefined || value === '') {
          unset.set(owner, [...(unset.get(owner) ?? []), name]);
          return undefined;
        }
        given.set(owner, (given.get(owner) ?? 0) + 1);
        return value;
      });
    });
  }
  check(file);
  const { providers = [], apps = [] } = file as Partial<TenantFile>;
  refuseTwice(
    providers.map((provider) => provider.label),
    'providers',
    (label) => label,
  );
  refuseTwice(
    apps.map((app) => app.name),
    'apps',
    foldName,
  );
  for (const [at, { keys = [], prompt_templates: templates = [] }] of apps.entries()) {
    refuseTwice(
      keys.map((key) => key.name),
      `apps/${at}/keys`,
      foldName,
    );
    refuseTwice(
      templates.map((template) => template.prompt_id),
      `apps/${at}/prompt_templates`,
      (id) => id,
    );
  }
  return { format: FORMAT, providers, apps, unset, given };
}

function plain(parsed: ReturnType<typeof parseDocument>): Record<string, unknown> {
  try {
    // Aliases could expand a small file excessively, and the format needs none.
    return parsed.toJS({ maxAliasCount: 0 }) as Record<string, unknown>;
  } catch (error) {
    throw new ConfigError(`the file cannot be read: ${(error as Error).message}`);
  }
}

/** Returns the name of a resource in messages and plans. */
export function nameOf(kind: 'providers' | 'apps', entry: unknown): string {
  const { label, name } = (isObject(entry) ? entry : {}) as { label?: unknown; name?: unknown };
  return kind === 'providers' ? `provider ${String(label)}` : `app ${String(name)}`;
}

function check(file: object): void {
  if (Value.Check(TenantFileSchema, file)) return;
  const [error] = Value.Errors(TenantFileSchema, file);
  const pointer = error?.instancePath || '/';
  const words = error?.message === 'schema is false' ? 'is no field of this file' : error?.message;
  throw new ConfigError(`${pointer} ${words ?? 'is not as it must be'}`);
}

function refuseTwice(names: string[], kind: string, fold: (name: string) => string): void {
  const seen = new Set<string>();
  for (const [at, name] of names.entries()) {
    const key = fold(name);
    if (seen.has(key)) throw new ConfigError(`/${kind}/${at} names "${name}" a second time`);
    seen.add(key);
  }
}

const isNamed = (value: unknown): value is Named =>
  isObject(value) &&
  Object.keys(value).length === 1 &&
  typeof value.env === 'string' &&
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(value.env);

type ReadVariable = (name: string) => string | undefined;

/**
 * Returns a provider or an app with its variables resolved, in settings of a provider and URLs of webhooks only.
 * Elsewhere `{env: low}` is a map with a single key.
 */
function opened(kind: 'providers' | 'apps', entry: unknown, read: ReadVariable): unknown {
  if (!isObject(entry)) return entry;
  if (kind === 'providers') {
    const { provider_settings: settings } = entry;
    return isObject(settings)
      ? { ...entry, provider_settings: withVariables(settings, read) }
      : entry;
  }
  const { alerting } = entry;
  const channels = isObject(alerting) ? alerting.channels : undefined;
  if (!isObject(alerting) || !isObject(channels) || !Array.isArray(channels.webhooks)) return entry;
  const webhooks = channels.webhooks.map((webhook) =>
    isObject(webhook) ? withVariables(webhook, read, ['url']) : webhook,
  );
  return { ...entry, alerting: { ...alerting, channels: { ...channels, webhooks } } };
}

/** Resolves the members that name a variable; a member whose variable is not set is omitted. */
function withVariables(
  object: Record<string, unknown>,
  read: ReadVariable,
  members: readonly string[] = Object.keys(object),
): Record<string, unknown> {
  const filled = Object.entries(object).map(([name, value]) => [
    name,
    members.includes(name) && isNamed(value) ? read(value.env) : value,
  ]);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

/** Rejects secrets in clear: the file is reviewed and stored. */
function refuseClear(raw: Record<string, unknown>): void {
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  const member = (value: unknown, name: string) => (isObject(value) ? value[name] : undefined);
  const refuse = (pointer: string): never => {
    throw new ConfigError(`${pointer} is a secret: name an environment variable, {env: NAME}`);
  };
  for (const [at, provider] of list(raw.providers).entries()) {
    for (const [name, value] of Object.entries(member(provider, 'provider_settings') ?? {})) {
      const isSecret = SECRET_SETTINGS.includes(name as SettingName);
      if (isSecret && !isNamed(value)) {
        refuse(`/providers/${at}/provider_settings/${escapePointer(name)}`);
      }
    }
  }
  for (const [at, app] of list(raw.apps).entries()) {
    const webhooks = list(member(member(member(app, 'alerting'), 'channels'), 'webhooks'));
    for (const [i, webhook] of webhooks.entries()) {
      const url = member(webhook, 'url');
      if (url !== undefined && !isNamed(url)) {
        refuse(`/apps/${at}/alerting/channels/webhooks/${i}/url`);
      }
    }
  }
}
