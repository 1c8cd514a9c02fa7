// C/ending-keys: lists keys and tokens of the tenant that expire soon.
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import { type EndingKey, EndingKeysAnswer } from '@gatewarden/shared/wire/console/ending-keys.ts';
import { personOf } from '../../../platform/auth/person.ts';
import { type Db, databaseTime } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/server/app.ts';
import type { IssuedKind } from '../../../platform/issued-secrets.ts';
import { KIND_NAMES } from '../leaked-keys/index.ts';

interface ExpiringKeyDeps {
  db: Db;
  kinds: readonly IssuedKind[];
}

const DAYS = 30;
const DAY_MS = 86_400_000;
/** The most keys in a response, over all kinds; the next to expire come first. */
const MAX = 500;

/** Registers the list of keys that expire within `DAYS` days. */
export function registerExpiringKeys(app: App, { db, kinds }: ExpiringKeyDeps): void {
  app.get(
    '/ending-keys',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['people'],
        summary: 'List keys and tokens that expire soon',
        querystring: NoQuery,
        response: { 200: EndingKeysAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const from = await databaseTime(db);
      const span = { from, until: new Date(from.getTime() + DAYS * DAY_MS) };
      const items: EndingKey[] = [];
      for (const kind of kinds) {
        for (const key of await kind.findExpiring(db, tenantId, span)) {
          items.push({
            kind: KIND_NAMES[kind.kind],
            key_id: key.id,
            name: key.name,
            created_by: key.created_by,
            expires_at: key.expires_at.toISOString(),
            last_used_at: key.last_used_at?.toISOString() ?? null,
          });
        }
      }
      items.sort((a, b) => a.expires_at.localeCompare(b.expires_at));
      return {
        items: items.slice(0, MAX),
        is_cut: items.length > MAX,
        days: DAYS,
        request_id: request.id,
      };
    },
  );
}
