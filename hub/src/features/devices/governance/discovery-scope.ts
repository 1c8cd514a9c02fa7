// C/discovery-scope: what the tenant lets discovery look at. It rides on the governance feed, so every device has it with
// its next poll; what may no longer be looked at is erased by a job (see scope-inventory.ts).
import {
  DiscoveryScopeAnswer,
  DiscoveryScopeInput,
} from '@gatewarden/shared/wire/console/discovery-scope.ts';
import { actorOf, personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/app.ts';
import { HubError } from '../../../platform/http/errors.ts';
import { etagOf, IfMatch } from '../../../platform/http/etag.ts';
import { versionedWrite } from '../../../platform/versioned-write.ts';
import { type DiscoverySetting, selectDiscovery, updateDiscovery } from './discovery-store.ts';
import type { Snapshots } from './snapshots.ts';

export function registerDiscoveryScope(app: App, deps: { db: Db; snapshots: Snapshots }): void {
  const { db } = deps;
  app.get(
    '/discovery-scope',
    {
      config: { access: 'Viewer' },
      schema: { tags: ['devices'], response: { 200: DiscoveryScopeAnswer } },
    },
    async (request, reply) => {
      const setting = await selectDiscovery(db, personOf(request).tenantId);
      if (setting === null) throw new HubError('not_found');
      reply.header('etag', etagOf(setting.version));
      return answered(setting, request.id);
    },
  );
  app.put(
    '/discovery-scope',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['devices'],
        headers: IfMatch,
        body: DiscoveryScopeInput,
        response: { 200: DiscoveryScopeAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const wanted = request.body;
      const stored = await versionedWrite(db, {
        tenantId,
        feed: 'governance',
        page: 'devices',
        ifMatch: request.headers['if-match'],
        load: (tx) => selectDiscovery(tx, tenantId),
        change: (before) =>
          before.personal_homes === wanted.personal_homes &&
          before.browser_profiles === wanted.browser_profiles
            ? null
            : wanted,
        store: (tx, before, change) => updateDiscovery(tx, tenantId, before.version, change),
        audit: (before, after) => ({
          tenantId,
          actor: actorOf(person),
          operation: 'discovery_scope.set',
          resource: { kind: 'tenant', id: tenantId },
          requestId: request.id,
          detail: { before: scopeOf(before), after: scopeOf(after) },
        }),
      });
      deps.snapshots.touch(tenantId);
      reply.header('etag', etagOf(stored.version));
      return answered(stored, request.id);
    },
  );
}

const scopeOf = ({ personal_homes, browser_profiles }: DiscoverySetting) => ({
  personal_homes,
  browser_profiles,
});

const answered = (setting: DiscoverySetting, requestId: string): DiscoveryScopeAnswer => ({
  ...scopeOf(setting),
  version: etagOf(setting.version),
  request_id: requestId,
});
