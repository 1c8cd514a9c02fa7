// Plans the steps that make a tenant equal to a file. Pure: two snapshots in, steps in a valid order out.
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
  /** Omitted if the field was, or will be, absent. */
  before?: unknown;
  after?: unknown;
}

interface Common {
  action: 'create' | 'update' | 'delete';
  /** The resource, such as `app Support` or `prompt greeting of app Support`. */
  resource: string;
  changes: Change[];
  /** Secrets are sent along: only the hub knows whether they change anything. */
  secrets: number;
}
export type Step = Common &
  (
    | { kind: 'provider'; label: string; version: string | null; body: Record<string, unknown> }
    | {
        kind: 'app';
        app: string;
        version: string | null;
        body: Record<string, unknown>;
        /** A key of the file that is created with a new app, without a step of its own. */
        initialKey?: FileKey | undefined;
      }
    | {
        kind: 'prompt';
        app: string;
        /** The version of the app, which prompts increment; null for a new app. */
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

/** The steps of a kind. */
export type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

export interface Plan {
  steps: Step[];
  /** Resources of the tenant that the file does not name: left unchanged. */
  unmanaged: string[];
}

/** The changes of applying a file, in words. */
export interface Difference {
  in_sync: boolean;
  changes: { resource: string; action: Step['action']; fields: Change[]; secrets: number }[];
  /** Resources of the tenant that the file does not name: they stay unchanged. */
  unmanaged: string[];
  /** Variables of the file that are not set: the secrets in their place stay unchanged. */
  unset: string[];
}

/** A file that cannot be applied; the message is a single line. */
export class PlanError extends Error {}

/** Plans the steps. `now` decides which keys of the file have expired. Throws PlanError. */
export function planOf(live: LiveTenant, file: OpenedFile, now: Date): Plan {
  const providers = new Map(live.providers.map((provider) => [provider.label, provider]));
  const apps = new Map(live.apps.map((app) => [foldName(app.name), app]));
  const ambiguous = new Set(live.ambiguous.map(foldName));
  const first: Step[] = [];
  const last: Step[] = [];
  const used = new Set(file.apps.flatMap((app) => app.provider_labels ?? []));
  for (const wanted of file.providers) {
    const step = providerStep(wanted, providers.get(wanted.label) ?? null, file);
    if (step === null) continue;
    // A provider in use is disabled after the app was changed, and enabled before an app uses it.
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
  const labels = new Set([...providers.keys(), ...file.providers.map(({ label }) => label)]);
  const middle = file.apps.flatMap((wanted) => {
    rejectUnknownLabels(wanted, apps.get(foldName(wanted.name)) ?? null, labels);
    if (ambiguous.has(foldName(wanted.name))) {
      throw new PlanError(`${nameOf('apps', wanted)}: several apps have this name`);
    }
    return appSteps(wanted, apps.get(foldName(wanted.name)) ?? null, file, now);
  });
  return { steps: [...first, ...middle, ...last], unmanaged: unmanagedOf(live, file) };
}

/** Throws PlanError if the app refers to a provider that neither the file nor the tenant has. */
function rejectUnknownLabels(
  wanted: FileApp,
  live: LiveApp | null,
  labels: ReadonlySet<string>,
): void {
  const unknown = wanted.provider_labels?.find(
    (label) => !labels.has(label) && !live?.provider_labels.includes(label),
  );
  if (unknown === undefined) return;
  throw new PlanError(
    `${nameOf('apps', wanted)}: provider_labels names ${unknown}, and neither the file nor the tenant has this provider`,
  );
}

function unmanagedOf(live: LiveTenant, file: OpenedFile): string[] {
  const labels = new Set(file.providers.map((provider) => provider.label));
  const names = new Map(file.apps.map((app) => [foldName(app.name), app]));
  return [
    ...live.providers
      .filter((provider) => !labels.has(provider.label))
      .map((provider) => nameOf('providers', provider)),
    ...live.apps.flatMap((liveApp) => {
      const app = names.get(foldName(liveApp.name));
      if (app === undefined) return [nameOf('apps', liveApp)];
      const keys = new Set((app.keys ?? []).map((key) => foldName(key.name)));
      return app.keys === undefined
        ? []
        : liveApp.keys
            .filter((key) => !key.isExpired && !keys.has(foldName(key.name)))
            .map((key) => `key ${key.name} of ${nameOf('apps', liveApp)}`);
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

/** Null in a map of costs removes that model's costs. */
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

/** Returns the provider without secrets, which no read returns. */
function visible(fields: Record<string, unknown>): Record<string, unknown> {
  const { provider_settings: settings, ...rest } = fields;
  if (settings === undefined) return rest;
  const open = Object.entries(settings as object).filter(
    ([name]) => !SECRET_SETTINGS.includes(name as SettingName),
  );
  return { ...rest, provider_settings: Object.fromEntries(open) };
}

function appSteps(wanted: FileApp, live: LiveApp | null, file: OpenedFile, now: Date): Step[] {
  const keys = currentKeys(wanted.keys ?? [], live, now);
  const steps =
    live === null ? [createStep(wanted, keys[0], file)] : updateSteps(wanted, live, file);
  const created = live === null ? keys.slice(0, 1).map((key) => foldName(key.name)) : [];
  return [
    ...steps,
    ...keySteps(wanted, keys, live, created),
    ...templateSteps(wanted, live, wanted.prompt_templates),
  ];
}

/** Returns the keys to plan. An expired key conforms to the file, listed or not: no hub would create it. */
function currentKeys(keys: readonly FileKey[], live: LiveApp | null, now: Date): FileKey[] {
  const active = new Set(
    live?.keys.filter((key) => !key.isExpired).map((key) => foldName(key.name)),
  );
  return keys.filter(
    ({ name, expires_at: end }) =>
      end == null || Date.parse(end) > +now || active.has(foldName(name)),
  );
}

function createStep(wanted: FileApp, initial: FileKey | undefined, file: OpenedFile): Step {
  const { name, mode, keys: _keys, prompt_templates: _templates, ...fields } = wanted;
  const resource = nameOf('apps', wanted);
  refuseUnset(resource, file);
  return {
    kind: 'app',
    action: 'create',
    resource,
    app: name,
    version: null,
    secrets: file.given.get(resource) ?? 0,
    body: { ...fields, name, ...(mode === undefined ? {} : { mode }), ...initialKey(initial) },
    changes: changesBetween({}, { mode: mode ?? 'gateway', ...openFields(fields) }),
    initialKey: initial,
  };
}

/** Returns the update of an app, or nothing if the file changes no field. Throws PlanError for another mode. */
function updateSteps(wanted: FileApp, live: LiveApp, file: OpenedFile): Step[] {
  const { name, mode, keys: _keys, prompt_templates: _templates, ...fields } = wanted;
  const resource = nameOf('apps', wanted);
  if (mode !== undefined && mode !== live.mode) {
    throw new PlanError(`${resource} has the mode ${live.mode} and cannot become ${mode}`);
  }
  const secrets = file.given.get(resource) ?? 0;
  const changes = changesBetween(fieldsOf(live), patchedFields(live, fields));
  if (changes.length === 0 && secrets === 0) return [];
  const { version } = live;
  return [
    { kind: 'app', action: 'update', resource, app: name, version, secrets, body: fields, changes },
  ];
}

function keyResource(key: { name: string }, app: { name: string }): string {
  return `key ${key.name} of ${nameOf('apps', app)}`;
}

/** Returns the changes of the plan in words; a key that is created with its app is listed after the app. */
export function describeChanges(steps: readonly Step[]): Difference['changes'] {
  return steps.flatMap((step) => {
    const { resource, action, changes: fields, secrets } = step;
    const change = { resource, action, fields, secrets };
    if (step.kind !== 'app' || step.initialKey === undefined) return [change];
    const { initialKey: key } = step;
    const keyFields = changesBetween({}, { expires_at: key.expires_at ?? null });
    const created = keyResource(key, { name: step.app });
    return [change, { resource: created, action, fields: keyFields, secrets: 0 }];
  });
}

function keySteps(
  wanted: FileApp,
  keys: readonly FileKey[],
  live: LiveApp | null,
  created: string[],
): Step[] {
  return keys.flatMap((key): Step[] => {
    const folded = foldName(key.name);
    if (created.includes(folded)) return [];
    const found = live?.keys.find((candidate) => foldName(candidate.name) === folded) ?? null;
    const body = { name: key.name, expires_at: key.expires_at ?? null };
    const before = found === null ? {} : { expires_at: found.expires_at };
    const isSame =
      found !== null &&
      (key.expires_at === undefined || sameTime(found.expires_at, body.expires_at));
    if (isSame) return [];
    const resource = keyResource(key, wanted);
    if (found?.isExpired === true) {
      throw new PlanError(`${resource} has expired: revoke it, and a new key is created`);
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
  const before = new Map(
    (live?.templates ?? []).map((template) => [template.prompt_id, template.content]),
  );
  const after = new Map(templates.map((template) => [template.prompt_id, template.content]));
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

/** Returns the app as it will read after the hub accepted these fields. */
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
