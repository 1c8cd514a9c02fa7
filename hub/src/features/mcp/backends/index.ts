// MCP servers behind the gateway: their settings, sealed headers and credentials, and lookup by URL.
// Main types: `BackendRow`, `BackendFinder`.
// Invariant: a secret is sealed at rest, and no API returns it.
// Depends on logs (export keys of backends) and the platform.
// Start reading at routes.ts for administration, and finder.ts for requests.
import { foldName } from '@gatewarden/shared/names.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type BackendRow, selectBackend, selectBackendsMeant } from './store.ts';

export { type ContentDeps, draftBackend } from './content.ts';
export { deviceServerKeys } from './device-server-keys.ts';
export type { ProductsWith } from './device-servers.ts';
export { type BackendFinder, changedBackends, createBackendFinder } from './finder.ts';
export { openHeaders } from './headers.ts';
export { registerBackendPages } from './routes.ts';
export {
  type BackendRow,
  type OAuthLogin,
  SEALED_AUTH,
  SEALED_HEADERS,
  searchBackends,
  selectAllBackends,
  selectBackend,
  selectBackendNames,
} from './store.ts';

export interface BackendName {
  backend_id: string;
  name: string;
}

/** Nobody is known there: who comes has a token of the server's own login. */
export const isAnonymous = ({ kind }: BackendRow['auth']): boolean => kind === 'passthrough';

/** Everybody comes there as the same: no direct API token opens what is a person's own. */
export const isShared = ({ kind }: BackendRow['auth']): boolean =>
  kind === 'none' || kind === 'shared';

/** How to find what a log line names: by id, by slug, or by name. */
export async function backendsMeant(
  db: Db,
  tenantId: string,
  named: { ids: readonly string[]; names: readonly string[] },
): Promise<(item: { id?: string; name?: string }) => BackendName | null> {
  const folded = named.names.map(foldName);
  const found = await selectBackendsMeant(db, tenantId, {
    ids: named.ids,
    slugs: named.names,
    folded,
  });
  return ({ id, name }) => {
    if (id !== undefined) return found.find((item) => item.backend_id === id.toLowerCase()) ?? null;
    if (name === undefined) return null;
    const asName = foldName(name);
    return (
      found.find((item) => item.slug === name) ??
      found.find((item) => item.name_folded === asName) ??
      null
    );
  };
}

/** Null where there is none. */
export function backendWith(
  db: Db,
  tenantId: string,
  backendId: string,
): Promise<(BackendName & { slug: string }) | null> {
  return selectBackend(db, tenantId, backendId);
}
