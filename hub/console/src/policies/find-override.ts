// Requests the current state of a policy; null if it was removed.
import type { ListedOverride, Override } from '@gatewarden/shared/wire/console/overrides.ts';
import { readJson, tenantPath } from '../api/client.ts';
import type { ListAnswer } from '../api/list-answer.ts';

export async function findOverride(tenantId: string, overrideId: string): Promise<Override | null> {
  const found = await listedOverride(tenantId, overrideId);
  return found?.state === 'withdrawn' ? null : found;
}

/** Returns the policy in any state, also removed; null for an unknown id. */
export async function listedOverride(
  tenantId: string,
  overrideId: string,
): Promise<ListedOverride | null> {
  const path = `${tenantPath(tenantId)}/overrides`;
  const { items } = await readJson<ListAnswer<ListedOverride>>(path, { override_id: overrideId });
  return items[0] ?? null;
}
