// C/overrides/{override_id}/rollout: starts a staged rollout, pauses and resumes it, takes it back.

import { Uuid } from '@gatewarden/shared/wire/common.ts';
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { OverrideAnswer } from '@gatewarden/shared/wire/console/overrides.ts';
import { RolloutInput } from '@gatewarden/shared/wire/console/rollouts.ts';
import { Type } from 'typebox';
import { recordAudit } from '../../../platform/audit.ts';
import { type Person, personOf } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { advanceFeed, notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf } from '../../../platform/http/server/etag.ts';
import { overrideRow } from '../overrides/override-rules.ts';
import { type OverrideRecord, selectOverride } from '../overrides/store.ts';
import { rejectManagedOverride, rolloutEvent, setPercent } from '../overrides/write-override.ts';
import {
  applyAction,
  isUnderway,
  newRollout,
  type RolloutAction,
  type StoredRollout,
} from './rollout.ts';
import { lockRollout, selectRollouts, writeRollout } from './store.ts';

const OverrideParams = Type.Object({ tenant_id: Type.String(), override_id: Uuid });
const SUMMARIES = {
  pause: 'Pause a rollout',
  resume: 'Resume a rollout',
  revert: 'Revert a rollout on all devices',
};
const ACTS: readonly RolloutAction[] = ['pause', 'resume', 'revert'];

export function registerRolloutPages(
  app: App,
  deps: { db: Db; notifyChange(tenantId: string): void },
): void {
  app.post(
    '/overrides/:override_id/rollout',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['policies'],
        summary: 'Start a staged rollout of a policy',
        params: OverrideParams,
        body: RolloutInput,
        response: { 201: OverrideAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const wanted = newRollout(request.body, { email: person.email, now: new Date() });
      const changed = await actOnRollout(deps.db, person, {
        overrideId: request.params.override_id.toLowerCase(),
        operation: 'override.rollout_start',
        requestId: request.id,
        act(before, override) {
          rejectManagedOverride(override);
          if (isUnderway(before)) {
            throw new HubError('rollout_conflict', 'A rollout is in progress. Revert it first.');
          }
          return { rollout: wanted, percent: wanted.rings[0]?.percent ?? 0 };
        },
      });
      deps.notifyChange(person.tenantId);
      reply.code(201).header('etag', etagOf(changed.override.version));
      return { override: overrideRow(changed.override, changed.rollout), request_id: request.id };
    },
  );

  for (const act of ACTS) {
    app.post(
      `/overrides/:override_id/rollout/${act}`,
      {
        config: { access: 'Reviewer' },
        schema: {
          tags: ['policies'],
          summary: SUMMARIES[act],
          params: OverrideParams,
          response: { 200: OverrideAnswer },
        },
      },
      async (request, reply) => {
        const person = personOf(request);
        const by = { email: person.email, now: new Date() };
        const changed = await actOnRollout(deps.db, person, {
          overrideId: request.params.override_id.toLowerCase(),
          operation: `override.rollout_${act}`,
          requestId: request.id,
          act: (before, override) => ({
            rollout: applyAction(before, act, by),
            // Taken back means that it aims at nobody; the override itself stays, for a better try.
            percent: act === 'revert' ? 0 : override.rollout_percent,
          }),
        });
        deps.notifyChange(person.tenantId);
        reply.header('etag', etagOf(changed.override.version));
        return { override: overrideRow(changed.override, changed.rollout), request_id: request.id };
      },
    );
  }
}

async function actOnRollout(
  db: Db,
  person: Person,
  write: {
    overrideId: string;
    operation: AuditOperation;
    requestId: string;
    act(
      before: StoredRollout | null,
      override: OverrideRecord,
    ): { rollout: StoredRollout; percent: number };
  },
): Promise<{ override: OverrideRecord; rollout: StoredRollout }> {
  const { tenantId, email } = person;
  const { overrideId } = write;
  return transact(db, async (tx) => {
    await lockRollout(tx, tenantId, overrideId);
    const revision = await advanceFeed(tx, tenantId, 'governance');
    // Behind the feed's lock: neither the override nor its rollout changes any more while we look.
    const override = await selectOverride(tx, tenantId, overrideId);
    if (override === null) throw new HubError('not_found');
    const before = (await selectRollouts(tx, tenantId, [overrideId])).get(overrideId) ?? null;
    const { rollout, percent } = write.act(before, override);
    await writeRollout(tx, tenantId, overrideId, rollout);
    const after = await setPercent(tx, tenantId, override, {
      percent,
      revision,
      by: email,
      now: rollout.updated_at,
    });
    await recordAudit(
      tx,
      rolloutEvent(person, write.operation, write.requestId, overrideId, {
        before,
        after: rollout,
        percent: { before: override.rollout_percent, after: after.rollout_percent },
      }),
    );
    await notify(tx, { kind: 'page', tenant: tenantId, topic: 'overrides' });
    return { override: after, rollout };
  });
}
