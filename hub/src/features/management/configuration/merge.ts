// Merges a PATCH into a configuration: maps and objects merge, lists and marked values replace, null resets.
import { CONFIG_SECTIONS } from '@gatewarden/shared/wire/management/app-config.ts';
import { escapePointer } from '../../../platform/http/json/json-pointer.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { alternativeFor, memberOf, type Node } from './schema-walk.ts';
import { nestRoles } from './self-service.ts';

/**
 * Returns the stored value after `patch`; an accepted null remains as the mark of a reset. Changes neither argument.
 */
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
 * Applies the defaults of document 1 to an object with any value (`version` of `access_control`, `allow_all` of a
 * role). An empty object has no effect.
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

/** Returns the sections of `patch` merged into the stored sections. */
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
 * Returns the patch with its short forms expanded: roles of self-service beside `roles`, `jwt_auth: {}` as disabled,
 * and a list of addresses as an enabled list, which part of the object form leaves unchanged.
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

/** Applies the documented defaults for fields that a replaced object omits. */
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

/**
 * Returns JSON pointers of the differences, without parents whose member is more specific. Null and absent are equal.
 */
export function differences(before: unknown, after: unknown, pointer = ''): string[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) =>
      differences(before[name], after[name], `${pointer}/${escapePointer(name)}`),
    );
  }
  if (isNothing(before) && isNothing(after)) return [];
  if (isObject(before) && isNothing(after)) return isEmptyDeep(before) ? [] : [pointer];
  if (isObject(after) && isNothing(before)) return isEmptyDeep(after) ? [] : [pointer];
  return sameValue(before, after) ? [] : [pointer];
}

const isNothing = (value: unknown) => value === null || value === undefined;

/** Returns whether an object has no value at any depth: adding or removing it changes nothing. */
function isEmptyDeep(value: Record<string, unknown>): boolean {
  return Object.values(value).every(
    (inner) => isNothing(inner) || (isObject(inner) && isEmptyDeep(inner)),
  );
}

function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => sameValue(item, b[i]));
  }
  if (isObject(a) && isObject(b)) return differences(a, b).length === 0;
  return a === b || (isNothing(a) && isNothing(b));
}
