// What a PATCH makes of a configuration: maps and objects merge, lists and what is marked so replace, null resets.
import { CONFIG_SECTIONS } from '@gatewarden/shared/wire/management/app-config.ts';
import { escapePointer } from '../../../platform/http/json/json-pointer.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { alternativeFor, memberOf, type Node } from './schema-walk.ts';
import { nestRoles } from './self-service.ts';

/** The stored value after `patch`; a null that was accepted stays, as the mark of a reset. Changes neither argument. */
export function merged(schema: Node, stored: unknown, patch: unknown): unknown {
  if (patch === undefined) return stored;
  if (patch === null || typeof patch !== 'object') return patch;
  const node = alternativeFor(schema, patch);
  if (Array.isArray(patch)) return listWithDefaults(node, patch);
  if (!isObject(patch)) return patch;
  if (node['x-replace'] === true) return withDefaults(node, patch);
  const before = isObject(stored) ? stored : {};
  const after: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(patch)) {
    const inner = memberOf(node, name);
    after[name] = inner === undefined ? value : merged(inner, before[name], value);
  }
  return Object.keys(patch).length > 0 ? withOwnDefaults(node, after) : after;
}

/**
 * What an object has not, though something was said of it, is what document 1 says of it (`version` of `access_control`,
 * `allow_all` of a role). An empty one says nothing, and changes nothing.
 */
function withOwnDefaults(
  { properties = {} }: Node,
  value: Record<string, unknown>,
): Record<string, unknown> {
  for (const [name, { default: fallback }] of Object.entries(properties)) {
    if (value[name] === undefined && fallback !== undefined) value[name] = fallback;
  }
  return value;
}

/** The sections of `patch` merged into those that are stored. */
export function mergedConfig(
  stored: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const after = { ...stored };
  const meant = asMeant(stored, patch);
  for (const [name, schema] of Object.entries(CONFIG_SECTIONS)) {
    if (!(name in meant)) continue;
    after[name] = merged(schema as Node, stored[name], meant[name]);
  }
  return after;
}

/**
 * The patch with its short forms written out: roles of self-service beside `roles`, `jwt_auth: {}` says that it is off, and a stored list of addresses is one
 * that is switched on, which part of the object form leaves as it is.
 */
function asMeant(
  stored: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const sent =
    'self_service' in patch ? { ...patch, self_service: nestRoles(patch.self_service) } : patch;
  const { access } = sent;
  if (!isObject(access)) return sent;
  const meant = { ...access };
  if (isEmpty(access.jwt_auth)) meant.jwt_auth = null;
  const listed = isObject(stored.access) ? stored.access.allowed_source_ips : undefined;
  const sources = access.allowed_source_ips;
  if (Array.isArray(listed) && isObject(sources)) {
    meant.allowed_source_ips = isEmpty(sources)
      ? listed
      : { enabled: true, ips: listed, ...sources };
  }
  return { ...sent, access: meant };
}

const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0;

/** What a replaced object leaves out takes its documented default. */
function withDefaults(schema: Node, value: unknown): unknown {
  if (!isObject(value) || schema.properties === undefined) return value;
  const filled: Record<string, unknown> = { ...value };
  for (const [name, inner] of Object.entries(schema.properties)) {
    const sent = filled[name];
    if (sent === undefined) {
      const fallback = defaultOf(inner);
      if (fallback !== undefined) filled[name] = fallback;
    } else if (Array.isArray(sent)) {
      filled[name] = listWithDefaults(inner, sent);
    } else {
      filled[name] = withDefaults(inner, sent);
    }
  }
  return filled;
}

function listWithDefaults({ items }: Node, sent: readonly unknown[]): readonly unknown[] {
  return items === undefined ? sent : sent.map((item) => withDefaults(items, item));
}

function defaultOf(schema: Node): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.properties === undefined) return undefined;
  const filled = withDefaults(schema, {}) as object;
  return Object.keys(filled).length > 0 ? filled : undefined;
}

/** JSON pointers of what differs, parents left out where a member says it better. Null and absent are the same. */
export function differences(before: unknown, after: unknown, pointer = ''): string[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) =>
      differences(before[name], after[name], `${pointer}/${escapePointer(name)}`),
    );
  }
  if (isNothing(before) && isNothing(after)) return [];
  if (isObject(before) && isNothing(after)) return holdsNothing(before) ? [] : [pointer];
  if (isObject(after) && isNothing(before)) return holdsNothing(after) ? [] : [pointer];
  return sameValue(before, after) ? [] : [pointer];
}

const isNothing = (value: unknown) => value === null || value === undefined;

/** An object without any value changes nothing by its coming or going. */
function holdsNothing(value: Record<string, unknown>): boolean {
  return Object.values(value).every(
    (inner) => isNothing(inner) || (isObject(inner) && holdsNothing(inner)),
  );
}

function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => sameValue(item, b[i]));
  }
  if (isObject(a) && isObject(b)) return differences(a, b).length === 0;
  return a === b || (isNothing(a) && isNothing(b));
}
