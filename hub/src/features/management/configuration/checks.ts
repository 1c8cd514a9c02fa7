// Rules of a configuration beyond JSON Schema: references to objects of the tenant, and rules between fields. Pure.
import { createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { Category } from '@gatewarden/shared/detection-categories.ts';
import {
  CONFIG_SECTIONS,
  type ConfigSection,
  type Reference,
} from '@gatewarden/shared/wire/management/app-config.ts';
import ipaddr from 'ipaddr.js';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { escapePointer } from '../../../platform/http/json/json-pointer.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { isPublicAddress } from '../../../platform/http/outbound/outbound.ts';
import { type Attached, checkGroups, checkTargets } from './routing.ts';
import { type Node, walk } from './schema-walk.ts';
import { type Webhook, webhooksOf } from './secrets.ts';

/** The objects of the tenant that a configuration may refer to. */
export interface References extends Attached {
  categories: readonly Category[];
  definitions: ReadonlySet<string>;
  smartGroups: ReadonlySet<string>;
}

type Config = Readonly<Record<string, unknown>>;

/**
 * Validates the named sections of the merged configuration. Throws 400 with a pointer. References that existed in
 * `before` may remain: an import can remove a definition, a group or a category that an app names, which is no error of
 * a later unrelated change.
 */
export function checkConfig(
  config: Config,
  sections: readonly string[],
  references: References,
  before: Config,
): void {
  for (const name of sections) {
    const schema = CONFIG_SECTIONS[name as ConfigSection] as Node;
    const previousNames = namesIn(schema, before[name]);
    walk(schema, config[name], `/${name}`, (node, value, pointer) => {
      for (const reference of namesAt(node, value, pointer)) {
        if (
          reference.kind === 'provider' ||
          !previousNames.has(`${reference.kind} ${reference.name}`)
        )
          checkName(reference.kind, reference.name, reference.pointer, references);
      }
    });
    ALONE[name]?.(config[name], `/${name}`);
    CHECKS[name]?.(config[name], `/${name}`, references, before[name]);
  }
}

/** Validates the sections of a request independently of the app and its tenant. Throws 400 with a pointer. */
export function checkAlone(sent: Config): void {
  for (const [name, check] of Object.entries(ALONE)) check(sent[name], `/${name}`);
}

function invalid(pointer: string, words: string): HubError {
  return new HubError('invalid_request', `${pointer} ${words}`);
}

interface Named {
  kind: Reference;
  name: string;
  pointer: string;
}

function namesAt(node: Node, value: unknown, pointer: string): Named[] {
  const named = node['x-names'];
  const own =
    named !== undefined && typeof value === 'string' ? [{ kind: named, name: value, pointer }] : [];
  const keys = node['x-keys-name'];
  if (keys === undefined || !isObject(value)) return own;
  const ofKeys = Object.keys(value).map((name) => ({
    kind: keys,
    name,
    pointer: `${pointer}/${escapePointer(name)}`,
  }));
  return [...own, ...ofKeys];
}

/** Returns the references of a section, each with its kind and name. */
function namesIn(schema: Node, section: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  walk(schema, section, '', (node, value) => {
    for (const { kind, name } of namesAt(node, value, '')) found.add(`${kind} ${name}`);
  });
  return found;
}

const WORDS: Record<Reference, string> = {
  provider: 'is not a shared provider of this tenant',
  definition: 'is not a custom definition of this tenant',
  smart_group: 'is not a smart group of this tenant',
  category: 'is not a detection category',
  selector: 'is not a detection category or subcategory',
};

function checkName(
  kind: Reference,
  name: string,
  pointer: string,
  { categories, definitions, smartGroups, providers }: References,
): void {
  const isCategory = () => categories.some(({ id }) => id === name);
  const known = {
    provider: () => providers.has(name),
    definition: () => definitions.has(name),
    smart_group: () => smartGroups.has(name),
    category: isCategory,
    selector: () =>
      isCategory() || categories.some((category) => category.subcategories.includes(name)),
  }[kind]();
  if (!known) throw invalid(pointer, WORDS[kind]);
}

const ALONE: Record<string, (section: unknown, pointer: string) => void> = {
  detection: (section, pointer) => {
    if (!isObject(section)) return;
    checkUnique(section.custom_definitions, 'definition_id', `${pointer}/custom_definitions`);
  },
  smart_group_policies: (section, pointer) => checkUnique(section, 'group_name', pointer),
  routing: (section, pointer) => {
    if (isObject(section)) checkGroups(section, pointer);
  },
  access: (section, pointer) => {
    if (isObject(section)) checkAccess(section, pointer);
  },
  alerting: (section, pointer) => {
    const webhooks = webhooksOf({ alerting: section });
    const at = `${pointer}/channels/webhooks`;
    checkUnique(webhooks, 'id', at);
    for (const [i, { url }] of webhooks.entries()) {
      if (url !== undefined) checkWebhookUrl(url, `${at}/${i}/url`);
    }
  },
};

type Check = (section: unknown, pointer: string, references: References, before: unknown) => void;

const CHECKS: Record<string, Check> = {
  detection: (section, pointer, { categories }, before) => {
    if (isObject(section)) checkCategories(section, pointer, categories, before);
  },
  smart_group_policies: (section, pointer, { categories }, before) => {
    for (const [i, policy] of listOf(section).entries()) {
      const previous = listOf(before).find(
        (candidate) => candidate.group_name === policy.group_name,
      );
      checkCategories(policy, `${pointer}/${i}`, categories, previous);
    }
  },
  routing: (section, pointer, references, before) => {
    if (!isObject(section)) return;
    checkTargets(section, pointer, references, isObject(before) ? before : {});
  },
  access: (section, pointer) => {
    if (isObject(section) && isObject(section.jwt_auth)) {
      checkEnabledJwt(section.jwt_auth, `${pointer}/jwt_auth`);
    }
  },
};

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function checkUnique(items: unknown, member: string, pointer: string): void {
  const seen = new Set<unknown>();
  for (const [i, item] of listOf(items).entries()) {
    if (seen.has(item[member])) throw invalid(`${pointer}/${i}/${member}`, 'is a duplicate');
    seen.add(item[member]);
  }
}

/** Rejects actions, scopes and subcategories that a category does not offer, unless they existed before. */
function checkCategories(
  section: Record<string, unknown>,
  pointer: string,
  categories: readonly Category[],
  before: unknown,
): void {
  const byId = new Map(categories.map((category) => [category.id, category]));
  const each = (field: string, check: (category: Category, value: unknown, at: string) => void) => {
    const previous = isObject(before) && isObject(before[field]) ? before[field] : {};
    for (const [id, value] of Object.entries(isObject(section[field]) ? section[field] : {})) {
      const category = byId.get(id);
      if (category !== undefined && !isDeepStrictEqual(previous[id], value))
        check(category, value, `${pointer}/${field}/${escapePointer(id)}`);
    }
  };
  const allowed = (offered: readonly string[], value: unknown, at: string) => {
    if (!offered.includes(value as string)) {
      throw invalid(at, `must be one of: ${offered.join(', ')}`);
    }
  };
  const subcategories = (category: Category, value: unknown, at: string) => {
    for (const name of Object.keys(value as object)) {
      if (!category.subcategories.includes(name)) {
        throw invalid(`${at}/${escapePointer(name)}`, `is not a subcategory of ${category.id}`);
      }
    }
  };
  each('category_actions', (category, value, at) => allowed(category.actions, value, at));
  each('category_scopes', (category, value, at) => allowed(category.scopes, value, at));
  each('sub_category_sensitivities', subcategories);
  each('sub_category_actions', (category, value, at) => {
    subcategories(category, value, at);
    for (const [name, action] of Object.entries(value as object)) {
      allowed(category.actions, action, `${at}/${escapePointer(name)}`);
    }
  });
}

function checkAccess(section: Record<string, unknown>, pointer: string): void {
  const sources = section.allowed_source_ips;
  const isList = Array.isArray(sources);
  const ips = isList ? sources : isObject(sources) ? sources.ips : undefined;
  const at = `${pointer}/allowed_source_ips${isList ? '' : '/ips'}`;
  for (const [i, ip] of (Array.isArray(ips) ? ips : []).entries()) {
    if (!isAddressOrNetwork(ip)) {
      throw invalid(`${at}/${i}`, 'must be an IP address or a network such as 10.0.0.0/8');
    }
  }
  const pem = isObject(section.jwt_auth) ? section.jwt_auth.public_key_pem : undefined;
  if (typeof pem === 'string' && pem !== '' && !isRsaPublicKey(pem)) {
    throw invalid(`${pointer}/jwt_auth/public_key_pem`, 'must be an RSA public key as PEM');
  }
}

/** Accepts canonical notation only: short and octal forms (`10.0`, `010.0.0.1`) differ between parsers. */
function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (bits === undefined) return true;
  return /^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

function checkEnabledJwt(jwt: Record<string, unknown>, pointer: string): void {
  if (jwt.enabled !== true) return;
  const pem = jwt.public_key_pem;
  if (typeof pem !== 'string' || pem === '') {
    throw invalid(`${pointer}/public_key_pem`, 'is required where jwt_auth is enabled');
  }
  for (const name of ['allowed_issuers', 'allowed_client_ids']) {
    const list = jwt[name];
    if (!Array.isArray(list) || list.length === 0) {
      throw invalid(`${pointer}/${name}`, 'must not be empty where jwt_auth is enabled');
    }
  }
}

function isRsaPublicKey(pem: string): boolean {
  // A private key would be accepted as a public key, and would then appear in every read.
  if (/PRIVATE KEY/.test(pem)) return false;
  try {
    return createPublicKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

/**
 * Returns the URLs of the webhooks in the request; omitted URLs come from the stored ones by id. Requires https without
 * user info and without a literal private address; nothing is contacted. Throws 400 with a pointer.
 */
export function webhookUrls(
  sent: readonly Webhook[],
  known: Readonly<Record<string, string>>,
): Record<string, string> {
  const urls: Record<string, string> = {};
  for (const [i, webhook] of sent.entries()) {
    const pointer = `/alerting/channels/webhooks/${i}/url`;
    const url = webhook.url ?? (Object.hasOwn(known, webhook.id) ? known[webhook.id] : undefined);
    if (url === undefined) throw invalid(pointer, 'is required');
    checkWebhookUrl(url, pointer);
    urls[webhook.id] = url;
  }
  return urls;
}

function checkWebhookUrl(text: string, pointer: string): void {
  if (!URL.canParse(text)) throw invalid(pointer, 'must be an https URL');
  const url = new URL(text);
  if (url.protocol !== 'https:') throw invalid(pointer, 'must begin with https://');
  if (url.username !== '' || url.password !== '') {
    throw invalid(pointer, 'must not contain a user name or password');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  if (isLocal || (ipaddr.isValid(host) && !isPublicAddress(host))) {
    throw invalid(pointer, 'must not point to a private address');
  }
}
