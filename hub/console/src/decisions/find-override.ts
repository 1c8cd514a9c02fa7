// Reads one decision as it stands now; null when it was withdrawn.
import type { ListedOverride, Override } from '@gatewarden/shared/wire/console/overrides.ts';
import { readJson, tenantPath } from '../api/client.ts';
import type { ListAnswer } from '../api/list-answer.ts';

export async function findOverride(tenantId: string, overrideId: string): Promise<Override | null> {
  const path = `${tenantPath(tenantId)}/overrides`;
  const { items } = await readJson<ListAnswer<ListedOverride>>(path, { override_id: overrideId });
  const found = items[0];
  return found === undefined || found.state === 'withdrawn' ? null : found;
}
