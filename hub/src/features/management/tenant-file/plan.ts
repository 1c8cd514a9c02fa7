// What has to be done so that a tenant is as a file says. Pure: two readings in, steps out, in the order that works.
import { foldName } from '@gatewarden/shared/names.ts';
import { CONFIG_SECTIONS } from '@gatewarden/shared/wire/management/app-config.ts';
import { SECRET_SETTINGS, type SettingName } from '@gatewarden/shared/wire/management/providers.ts';
import { resolvePointer } from '../../../platform/http/json/json-pointer.ts';
import { configWithoutSecrets, differences, mergedConfig } from '../configuration/index.ts';
import {
  type FileApp,
  type FileKey,
  type FileProvider,
  nameOf,
  type OpenedFile,
} from './document.ts';
import type { LiveApp, LiveKey, LiveProvider, LiveTenant } from './read.ts';

export interface Change {
  /** JSON pointer below the resource. */
  field: string;
  /** Left out where there was, or will be, nothing. */
  before?: unknown;
  after?: unknown;
}

interface Common {
  action: 'create' | 'update' | 'delete';
  /** Such as `app Support` or `prompt greeting of app Support`. */
  resource: string;
  changes: Change[];
  /** Secrets are sent along: whether they change anything, only the hub can tell. */
  secrets: number;
}
export type Step = Common &
  (
    | { kind: 'provider'; label: string; version: string | null; body: Record<string, unknown> }
    | { kind: 'app'; app: string; version: string | null; body: Record<string, unknown> }
    | {
        kind: 'prompt';
        app: string;
        /** Of the app, whose version prompts move; null of one that is new. */
        version: string | null;
        promptId: string;
        content: string | null;
      }
    | {
        kind: 'key';
        app: string;
        key: LiveKey | null;
        body: { name: string; expires_at: string | null };
      }
  );

/** The steps of one kind. */
export type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

export interface Plan {
  steps: Step[];
  /** What the tenant has and the file does not name: left as it is. */
  unmanaged: string[];
}

/** What applying a file would change, as it is told. */
export interface Difference {
  in_sync: boolean;
  changes: { resource: string; action: Step['action']; fields: Change[]; secrets: number }[];
  /** What the tenant has and the file does not name: it stays as it is. */
  unmanaged: string[];
  /** Variables of the file that are not set: the secrets in their place stay as they are. */
  unset: string[];
}

/** What a file asks for and cannot be done, in one line. */
export class PlanError extends Error {}

/** Throws PlanError. `now` tells which keys of the file are over. */
export function planOf(live: LiveTenant, file: OpenedFile, now: Date): Plan {
  const providers = new Map(live.providers.map((one) => [one.label, one]));
  const apps = new Map(live.apps.map((one) => [foldName(one.name), one]));
  const ambiguous = new Set(live.ambiguous.map(foldName));
  const first: Step[] = [];
  const last: Step[] = [];
  const used = new Set(file.apps.flatMap((one) => one.provider_labels ?? []));
  for (const wanted of file.providers) {
    const step = providerStep(wanted, providers.get(wanted.label) ?? null, file);
    if (step === null) continue;
    // What an app still uses is disabled after the app was changed; what it comes to use is enabled before.
    const disables =
      step.body.enabled === false && (step.action === 'update' || used.has(step.label));
    if (!disables) {
      first.push(step);
      continue;
    }
    const { enabled: _enabled, ...rest } = step.body;
    const isLater = (change: Change) => change.field === '/enabled';
    const others = step.changes.filter((change) => !isLater(change));
    if (others.length > 0 || step.secrets > 0) {
      first.push({ ...step, changes: others, body: rest });
    }
    const later = step.changes.filter(isLater);
    if (later.length > 0) {
      const body = { enabled: false };
      last.push({ ...step, action: 'update', changes: later, secrets: 0, body });
    }
  }
  const middle = file.apps.flatMap((wanted) => {
    if (ambiguous.has(foldName(wanted.name))) {
      throw new PlanError(`${nameOf('apps', wanted)}: several apps have this name`);
    }
    return appSteps(wanted, apps.get(foldName(wanted.name)) ?? null, file, now);
  });
  return { steps: [...first, ...middle, ...last], unmanaged: unmanagedOf(live, file) };
}

function unmanagedOf(live: LiveTenant, file: OpenedFile): string[] {
  const labels = new Set(file.providers.map((one) => one.label));
  const names = new Map(file.apps.map((one) => [foldName(one.name), one]));
  return [
    ...live.providers
      .filter((one) => !labels.has(one.label))
      .map((one) => nameOf('providers', one)),
    ...live.apps.flatMap((one) => {
      const app = names.get(foldName(one.name));
      if (app === undefined) return [nameOf('apps', one)];
      const keys = new Set((app.keys ?? []).map((key) => foldName(key.name)));
      return app.keys === undefined
        ? []
        : one.keys
            .filter((key) => !key.isExpired && !keys.has(foldName(key.name)))
            .map((key) => `key ${key.name} of ${nameOf('apps', one)}`);
    }),
    ...live.ambiguous.map((name) => `app ${name} (several)`),
  ];
}

function providerStep(
  wanted: FileProvider,
  live: LiveProvider | null,
  file: OpenedFile,
): StepOf<'provider'> | null {
  const resource = nameOf('providers', wanted);
  const secrets = file.given.get(resource) ?? 0;
  const { label, provider_name, ...fields } = wanted;
  if (live === null) {
    refuseUnset(resource, file);
    return {
      kind: 'provider',
      action: 'create',
      resource,
      label,
      version: null,
      secrets,
      body: { ...wanted },
      changes: changesBetween({}, visible(wanted)),
    };
  }
  if (live.provider_name !== provider_name) {
    throw new PlanError(
      `${resource} is of the type ${live.provider_name} and cannot become ${provider_name}`,
    );
  }
  const after: Record<string, unknown> = { ...visibleOf(live) };
  for (const [name, value] of Object.entries(visible(fields))) {
    if (name === 'provider_settings') {
      after[name] = { ...live.provider_settings, ...(value as object) };
    } else if (name === 'model_costs') after[name] = costs(live.model_costs, value as object);
    else after[name] = value;
  }
  const changes = changesBetween(visibleOf(live), after);
  if (changes.length === 0 && secrets === 0) return null;
  return {
    kind: 'provider',
    action: 'update',
    resource,
    label,
    version: live.version,
    secrets,
    body: fields,
    changes,
  };
}

/** Null in a map of costs takes that model's costs away. */
function costs(before: object, sent: object): object {
  const merged: Record<string, unknown> = { ...before };
  for (const [model, cost] of Object.entries(sent)) {
    if (cost === null) delete merged[model];
    else merged[model] = { ...(merged[model] as object | undefined), ...(cost as object) };
  }
  return merged;
}

const visibleOf = (live: LiveProvider): Record<string, unknown> => ({
  provider_settings: live.provider_settings,
  selected_models: live.selected_models,
  model_costs: live.model_costs,
  enabled: live.enabled,
});

/** Without the secrets, which no reading gives back. */
function visible(fields: Record<string, unknown>): Record<string, unknown> {
  const { provider_settings: settings, ...rest } = fields;
  if (settings === undefined) return rest;
  const open = Object.entries(settings as object).filter(
    ([name]) => !SECRET_SETTINGS.includes(name as SettingName),
  );
  return { ...rest, provider_settings: Object.fromEntries(open) };
}

function appSteps(wanted: FileApp, live: LiveApp | null, file: OpenedFile, now: Date): Step[] {
  const { name, mode, keys: named, prompt_templates: templates, ...fields } = wanted;
  const active = new Set(
    live?.keys.filter((key) => !key.isExpired).map((key) => foldName(key.name)),
  );
  // A key whose end has passed is as the file says, whether it is still listed or not: no hub would make it.
  const keys = named?.filter(
    ({ name: key, expires_at: end }) =>
      end == null || Date.parse(end) > +now || active.has(foldName(key)),
  );
  const resource = nameOf('apps', wanted);
  const secrets = file.given.get(resource) ?? 0;
  const steps: Step[] = [];
  if (live === null) {
    refuseUnset(resource, file);
    const [initial] = keys ?? [];
    steps.push({
      kind: 'app',
      action: 'create',
      resource,
      app: name,
      version: null,
      secrets,
      body: { ...fields, name, ...(mode === undefined ? {} : { mode }), ...initialKey(initial) },
      changes: changesBetween({}, { mode: mode ?? 'gateway', ...openFields(fields) }),
    });
  } else {
    if (mode !== undefined && mode !== live.mode) {
      throw new PlanError(`${resource} has the mode ${live.mode} and cannot become ${mode}`);
    }
    const changes = changesBetween(fieldsOf(live), patchedFields(live, fields));
    if (changes.length > 0 || secrets > 0) {
      const { version } = live;
      steps.push({
        kind: 'app',
        action: 'update',
        resource,
        app: name,
        version,
        secrets,
        body: fields,
        changes,
      });
    }
  }
  const made = live === null ? (keys ?? []).slice(0, 1).map((key) => foldName(key.name)) : [];
  return [
    ...steps,
    ...keySteps(wanted, keys ?? [], live, made),
    ...templateSteps(wanted, live, templates),
  ];
}

function keySteps(
  wanted: FileApp,
  keys: readonly FileKey[],
  live: LiveApp | null,
  made: string[],
): Step[] {
  return keys.flatMap((key): Step[] => {
    const folded = foldName(key.name);
    if (made.includes(folded)) return [];
    const found = live?.keys.find((one) => foldName(one.name) === folded) ?? null;
    const body = { name: key.name, expires_at: key.expires_at ?? null };
    const before = found === null ? {} : { expires_at: found.expires_at };
    const isSame =
      found !== null &&
      (key.expires_at === undefined || sameTime(found.expires_at, body.expires_at));
    if (isSame) return [];
    const resource = `key ${key.name} of ${nameOf('apps', wanted)}`;
    if (found?.isExpired === true) {
      throw new PlanError(`${resource} has expired: revoke it, and a new one is made`);
    }
    return [
      {
        kind: 'key',
        action: found === null ? 'create' : 'update',
        resource,
        app: wanted.name,
        key: found,
        secrets: 0,
        body,
        changes: changesBetween(before, { expires_at: body.expires_at }),
      },
    ];
  });
}

function templateSteps(
  wanted: FileApp,
  live: LiveApp | null,
  templates: FileApp['prompt_templates'],
): Step[] {
  if (templates === undefined) return [];
  const before = new Map((live?.templates ?? []).map((one) => [one.prompt_id, one.content]));
  const after = new Map(templates.map((one) => [one.prompt_id, one.content]));
  const step = (promptId: string, action: Step['action']): Step => ({
    kind: 'prompt',
    action,
    resource: `prompt ${promptId} of ${nameOf('apps', wanted)}`,
    app: wanted.name,
    version: live?.version ?? null,
    promptId,
    content: after.get(promptId) ?? null,
    secrets: 0,
    changes: changesBetween(
      before.has(promptId) ? { content: before.get(promptId) } : {},
      after.has(promptId) ? { content: after.get(promptId) } : {},
    ),
  });
  return [
    ...[...after]
      .filter(([id, content]) => before.get(id) !== content)
      .map(([id]) => step(id, before.has(id) ? 'update' : 'create')),
    ...[...before.keys()].filter((id) => !after.has(id)).map((id) => step(id, 'delete')),
  ];
}

const initialKey = (key: { name: string; expires_at?: string | null } | undefined) =>
  key === undefined ? {} : { initial_key: { name: key.name, expires_at: key.expires_at ?? null } };

const fieldsOf = (live: LiveApp): Record<string, unknown> => ({
  enabled: live.enabled,
  tags: live.tags,
  ...(live.isLegacy ? {} : { provider_labels: live.provider_labels }),
  ...live.config,
});

/** What the app will read as once the hub has taken these fields. */
function patchedFields(live: LiveApp, fields: Record<string, unknown>): Record<string, unknown> {
  const sections = sectionsIn(fields);
  const others = Object.entries(fields).filter(([name]) => !(name in sections));
  return {
    ...fieldsOf(live),
    ...Object.fromEntries(others),
    ...configWithoutSecrets(mergedConfig(live.config, sections)),
  };
}

function openFields(fields: Record<string, unknown>): Record<string, unknown> {
  const sections = sectionsIn(fields);
  return { ...fields, ...configWithoutSecrets(mergedConfig({}, sections)) };
}

function sectionsIn(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => Object.hasOwn(CONFIG_SECTIONS, name)),
  );
}

function refuseUnset(resource: string, file: OpenedFile): void {
  const [missing] = file.unset.get(resource) ?? [];
  if (missing === undefined) return;
  throw new PlanError(`${resource} is new and needs the environment variable ${missing}`);
}

function changesBetween(before: object, after: object): Change[] {
  return differences(before, after).map((field) => {
    const was = resolvePointer(before, field);
    const is = resolvePointer(after, field);
    return {
      field,
      ...(was == null ? {} : { before: was }),
      ...(is == null ? {} : { after: is }),
    };
  });
}

const sameTime = (a: string | null, b: string | null) =>
  a === b || (a !== null && b !== null && Date.parse(a) === Date.parse(b));
