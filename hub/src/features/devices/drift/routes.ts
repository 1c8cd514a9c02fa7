// GET and PUT /drift-policy: the tenant's setting for drifted apps. hold-job.ts applies it to the devices.
import {
  DriftPolicyAnswer,
  DriftPolicyInput,
} from '@gatewarden/shared/wire/console/drift-policy.ts';
import { actorOf, personOf } from '../../../platform/auth/person.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch } from '../../../platform/http/server/etag.ts';
import { versionedWrite } from '../../../platform/versioned-write.ts';
import { countDrifted } from './drift-store.ts';
import { type DriftSetting, selectDriftSetting, updateDriftSetting } from './hold-store.ts';

export function registerDriftPolicy(
  app: App,
  deps: { db: Db; driftChanged(tx: Tx, tenantId: string): Promise<void> },
): void {
  const { db } = deps;
  const answer = async (tenantId: string, setting: DriftSetting) => ({
    policy: setting.policy,
    version: etagOf(setting.version),
    waiting: await countDrifted(db, tenantId),
  });

  app.get(
    '/drift-policy',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['policies'],
        summary: 'Get the drift policy',
        response: { 200: DriftPolicyAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const setting = await selectDriftSetting(db, tenantId);
      if (setting === null) throw new HubError('not_found');
      reply.header('etag', etagOf(setting.version));
      return { ...(await answer(tenantId, setting)), request_id: request.id };
    },
  );

  app.put(
    '/drift-policy',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['policies'],
        summary: 'Update the drift policy',
        headers: IfMatch,
        body: DriftPolicyInput,
        response: { 200: DriftPolicyAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const { policy } = request.body;
      const after = await versionedWrite(db, {
        tenantId,
        // Devices receive the holds that the job makes, not the setting.
        feed: null,
        page: 'overrides',
        ifMatch: request.headers['if-match'],
        load: (tx) => selectDriftSetting(tx, tenantId),
        change: (before) => (before.policy === policy ? null : policy),
        store: async (tx, before, change) => {
          await deps.driftChanged(tx, tenantId);
          return updateDriftSetting(tx, tenantId, before.version, change);
        },
        audit: (before, stored) => ({
          tenantId,
          actor: actorOf(person),
          operation: 'drift_policy.set',
          resource: { kind: 'tenant', id: tenantId },
          requestId: request.id,
          detail: { before: before.policy, after: stored.policy },
        }),
      });
      reply.header('etag', etagOf(after.version));
      return { ...(await answer(tenantId, after)), request_id: request.id };
    },
  );
}
