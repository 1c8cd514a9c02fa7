// Reads one decision as it stands now; null when it was withdrawn.
import type { Override } from '@gatewarden/shared/wire/console/overrides.ts';
import { readJson, tenantPath } from '../api/client.ts';
import type { ListAnswer } from '../api/list-answer.ts';

export async function findOverride(tenantId: string, former: Override): Promise<Override | null> {
  let cursor: string | null = null;
  do {
    const page: ListAnswer<Override> = await readJson(`${tenantPath(tenantId)}/overrides`, {
      entity_id: former.match.entity_id,
      limit: 200,
      cursor,
    });
    const found = page.items.find((one) => one.override_id === former.override_id);
    if (found) return found;
    cursor = page.next_cursor;
  } while (cursor !== null);
  return null;
}
