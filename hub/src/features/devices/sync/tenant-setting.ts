// A setting of the tenant that rides on the governance feed, so that every device has it with its next poll: read by
// Viewers, replaced as a whole by Admins under If-Match, audited with what it was and what it is.

import { isDeepStrictEqual } from 'node:util';
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import type { TSchema } from 'typebox';
import { actorOf, personOf } from '../../../platform/auth/person.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch } from '../../../platform/http/server/etag.ts';
import { versionedWrite } from '../../../platform/versioned-write.ts';
import type { Snapshots } from './snapshot-cache.ts';

type Stored<Value> = Value & { version: number };

export interface SyncedSetting<Value extends object> {
  path: string;
  /** The name of the setting in summaries: "Get …", "Update …". */
  title: string;
  input: TSchema;
  /** The value with `version` and `request_id`. */
  answer: TSchema;
  operation: AuditOperation;
  select(db: Db, tenantId: string): Promise<Stored<Value> | null>;
  /** Null where another writer was faster. */
  update(tx: Tx, tenantId: string, version: number, value: Value): Promise<Stored<Value> | null>;
}

/** GET and PUT of the setting. Throws 404 without the tenant, 412 and 428 as every versioned write. */
export function registerSyncedSetting<Value extends object>(
  app: App,
  { db, snapshots }: { db: Db; snapshots: Snapshots },
  setting: SyncedSetting<Value>,
): void {
  const response = { 200: setting.answer };
  app.get(
    setting.path,
    {
      config: { access: 'Viewer' },
      schema: { tags: ['devices'], summary: `Get ${setting.title}`, response },
    },
    async (request, reply) => {
      const stored = await setting.select(db, personOf(request).tenantId);
      if (stored === null) throw new HubError('not_found');
      reply.header('etag', etagOf(stored.version));
      return settingResponse(stored, request.id);
    },
  );
  app.put(
    setting.path,
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['devices'],
        summary: `Update ${setting.title}`,
        headers: IfMatch,
        body: setting.input,
        response,
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const wanted = request.body as Value;
      const stored = await versionedWrite(db, {
        tenantId,
        feed: 'governance',
        page: 'devices',
        ifMatch: request.headers['if-match'],
        load: (tx) => setting.select(tx, tenantId),
        change: (before) => (isDeepStrictEqual(withoutVersion(before), wanted) ? null : wanted),
        store: (tx, before, change) => setting.update(tx, tenantId, before.version, change),
        audit: (before, after) => ({
          tenantId,
          actor: actorOf(person),
          operation: setting.operation,
          resource: { kind: 'tenant', id: tenantId },
          requestId: request.id,
          detail: { before: withoutVersion(before), after: withoutVersion(after) },
        }),
      });
      snapshots.invalidate(tenantId);
      reply.header('etag', etagOf(stored.version));
      return settingResponse(stored, request.id);
    },
  );
}

function withoutVersion<Value extends object>(stored: Stored<Value>) {
  const { version: _version, ...value } = stored;
  return value;
}

const settingResponse = <Value extends object>(stored: Stored<Value>, requestId: string) => ({
  ...withoutVersion(stored),
  version: etagOf(stored.version),
  request_id: requestId,
});
