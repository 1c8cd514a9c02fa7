// The rules of an app's configuration and of its changes. Pure.
import type { AppMode, AppPatch } from '@gatewarden/shared/wire/management/app-config.ts';
import { CONFIG_SECTIONS, MAX_ITEMS } from '@gatewarden/shared/wire/management/app-config.ts';
import type { AppWire, PolicyAuthority, Warning } from '@gatewarden/shared/wire/management/apps.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { etagOf } from '../../../platform/http/server/etag.ts';
import { unixSeconds } from '../../../platform/http/server/expiry.ts';
import {
  checkConfig,
  checkRoom,
  checkTargets,
  configWithoutSecrets,
  differences,
  GOVERNED_SECTIONS,
  mergedConfig,
  type ProviderFacts,
  type References,
  rolledBack,
  type Webhook,
  webhooksOf,
  webhookUrls,
} from '../configuration/index.ts';
import type { AppRow, InlineProvider } from './store.ts';

/** An app with everything that a change may affect; webhook URLs in clear, only ever in memory. */
export interface AppDraft {
  mode: AppMode;
  enabled: boolean;
  provider_labels: string[];
  tags: string[];
  config: Record<string, unknown>;
  urls: Record<string, string>;
  inline_providers: InlineProvider[] | null;
}

export type SectionPatch = AppPatch;

export const sectionsOf = (patch: object): string[] =>
  Object.keys(patch).filter((name) => Object.hasOwn(CONFIG_SECTIONS, name));

/** The tenant's objects that a draft may refer to; `providers` by all labels that are attached or about to be. */
export type AppReferences = Omit<References, 'attached' | 'attachedBefore' | 'ownTypes'>;

/** Applies a patch and validates the result. Throws 400 with a pointer, and 409 for a conflict with the state. */
export function patchedApp(
  before: AppDraft,
  patch: SectionPatch,
  references: AppReferences,
  policy: PolicyAuthority,
): AppDraft {
  const sections = sectionsOf(patch);
  const urls = Object.hasOwn(patch, 'alerting')
    ? webhookUrls(webhooksOf(patch), before.urls)
    : before.urls;
  const after: AppDraft = {
    ...before,
    enabled: patch.enabled ?? before.enabled,
    tags: patch.tags ?? before.tags,
    provider_labels: before.provider_labels,
    config: configWithoutSecrets(mergedConfig(before.config, patch)),
    urls,
  };
  if (patch.provider_labels !== undefined) {
    relabel(after, before, patch.provider_labels, references, policy, '/provider_labels');
  }
  checkRoom(before.config, after.config, sections);
  checkConfig(after.config, sections, forApp(references, before, after), before.config);
  refuseDisabled(after, before, references);
  return after;
}

/** Returns the references, including the app's own routing targets now and before the change. */
function forApp(references: AppReferences, before: AppDraft, after: AppDraft): References {
  return {
    ...references,
    attached: after.provider_labels,
    attachedBefore: before.provider_labels,
    ownTypes: (after.inline_providers ?? []).map((provider) => provider.provider_name),
  };
}

/**
 * Changes the providers of the app. Throws 400 for unknown labels, 409 for a conflict with the state; `refuseDisabled`
 * checks whether a provider is disabled.
 */
export function relabel(
  after: AppDraft,
  before: AppDraft,
  wanted: readonly string[],
  references: AppReferences,
  policy: PolicyAuthority,
  pointer: string,
): void {
  if (sameList(before.provider_labels, wanted)) return;
  if (before.inline_providers !== null) throw new HubError('legacy_app');
  if (after.mode !== 'gateway') {
    if (wanted.length === 0) return;
    throw invalid(pointer, `must be omitted: apps in ${after.mode} mode don't use providers`);
  }
  if (wanted.length === 0) throw invalid(pointer, 'must not be empty: the app needs a provider');
  const added = wanted.filter((label) => !before.provider_labels.includes(label));
  for (const label of added) {
    if (references.providers.has(label)) continue;
    throw invalid(`${pointer}/${wanted.indexOf(label)}`, 'is not a shared provider of this tenant');
  }
  const removed = before.provider_labels.filter((label) => !wanted.includes(label));
  if (removed.length > 0 && policy.enabled) throw new HubError('policy_dependency');
  after.provider_labels = [...wanted];
  if (removed.length > 0) refuseRouted(after, before, references);
}

/**
 * Requires that newly attached providers are enabled. Checked last: an error of the request precedes an error of the
 * state.
 */
function refuseDisabled(after: AppDraft, before: AppDraft, references: AppReferences): void {
  for (const label of after.provider_labels) {
    if (before.provider_labels.includes(label)) continue;
    if (references.providers.get(label)?.enabled !== false) continue;
    throw new HubError('provider_dependency', `The provider "${label}" is disabled.`);
  }
}

/** Rejects the removal of providers that routing or limits refer to. */
function refuseRouted(after: AppDraft, before: AppDraft, references: AppReferences): void {
  const { routing } = after.config;
  if (!isObject(routing)) return;
  const former = before.config.routing;
  try {
    checkTargets(
      routing,
      '/routing',
      forApp(references, before, after),
      isObject(former) ? former : {},
    );
  } catch (error) {
    throw new HubError(
      'provider_dependency',
      `Routing uses this provider: ${(error as Error).message}.`,
    );
  }
}

/** Returns a new app. Throws like `patchedApp`. */
export function newApp(mode: AppMode, input: SectionPatch, references: AppReferences): AppDraft {
  const labels = input.provider_labels;
  if (mode === 'gateway' && (labels === undefined || labels.length === 0)) {
    throw invalid('/provider_labels', 'is required: apps in gateway mode need a provider');
  }
  if (mode !== 'gateway' && labels !== undefined) {
    throw invalid('/provider_labels', `must be omitted: apps in ${mode} mode don't use providers`);
  }
  const empty: AppDraft = {
    mode,
    enabled: true,
    provider_labels: [],
    tags: [],
    config: {},
    urls: {},
    inline_providers: null,
  };
  return patchedApp(empty, input, references, NO_POLICY);
}

const NO_POLICY: PolicyAuthority = { enabled: false, active_revision: null, active_checksum: null };

/** Attaches a provider, or promotes an attached provider. Throws 409 for a disabled provider. */
export function attached(
  before: AppDraft,
  provider: ProviderFacts,
  primary: boolean,
  references: AppReferences,
  policy: PolicyAuthority,
): AppDraft {
  const { label } = provider;
  const rest = before.provider_labels.filter((attached) => attached !== label);
  const isAttached = rest.length < before.provider_labels.length;
  const wanted = primary
    ? [label, ...rest]
    : isAttached
      ? before.provider_labels
      : [...rest, label];
  if (wanted.length > Math.max(MAX_ITEMS, before.provider_labels.length)) {
    throw new HubError('provider_dependency', `An app can have at most ${MAX_ITEMS} providers.`);
  }
  const after = { ...before };
  if (before.mode !== 'gateway') {
    throw new HubError('provider_dependency', `Apps in ${before.mode} mode don't use providers.`);
  }
  relabel(after, before, wanted, references, policy, '/provider_labels');
  refuseDisabled(after, before, references);
  return after;
}

/** Detaches a provider. Throws 409 for the last provider, a routed provider, or under policy authority. */
export function detached(
  before: AppDraft,
  label: string,
  references: AppReferences,
  policy: PolicyAuthority,
): AppDraft {
  if (policy.enabled) throw new HubError('policy_dependency');
  const wanted = before.provider_labels.filter((attached) => attached !== label);
  if (wanted.length === 0) {
    throw new HubError(
      'provider_dependency',
      "This is the app's last provider. Attach another provider first.",
    );
  }
  const after = { ...before };
  relabel(after, before, wanted, references, policy, '/provider_labels');
  return after;
}

/** Converts a legacy app to shared providers. Throws `not_a_legacy_app`. */
export function converted(
  before: AppDraft,
  input: { provider_labels: string[]; routing?: unknown },
  references: AppReferences,
  policy: PolicyAuthority,
): AppDraft {
  if (before.inline_providers === null) throw new HubError('not_a_legacy_app');
  const shared: AppDraft = { ...before, inline_providers: null };
  const { routing: own, ...config } = shared.config;
  // Existing routing names the app's own providers; targets that fit remain, and sent routing replaces them.
  const patch: SectionPatch = {
    provider_labels: input.provider_labels,
    routing: input.routing ?? own ?? {},
  };
  try {
    return patchedApp({ ...shared, config }, patch, references, policy);
  } catch (error) {
    const isOwn = input.routing === undefined && /^\/routing/.test((error as Error).message);
    if (!isOwn) throw error;
    throw new HubError(
      'provider_dependency',
      `The app's routing doesn't match its new providers. Send new routing. ${(error as Error).message}`,
    );
  }
}

/** Returns the draft after a rollback to a version's configuration, and what could not be restored. */
export function rolledBackApp(
  before: AppDraft,
  wanted: Record<string, unknown>,
  references: AppReferences,
  policy: PolicyAuthority,
): { after: AppDraft; warnings: Warning[] } {
  const config = rolledBack(before.config, wanted);
  const { alerting, warnings } = restoredAlerting(config.alerting, before.urls);
  if (alerting !== undefined) config.alerting = alerting;
  const urls = webhookUrls(webhooksOf(config), before.urls);
  const after: AppDraft = {
    ...before,
    enabled: typeof wanted.enabled === 'boolean' ? wanted.enabled : before.enabled,
    tags: Array.isArray(wanted.tags) ? (wanted.tags as string[]) : before.tags,
    config,
    urls,
  };
  const labels = wanted.provider_labels;
  const hasOwn = before.inline_providers !== null;
  if (Array.isArray(labels) && labels.length > 0 && !hasOwn) {
    conflictIfMissing(() =>
      relabel(after, before, labels as string[], references, policy, '/provider_labels'),
    );
  }
  conflictIfMissing(() =>
    checkConfig(config, Object.keys(config), forApp(references, before, after), before.config),
  );
  refuseDisabled(after, before, references);
  return { after, warnings };
}

/** Reports a reference to a deleted object as a conflict with the present, not as an error of the request. */
function conflictIfMissing(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'invalid_request') throw error;
    const isOfProviders = /^\/(routing|provider_labels|limits)\b/.test(error.message);
    throw new HubError(isOfProviders ? 'provider_dependency' : 'rollback_conflict', error.message);
  }
}

function restoredAlerting(
  alerting: unknown,
  urls: Readonly<Record<string, string>>,
): { alerting: unknown; warnings: Warning[] } {
  const webhooks = webhooksOf({ alerting });
  const lost = webhooks.filter(({ id }) => !Object.hasOwn(urls, id));
  if (lost.length === 0 || !isObject(alerting)) return { alerting, warnings: [] };
  const kept = webhooks.filter((webhook: Webhook) => !lost.includes(webhook));
  const channels = isObject(alerting.channels) ? alerting.channels : {};
  return {
    alerting: { ...alerting, channels: { ...channels, webhooks: kept } },
    warnings: lost.map(({ id }) => ({
      code: 'webhook_dropped',
      message: `The webhook "${id.slice(0, 200)}" was omitted: its URL isn't stored in the history.`,
    })),
  };
}

/** Returns the configuration to store in a version, without write-only values. */
export function snapshotOf(draft: AppDraft): Record<string, unknown> {
  const { enabled, tags, provider_labels, config } = draft;
  return { enabled, tags, provider_labels, ...config };
}

const WEBHOOKS = '/alerting/channels/webhooks';

/** Returns JSON pointers of the differences, including webhook URLs; empty if nothing would be written. */
export function changesOf(before: AppDraft, after: AppDraft): string[] {
  const changed = differences(snapshotOf(before), snapshotOf(after));
  const urls = Object.keys({ ...before.urls, ...after.urls }).some(
    (id) => before.urls[id] !== after.urls[id],
  );
  const isCovered = (pointer: string) =>
    pointer.startsWith(WEBHOOKS) || WEBHOOKS.startsWith(`${pointer}/`);
  if (urls && !changed.some(isCovered)) changed.push(WEBHOOKS);
  if (before.inline_providers !== after.inline_providers) changed.push('/inline_providers');
  return changed;
}

/** Returns the sections that were stored without effect while policy authority is enabled; undefined for none. */
export function inactiveOf(sections: readonly string[], policy: PolicyAuthority) {
  const fields = sections.filter((name) => GOVERNED_SECTIONS.includes(name)).sort();
  if (!policy.enabled || fields.length === 0) return undefined;
  return { fields, active_revision: policy.active_revision };
}

/** Returns the policy baseline of an app: models only of providers that are restricted to some. */
export function policyBaseline(
  draft: AppDraft,
  references: AppReferences,
  policy: PolicyAuthority,
) {
  if (!policy.enabled || draft.mode !== 'gateway') return null;
  const restricted = draft.provider_labels
    .map((label) => references.providers.get(label))
    .filter((provider) => provider !== undefined && provider.selected_models.length > 0);
  return {
    active_revision: policy.active_revision,
    config: snapshotOf(draft),
    allowed_models: restricted.map((provider) => ({
      provider_label: provider?.label,
      models: provider?.selected_models,
    })),
  };
}

/** Returns the app as users and automation read it. */
export function wireApp(row: AppRow, policy: PolicyAuthority): AppWire {
  return {
    app_id: row.app_id,
    name: row.name,
    mode: row.mode,
    enabled: row.enabled,
    version: etagOf(row.version),
    provider_labels: row.provider_labels,
    tags: row.tags,
    policy_authority: policy,
    ...(row.inline_providers === null ? {} : { inline_providers: row.inline_providers }),
    created_at: unixSeconds(row.created_at),
    updated_at: unixSeconds(row.updated_at),
    ...row.config,
  };
}

const sameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((item, i) => item === b[i]);

function invalid(pointer: string, words: string): HubError {
  return new HubError('invalid_request', `${pointer} ${words}`);
}
