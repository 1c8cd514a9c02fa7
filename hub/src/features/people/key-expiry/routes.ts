// C/ending-keys: keys and tokens of the tenant that end soon.
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import { type EndingKey, EndingKeysAnswer } from '@gatewarden/shared/wire/console/ending-keys.ts';
import { personOf } from '../../../platform/auth/person.ts';
import { type Db, databaseTime } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/server/app.ts';
import type { IssuedKind } from '../../../platform/issued-secrets.ts';
import { KIND_NAMES } from '../leaked-keys/index.ts';

interface EndingKeyDeps {
  db: Db;
  kinds: readonly IssuedKind[];
}

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Of all kinds together, the first to end. */
const MAX = 500;

export function registerEndingKeys(app: App, { db, kinds }: EndingKeyDeps): void {
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
      for (const one of kinds) {
        for (const key of await one.findExpiring(db, tenantId, span)) {
          items.push({
            kind: KIND_NAMES[one.kind],
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
