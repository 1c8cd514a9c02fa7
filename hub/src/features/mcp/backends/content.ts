// The columns of a backend from what an administrator sends: defaults, sealed secrets, and validation.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import {
  type BackendInput,
  type BackendPatch,
  IDLE_TIMEOUT_SECONDS,
  TOTAL_TIMEOUT_SECONDS,
} from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { sealedAuth } from './auth.ts';
import { refuseCredentialHeader, sealedHeaders } from './headers.ts';
import type { BackendRow } from './store.ts';

export interface ContentDeps {
  sealer: Sealer;
  /** Throws the errors of `outbound.check`. */
  checkUrl(url: string): void;
}

/** Paths that the hub itself answers. */
const RESERVED = new Set(
  'gwone oauth mcp api .well-known mcpgateway llmgateway ea node console auth healthz readyz metrics scim'.split(
    ' ',
  ),
);

/** Returns the columns of a new backend. Throws `invalid_request` or `url_not_allowed`. */
export function newBackend(deps: ContentDeps, tenantId: string, input: BackendInput, name: string) {
  const backendId = randomUUID();
  const key = [tenantId, backendId] as const;
  const stored = sealedAuth(deps, key, input.auth, null);
  return {
    backend_id: backendId,
    slug: input.slug,
    name,
    name_folded: foldName(name),
    url: input.url,
    ...stored,
    ...sealedHeaders(deps.sealer, key, input.headers ?? [], { auth: stored.auth, before: null }),
    tools: input.tools ?? null,
    drift: input.drift ?? 'flag',
    same_as: input.same_as ?? [],
    idle_timeout_seconds: input.idle_timeout_seconds ?? IDLE_TIMEOUT_SECONDS,
    total_timeout_seconds: input.total_timeout_seconds ?? TOTAL_TIMEOUT_SECONDS,
  };
}

/**
 * Returns a backend that is not stored, for a test of its settings, under an id of its own. Throws `invalid_request` or
 * `url_not_allowed`.
 */
export function draftBackend(
  deps: ContentDeps,
  tenantId: string,
  input: Pick<BackendInput, 'url' | 'auth' | 'headers'>,
): BackendRow {
  validateAddress(deps, { slug: '', url: input.url });
  const name = new URL(input.url).host;
  const now = new Date();
  return {
    ...newBackend(deps, tenantId, { ...input, slug: '', name }, name),
    ...{ disabled_at: null, version: 1, created_at: now, updated_at: now },
  };
}

/** Throws `invalid_request`. */
function patchedHeaders(
  { sealer }: ContentDeps,
  tenantId: string,
  before: BackendRow,
  { headers }: BackendPatch,
  auth: BackendRow['auth'],
): Pick<BackendRow, 'header_names' | 'sealed_headers'> {
  if (headers !== undefined) {
    return sealedHeaders(sealer, [tenantId, before.backend_id], headers, { auth, before });
  }
  refuseCredentialHeader(before.header_names, auth);
  return { header_names: before.header_names, sealed_headers: before.sealed_headers };
}

/** Returns the columns of a backend after a patch. Throws `invalid_request` or `url_not_allowed`. */
export function patchedBackend(
  deps: ContentDeps,
  tenantId: string,
  before: BackendRow,
  patch: BackendPatch,
) {
  const { name: sentName, auth, tools, enabled = before.disabled_at === null } = patch;
  const name = sentName === undefined ? before.name : requireName(sentName);
  const stored =
    auth === undefined
      ? { auth: before.auth, sealed_auth: before.sealed_auth }
      : sealedAuth(deps, [tenantId, before.backend_id], auth, before);
  return {
    name,
    name_folded: foldName(name),
    ...stored,
    ...patchedHeaders(deps, tenantId, before, patch, stored.auth),
    ...patchedSettings(before, patch),
    tools: tools === undefined ? before.tools : tools,
    disabled_at: enabled ? null : (before.disabled_at ?? new Date()),
  };
}

/** Returns the columns that a patch replaces as they are. */
function patchedSettings(before: BackendRow, patch: BackendPatch) {
  return {
    slug: patch.slug ?? before.slug,
    url: patch.url ?? before.url,
    drift: patch.drift ?? before.drift,
    same_as: patch.same_as ?? before.same_as,
    idle_timeout_seconds: patch.idle_timeout_seconds ?? before.idle_timeout_seconds,
    total_timeout_seconds: patch.total_timeout_seconds ?? before.total_timeout_seconds,
  };
}

/** Returns whether a patch changes no column. */
export function isUnchanged(before: BackendRow, next: ReturnType<typeof patchedBackend>): boolean {
  return (
    next.slug === before.slug &&
    next.name === before.name &&
    next.url === before.url &&
    next.sealed_auth === before.sealed_auth &&
    next.drift === before.drift &&
    next.idle_timeout_seconds === before.idle_timeout_seconds &&
    next.total_timeout_seconds === before.total_timeout_seconds &&
    next.sealed_headers === before.sealed_headers &&
    JSON.stringify([next.auth, next.tools, next.same_as]) ===
      JSON.stringify([before.auth, before.tools, before.same_as]) &&
    (next.disabled_at === null) === (before.disabled_at === null)
  );
}

/** Returns a trimmed name. Throws `invalid_request` for a blank name. */
export function requireName(text: string): string {
  const name = text.trim();
  if (name === '') throw new HubError('invalid_request', '/name must not be blank');
  return name;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Throws `invalid_request` for a reserved slug, and `url_not_allowed`. */
export function validateAddress(
  deps: Pick<ContentDeps, 'checkUrl'>,
  { slug, url }: { slug: string; url: string },
): void {
  if (RESERVED.has(slug)) throw new HubError('invalid_request', '/slug is reserved');
  // A slug in the form of an id could be the id of another backend.
  if (UUID.test(slug)) throw new HubError('invalid_request', '/slug must not look like an ID');
  try {
    deps.checkUrl(url);
  } catch (error) {
    throw new HubError('url_not_allowed', `/url ${(error as Error).message}`);
  }
}
