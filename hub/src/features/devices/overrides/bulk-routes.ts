// /overrides/bulk: the same policy for many apps. A preview covers all; each override has a transaction of its own, so that a
// failure affects no other app.

import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  BulkAnswer,
  BulkInput,
  BulkPreviewAnswer,
} from '@gatewarden/shared/wire/console/bulk-decisions.ts';
import type { Touched } from '@gatewarden/shared/wire/console/overrides.ts';
import { personOf } from '../../../platform/auth/person.ts';
import { transact } from '../../../platform/db/database.ts';
import { advanceFeed, notify } from '../../../platform/feed/feed.ts';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { toHubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectProductNames } from '../inventory/scope-store.ts';
import { previewOverride } from '../preview/preview.ts';
import { newRollout, type StoredRollout } from '../rollouts/rollout.ts';
import { selectRollouts } from '../rollouts/store.ts';
import { selectExistingOverrides } from './existing-overrides.ts';
import { hasSameTerms, newOverride, overrideRow, splitScope } from './override-rules.ts';
import type { GovernanceDeps } from './routes.ts';
import { selectOverride } from './store.ts';
import { checkGroup, storeDecision, storeStaged } from './write-override.ts';

export function registerBulkDecisions(app: App, deps: GovernanceDeps): void {
  registerBulkPreview(app, deps);
  const { db } = deps;

  app.post(
    '/overrides/bulk',
    {
      config: { access: 'Reviewer', alsoAnswers: ['412'] },
      schema: {
        tags: ['policies'],
        summary: 'Create policies for many apps',
        body: BulkInput,
        response: { 200: BulkAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { tenantId } = person;
      const { entity_ids: ids, bulk_id: bulkId, rollout: stages, ...decision } = request.body;
      const rollout =
        stages === undefined
          ? null
          : newRollout(stages, { email: person.email, now: new Date() }, '/rollout');
      const known = await selectProductNames(db, tenantId, ids);
      const results: BulkAnswer['results'] = [];
      for (const id of ids) {
        if (!known.has(id)) {
          results.push({ entity_id: id, override: null, error: bulkError('not_found') });
          continue;
        }
        const overrideId = bulkId === undefined ? randomUUID() : bulkOverrideId(bulkId, id);
        const input = {
          ...decision,
          match: { entity_id: id },
          override_id: overrideId,
          ...(rollout === null ? {} : { rollout_percent: rollout.rings[0]?.percent ?? 0 }),
        };
        try {
          const stored = await transact(db, async (tx) => {
            const revision = await advanceFeed(tx, tenantId, 'governance');
            const made = { revision, requestId: request.id, now: new Date(), input };
            const override =
              rollout === null
                ? await storeDecision(tx, person, made)
                : await storeStaged(tx, person, made, rollout);
            await notify(tx, { kind: 'page', tenant: tenantId, topic: 'overrides' });
            return override;
          });
          results.push({ entity_id: id, override: overrideRow(stored, rollout), error: null });
        } catch (error) {
          const known = toHubError(error);
          const made =
            bulkId !== undefined && known.code === 'already_exists'
              ? await selectOverride(db, tenantId, overrideId)
              : null;
          if (made !== null) {
            const wanted = newOverride(
              input,
              { overrideId, email: person.email, now: new Date() },
              { mayHaveEnded: true },
            );
            const going =
              (await selectRollouts(db, tenantId, [overrideId])).get(overrideId) ?? null;
            // How far a rollout has come is its own doing.
            const percent = rollout === null ? wanted.rollout_percent : made.rollout_percent;
            const isSame =
              hasSameTerms(made, { ...wanted, rollout_percent: percent }) &&
              hasSameStages(going, rollout);
            results.push({
              entity_id: id,
              override: isSame ? overrideRow(made, going) : null,
              error: isSame ? null : bulkError(known.code, OTHERWISE),
            });
            continue;
          }
          if (ERRORS[known.code].status >= 500) {
            request.log.warn({ err: error, entity_id: id }, 'an override of a bulk request failed');
          }
          results.push({
            entity_id: id,
            override: null,
            error: bulkError(known.code, known.message),
          });
        }
      }
      deps.snapshots.invalidate(tenantId);
      deps.pages.announce(tenantId, 'applications');
      return { results, request_id: request.id };
    },
  );
}

function registerBulkPreview(app: App, deps: GovernanceDeps): void {
  const { db } = deps;

  app.post(
    '/overrides/bulk/preview',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['policies'],
        summary: 'Preview the impact of a policy on many apps',
        body: BulkInput,
        response: { 200: BulkPreviewAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const { entity_ids: ids, bulk_id: _bulk, rollout: _rollout, ...decision } = request.body;
      await checkGroup(db, tenantId, splitScope(decision.scope));
      const snapshot = await deps.snapshots.get(tenantId);
      const mappings = await deps.mappingsOf(tenantId);
      const previews: Touched[] = [];
      for (const id of ids) {
        previews.push(
          await previewOverride(
            { db, tenantId, snapshot, mappings, now: new Date(), overrideId: randomUUID() },
            { ...decision, match: { entity_id: id } },
          ),
        );
      }
      return {
        ...combinePreviews(previews),
        as_of_revision: snapshot.n,
        ...(await selectExistingOverrides(
          { db, tenantId, snapshot, now: new Date() },
          ids.map((id) => ({ ...splitScope(decision.scope), match: { entity_id: id } })),
        )),
        request_id: request.id,
      };
    },
  );
}

const OTHERWISE =
  'This bulk_id was used for another policy, or the policy changed since. Review it first.';

const hasSameStages = (going: StoredRollout | null, wanted: StoredRollout | null): boolean =>
  isDeepStrictEqual(
    [going?.rings ?? null, going?.limits ?? null],
    [wanted?.rings ?? null, wanted?.limits ?? null],
  );

/** Returns the id of an override of a bulk request: a UUID of version 4, equal for equal arguments. */
function bulkOverrideId(bulkId: string, entityId: string): string {
  const hash = createHash('sha256').update(`${bulkId.toLowerCase()} ${entityId}`).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

/** From 500 on the text is fixed, as it is for a whole request. */
function bulkError(code: keyof typeof ERRORS, message?: string) {
  const { status, message: fixed } = ERRORS[code];
  return { code, message: status >= 500 ? fixed : (message ?? fixed) };
}

/** Returns the devices and users that many overrides reach, each once. */
function combinePreviews(previews: readonly Touched[]) {
  const devices = new Set(
    previews.flatMap((preview) => preview.devices.items.map((device) => device.device_id)),
  );
  const people = new Set(
    previews.flatMap((preview) => preview.people.items.map((person) => person.subscriber_id)),
  );
  const most = (of: (row: Touched) => number) => Math.max(...previews.map(of));
  const sum = (of: (row: Touched) => number) => previews.reduce((all, row) => all + of(row), 0);
  const isCut = (part: { count: number; items: readonly unknown[] }) =>
    part.count > part.items.length;
  return {
    devices: Math.max(
      devices.size,
      most((row) => row.devices.count),
    ),
    people: Math.max(
      people.size,
      most((row) => row.people.count),
    ),
    processes: sum((row) => row.processes.count),
    ended: sum((row) => row.processes.ended ?? 0),
    guarded: sum((row) => row.processes.guarded ?? 0),
    stopped: sum((row) => row.activity.count),
    overruled: previews.filter((preview) => preview.overruled.items.some(({ devices: n }) => n > 0))
      .length,
    at_least: previews.some(
      (preview) =>
        isCut(preview.devices) ||
        isCut(preview.people) ||
        preview.processes.at_least ||
        preview.activity.at_least,
    ),
  };
}
