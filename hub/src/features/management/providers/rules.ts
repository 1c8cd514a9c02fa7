// Validates shared providers and merges their changes. Pure.
import { isIP } from 'node:net';
import { requirementsOf } from '@gatewarden/shared/provider-types.ts';
import {
  ADDRESS_SETTINGS,
  MAX_MODEL_COSTS,
  type ModelCost,
  type Provider,
  type ProviderInput,
  type ProviderPatch,
  type ProviderSettings,
  type ProviderSettingsPatch,
  type ProviderType,
  SECRET_SETTINGS,
  type SettingName,
} from '@gatewarden/shared/wire/management/providers.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { rejectDuplicateKeys } from '../../../platform/http/json/duplicate-keys.ts';
import { pointerPart } from '../../../platform/http/json/json-pointer.ts';
import { isPublicAddress } from '../../../platform/http/outbound/outbound.ts';
import { etagOf } from '../../../platform/http/server/etag.ts';
import { unixSeconds } from '../../../platform/http/server/expiry.ts';

/** A provider with all its values and secrets in clear: only ever in memory. */
export interface ProviderDraft {
  label: string;
  provider_name: ProviderType;
  enabled: boolean;
  settings: ProviderSettings;
  secrets: ProviderSettings;
  selected_models: string[];
  model_costs: Record<string, ModelCost>;
}

/** A provider as it is stored. */
export interface ProviderRow {
  label: string;
  provider_name: ProviderType;
  enabled: boolean;
  settings: ProviderSettings;
  sealed_settings: string | null;
  selected_models: string[];
  model_costs: Record<string, ModelCost>;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** Rejects settings that no provider may have. Throws 400 with a pointer. */
export function checkSettings(sent: ProviderSettingsPatch): void {
  const at = (name: SettingName) => `/provider_settings/${name}`;
  for (const name of SECRET_SETTINGS) {
    const value = sent[name];
    if (value !== undefined && value !== null && isPlaceholder(String(value))) {
      throw invalid(at(name), 'is a placeholder, not a secret');
    }
  }
  for (const name of ADDRESS_SETTINGS) {
    const url = sent[name];
    if (typeof url === 'string') checkEndpoint(url, at(name));
  }
  if (typeof sent.service_account_json === 'string') {
    checkServiceAccount(sent.service_account_json, at('service_account_json'));
  }
}

/** Validates a new provider. Throws 400 with a pointer. */
export function newProvider(input: ProviderInput): ProviderDraft {
  const label = input.label.trim();
  if (label === '') throw invalid('/label', 'must not be blank');
  if (label === '.' || label === '..') {
    throw invalid('/label', 'must not be . or ..: clients take such a path apart');
  }
  checkSettings(input.provider_settings ?? {});
  const draft = changed(
    {
      label,
      provider_name: input.provider_name,
      enabled: true,
      settings: {},
      secrets: {},
      selected_models: [],
      model_costs: {},
    },
    input,
  );
  check(draft, input);
  return draft;
}

/** Merges a patch whose settings were validated; omitted fields keep their values. Throws 400 with a pointer. */
export function patchedProvider(before: ProviderDraft, patch: ProviderPatch): ProviderDraft {
  if (patch.label !== undefined && patch.label.trim() !== before.label) {
    throw invalid('/label', 'cannot be changed');
  }
  if (patch.provider_name !== undefined && patch.provider_name !== before.provider_name) {
    throw invalid('/provider_name', 'cannot be changed');
  }
  const after = changed(before, patch);
  check(after, patch);
  return after;
}

function changed(before: ProviderDraft, patch: Omit<ProviderPatch, 'label'>): ProviderDraft {
  const sent = patch.provider_settings ?? {};
  const stored = withoutFormerMode(before, sent);
  const merged = Object.entries({ ...stored, ...sent }).filter(([, value]) => value !== null);
  const isSecret = ([name]: [string, unknown]) => SECRET_SETTINGS.includes(name as SettingName);
  return {
    ...before,
    enabled: patch.enabled ?? before.enabled,
    settings: Object.fromEntries(merged.filter((pair) => !isSecret(pair))),
    secrets: Object.fromEntries(merged.filter(isSecret)),
    selected_models: patch.selected_models ?? before.selected_models,
    model_costs: mergedCosts(before.model_costs, patch.model_costs ?? {}),
  };
}

/**
 * Returns the stored settings that survive the change. Another mode of authentication starts without the settings and
 * credentials of the previous mode: credentials that were replaced must not become active again unnoticed.
 */
function withoutFormerMode(
  { provider_name: type, settings, secrets }: ProviderDraft,
  sent: ProviderSettingsPatch,
): ProviderSettings {
  const stored: ProviderSettings = { ...settings, ...secrets };
  const merged = Object.entries({ ...stored, ...sent }).filter(([, value]) => value !== null);
  const former = requirementsOf(type, stored);
  const next = requirementsOf(type, Object.fromEntries(merged));
  if ('unknownMode' in former || 'unknownMode' in next || former.mode === next.mode) return stored;
  const kept = Object.entries(stored).filter(
    ([name]) => !former.ofMode.includes(name as SettingName),
  );
  return Object.fromEntries(kept);
}

/** Detects a mask that a page shows instead of a secret, sent back by mistake. */
function isPlaceholder(text: string): boolean {
  return /^[*•·●x.]{3,}$/i.test(text) || /^[<[{(]?redacted[>\]})]?$/i.test(text);
}

function mergedCosts(
  before: Record<string, ModelCost>,
  patch: Record<string, ModelCost | null>,
): Record<string, ModelCost> {
  const after = { ...before };
  for (const [model, cost] of Object.entries(patch)) {
    if (cost === null) {
      delete after[model];
      continue;
    }
    const merged = { ...after[model], ...cost };
    const kept = Object.entries(merged).filter(([, price]) => price !== null);
    if (kept.length === 0) delete after[model];
    else after[model] = Object.fromEntries(kept);
  }
  // A stored map above the bound of a request may remain; it may not grow further.
  const most = Math.max(MAX_MODEL_COSTS, Object.keys(before).length);
  if (Object.keys(after).length > most) {
    throw invalid(
      '/model_costs',
      `must not have more than ${MAX_MODEL_COSTS} entries, including stored ones`,
    );
  }
  return after;
}

/**
 * Validates the merged settings. Secrets of another mode and costs of other models are rejected in a request, and
 * dropped from stored values.
 */
function check(
  draft: ProviderDraft,
  sent: Pick<ProviderPatch, 'provider_settings' | 'model_costs'>,
): void {
  const all = { ...draft.settings, ...draft.secrets };
  const needs = requirementsOf(draft.provider_name, all);
  const at = (name: SettingName) => `/provider_settings/${name}`;
  if ('unknownMode' in needs) {
    throw invalid(at(needs.unknownMode), `must be one of: ${needs.offered.join(', ')}`);
  }
  for (const name of Object.keys(draft.secrets) as SettingName[]) {
    if (needs.credentials.includes(name)) continue;
    if (Object.hasOwn(sent.provider_settings ?? {}, name)) {
      throw invalid(at(name), `is no credential of ${draft.provider_name} with ${needs.mode}`);
    }
    delete draft.secrets[name];
  }
  const missing = needs.required.find((name) => all[name] === undefined);
  if (missing !== undefined) {
    throw invalid(at(missing), `is required for ${draft.provider_name} with ${needs.mode}`);
  }
  for (const model of Object.keys(draft.model_costs)) {
    const isSelected = draft.selected_models.length === 0 || draft.selected_models.includes(model);
    if (isSelected) continue;
    if (Object.hasOwn(sent.model_costs ?? {}, model)) {
      throw invalid(`/model_costs/${pointerPart(model)}`, 'is not one of the selected models');
    }
    delete draft.model_costs[model];
  }
}

/**
 * Private endpoints are stored, because nodes may be in networks that the hub cannot reach; only the explicit test
 * rejects them.
 */
function checkEndpoint(text: string, pointer: string): void {
  // Parsers of URLs differ for these characters: some see another host than the reviewed host.
  if (!/^https?:\/\/(?!\/)/i.test(text) || /[\s\\\p{Cc}]/u.test(text)) {
    throw invalid(pointer, 'must begin with https:// or http:// and contain no spaces or \\');
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === '') throw invalid(pointer, 'is not a valid URL');
  if (url.username !== '' || url.password !== '') {
    throw invalid(pointer, 'must not contain a user name or password');
  }
  // Paths are appended to the endpoint: they would become part of these.
  if (/[?#]/.test(text)) throw invalid(pointer, 'must not contain a query or a fragment');
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol === 'http:' && isIP(bare) !== 0 && isPublicAddress(bare)) {
    throw invalid(pointer, 'must begin with https:// (http is for private networks)');
  }
}

/** Hosts of the vendor to which signed assertions of a service account may be sent. */
const TOKEN_HOSTS = ['oauth2.googleapis.com', 'accounts.google.com', 'www.googleapis.com'];

/** A caller who sets `token_uri` freely would receive signed assertions. */
function checkServiceAccount(text: string, pointer: string): void {
  let account: unknown;
  try {
    account = JSON.parse(text);
    // Parsers differ in which duplicate they use, and only a single value was validated here.
    rejectDuplicateKeys(text);
  } catch {
    throw invalid(pointer, 'must be a service account document as JSON, without duplicate names');
  }
  const { type, token_uri } = (account ?? {}) as { type?: unknown; token_uri?: unknown };
  if (type !== 'service_account') throw invalid(pointer, 'must be of the type service_account');
  const url = typeof token_uri === 'string' && URL.canParse(token_uri) ? new URL(token_uri) : null;
  const isVendors =
    url !== null &&
    url.protocol === 'https:' &&
    `${url.username}${url.password}${url.port}` === '' &&
    TOKEN_HOSTS.includes(url.hostname);
  if (!isVendors) throw invalid(pointer, "must have a token_uri on the vendor's hosts");
}

/** Returns whether nothing would be written. */
export function sameProvider(a: ProviderDraft, b: ProviderDraft): boolean {
  const key = ({ label: _label, ...rest }: ProviderDraft) => JSON.stringify(sorted(rest));
  return key(a) === key(b);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

/** Returns unchanged credentials that would be sent to a changed endpoint: a reviewer must see them. */
export function endpointMoved(before: ProviderDraft, after: ProviderDraft): boolean {
  const originOf = (draft: ProviderDraft) =>
    ADDRESS_SETTINGS.map((name) => {
      const url = draft.settings[name];
      return typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : null;
    });
  const kept = Object.entries(before.secrets).some(
    ([name, value]) => after.secrets[name as SettingName] === value,
  );
  return kept && originOf(before).join() !== originOf(after).join();
}

/** Returns the provider as users and automation read it. */
export function wireProvider(row: ProviderRow): Provider {
  return {
    label: row.label,
    provider_name: row.provider_name,
    provider_settings: row.settings,
    selected_models: row.selected_models,
    model_costs: row.model_costs,
    enabled: row.enabled,
    credential_configured: row.sealed_settings !== null,
    created_at: unixSeconds(row.created_at),
    updated_at: unixSeconds(row.updated_at),
    version: etagOf(row.version),
  };
}

function invalid(pointer: string, words: string): HubError {
  return new HubError('invalid_request', `${pointer} ${words}`);
}
